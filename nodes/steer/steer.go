// Package steer finds wordings in texts of strangers that want to steer a model. They
// change nothing in what is done: a maintainer wants to know of them.
package steer

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/nodes/snip"
)

// steering are wordings that speak to a program that reads and not to a person.
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

// maxText bounds how much of one text is looked at, in bytes.
const maxText = 256 << 10

// Find is the wording that tries it, "" for none: in plain sight, in what a browser
// hides, or spelled with characters that nobody sees. It looks at the first 256 KB.
func Find(text string) string {
	clean, _ := prompt.Clean(snip.Clip(text, maxText))
	for _, re := range steering {
		if m := re.FindString(clean); m != "" {
			return snip.Clip(snip.Squeeze(m), 160)
		}
	}
	for _, m := range hiddenText.FindAllStringSubmatch(clean, 20) {
		if words := strings.ToLower(m[1]); strings.Contains(words, "assistant") || strings.Contains(words, "language model") || strings.Contains(words, "repomind") {
			return snip.Clip(snip.Squeeze(m[0]), 160)
		}
	}
	return ""
}
