package triage

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/repomind/repomind/internal/github"
)

// foreign is what nobody writes in their own language: inline code and addresses.
var foreign = regexp.MustCompile("`[^`\n]*`|https?://\\S+")

// Language is what the prose of an issue is written in: "zh", or "en" for all else.
// Code, logs and the headings of templates do not count.
func Language(is github.Issue) string {
	t := read(is)
	han, latin := 0, 0
	for line := range strings.Lines(t.title + "\n" + t.prose) {
		if heading.MatchString(line) {
			continue
		}
		for _, r := range foreign.ReplaceAllString(line, "") {
			switch {
			case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
				return "en" // Japanese and Korean are written with Chinese signs too
			case unicode.Is(unicode.Han, r):
				han++
			case unicode.IsLetter(r):
				latin++
			}
		}
	}
	// A Chinese word has about two signs, an English one about five; and who writes
	// Chinese leaves names, and sentences of the template, in English.
	if han > 0 && han*4 >= latin {
		return "zh"
	}
	return "en"
}
