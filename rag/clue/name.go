package clue

import (
	"regexp"
	"strings"
	"unicode"
)

// Name is an identifier that the issue mentions: foo_bar, FooBar, pkg.mod.Class.method.
type Name struct {
	Text  string // with its dots; "::" and "#" are written as dots
	Place Place  // the strongest
}

var (
	nameLike = regexp.MustCompile(`@?[\pL_$][\pL\pN_$]*(?:(?:\.|::|#|->)[\pL_$][\pL\pN_$]*)*\(?`)
	inline   = regexp.MustCompile("`{1,2}([^`\n]{1,200})`{1,2}")
	dots     = strings.NewReplacer("::", ".", "#", ".", "->", ".", "(", "", "@", "")
)

type part struct {
	text  string
	place Place
}

// parts are the texts to look into, the strongest places first. The frames of
// traces stand in code blocks as a rule; their names count as what they are.
func parts(c Clues) []part {
	out := []part{{c.Title, InTitle}}
	for _, m := range inline.FindAllStringSubmatch(c.Prose, -1) {
		out = append(out, part{m[1], Inline})
	}
	out = append(out, part{inline.ReplaceAllString(c.Prose, " "), InProse})
	for _, t := range c.Traces {
		for _, f := range t.Frames {
			out = append(out, part{f.Function, InTrace})
		}
	}
	for _, b := range c.Code {
		out = append(out, part{b.Text, InCode})
	}
	return out
}

func names(c Clues) []Name {
	var out []Name
	seen := map[string]bool{}
	for _, p := range parts(c) {
		text := link.ReplaceAllString(p.text, " ")
		for _, m := range nameLike.FindAllString(text, -1) {
			n, ok := newName(m, p.place)
			if !ok {
				continue
			}
			if !seen[n.Text] && len(out) < maxEach {
				seen[n.Text] = true
				out = append(out, n)
			}
		}
	}
	return out
}

func newName(m string, place Place) (Name, bool) {
	call := strings.HasSuffix(m, "(")
	text := dots.Replace(m)
	n := Name{Text: text, Place: place}
	if len(text) < 2 || len(text) > 200 {
		return n, false
	}
	return n, looksLikeCode(text) || call || place == Inline || place == InTrace
}

// looksLikeCode says whether a word is written as prose is not: foo_bar, fooBar,
// a.b, HTTPServer.
func looksLikeCode(w string) bool {
	var lower, upper, inner bool
	for i, r := range w {
		switch {
		case r == '_' || r == '$' || r == '.' && i > 0:
			return true
		case unicode.IsUpper(r):
			inner = inner || lower
			upper = true
		case unicode.IsLower(r):
			inner = inner || upper && i > 1 && !lower
			lower = true
		}
	}
	return inner
}
