package issue

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/prompt"
)

// steering are wordings that speak to a program that reads the issue and not to a person.
// They change nothing here; a maintainer wants to know of them.
var steering = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|your)\b[^.\n]{0,30}\b(?:instructions?|prompts?|rules?|directives?|guidelines?)\b`),
	regexp.MustCompile(`(?i)\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:instructions?|prompts?|rules?|directives?|guidelines?)\b[^.\n]{0,20}\b(?:above|before)\b`),
	regexp.MustCompile(`(?i)\b(?:reveal|print|repeat|output|leak|show)\b[^.\n]{0,40}\b(?:system prompt|your (?:instructions|prompt|api key|token|secrets?)|environment variables?|nonce)\b`),
	regexp.MustCompile(`(?i)\byou are (?:now|no longer)\b[^.\n]{0,60}\b(?:assistant|model|agent|ai|bot|mode|analyst)\b`),
	regexp.MustCompile(`(?i)\b(?:attention|note|instructions?|message)\b[^.\n]{0,20}\b(?:to|for) (?:the )?(?:ai|llm|language model|assistant|agent|bot|analyst|analyzer|reviewer)s?\b`),
	regexp.MustCompile(`(?i)\b(?:as an ai|dear (?:ai|assistant|llm)|if you are an? (?:ai|llm|language model|bot|automated))\b`),
	regexp.MustCompile(`(?i)\b(?:call|use|invoke|run) (?:the )?(?:tool|read_file|grep_code|list_dir|fetch_dependency)\b[^\n]{0,60}(?:/etc/|\.\./|~/|\.ssh|\.env|id_rsa|secret)`),
	regexp.MustCompile(`(?i)\b(?:set|report|return|answer with|mark|classify)\b[^.\n]{0,40}\b(?:confidence|class|severity|verdict)\b[^.\n]{0,30}\b(?:1\.0|confirmed|100|approve|low|none)\b`),
	regexp.MustCompile(`(?i)<\|?(?:im_start|im_end|system|endoftext|assistant)\|?>|\[/?INST\]|<</?SYS>>|^### ?(?:system|assistant):`),
	regexp.MustCompile(`忽略(?:之前|以上|上述|所有)[^。\n]{0,12}(?:指令|指示|提示|规则)`),
}

// hiddenText is what a browser does not show.
var hiddenText = regexp.MustCompile(`(?s)<!--(.*?)-->`)

// maxSteer bounds how much of one text is looked at.
const maxSteer = 256 << 10

// steers tells of each text of the issue that tries to steer the analysis.
func steers(is github.Issue) (out []string) {
	look := func(where, text string) {
		text = clip(text, maxSteer)
		if found := steered(text); found != "" {
			out = append(out, fmt.Sprintf("%s tries to steer the analysis, which was not followed: %q", where, found))
		}
	}
	look("the issue's title", is.Title)
	look("the issue's text", is.Body)
	for _, c := range is.Comments {
		look("a comment by "+c.Author.Login, c.Body)
	}
	const most = 5
	return out[:min(len(out), most)]
}

// steered is the wording that tries it, "" for none: in plain sight, in what a browser
// hides, or spelled with characters that nobody sees.
func steered(text string) string {
	clean, _ := prompt.Clean(text)
	for _, re := range steering {
		if m := re.FindString(clean); m != "" {
			return clip(squeeze(m), 160)
		}
	}
	for _, m := range hiddenText.FindAllStringSubmatch(clean, 20) {
		if words := strings.ToLower(m[1]); strings.Contains(words, "assistant") || strings.Contains(words, "language model") || strings.Contains(words, "repomind") {
			return clip(squeeze(m[0]), 160)
		}
	}
	return ""
}
