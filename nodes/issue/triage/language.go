package triage

import (
	"unicode"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/rag/clue"
)

// Language is what the prose of an issue is written in: "zh", or "en" for all else.
// Code and logs do not count.
func Language(is github.Issue) string {
	c := clue.Read(clip(is.Title, 1000), clip(is.Body, maxText))
	han, latin := 0, 0
	for _, r := range c.Title + "\n" + c.Prose {
		switch {
		case unicode.Is(unicode.Hiragana, r), unicode.Is(unicode.Katakana, r), unicode.Is(unicode.Hangul, r):
			return "en" // Japanese and Korean are written with Chinese signs too
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r):
			latin++
		}
	}
	// A Chinese word has about two signs, an English one about five.
	if han > 0 && han*5 >= latin*2 {
		return "zh"
	}
	return "en"
}
