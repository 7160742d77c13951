package prompt_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/prompt"
)

func TestClean(t *testing.T) {
	type cleaned struct {
		Text    string
		Removed int
	}
	for text, want := range map[string]cleaned{
		"plain\ttext\n":                      {"plain\ttext\n", 0},
		"a\r\nb\rc\u2028d\u0085e":            {"a\nb\nc\nd\ne", 0},
		"zero\u200bwidth\u200d\ufeff\u2060":  {"zerowidth", 4},
		"\u202etxt.exe\u202c \u2066x\u2069":  {"txt.exe x", 4},
		"tags\U000E0068\U000E0069\U000E007F": {"tags", 3},
		"v\ufe0f\U000E0100\u180b":            {"v", 3},
		"fill\u3164\u115f\uffa0\u2800":       {"fill", 4},
		"soft\u00adhyphen \ue000\U0010FFFD":  {"softhyphen ", 3},
		"\x1b[31mred\x1b[0m\x1b]0;title\x07": {"red]0;title", 11},
		"\x1b\x1b[0m[31m":                    {"[31m", 5},
		"nul\x00 del\x7f bell\a c1\u009b":    {"nul del bell c1", 4},
		"bad \xff\xc0 bytes":                 {"bad \ufffd\ufffd bytes", 0},
		"&#8203;&#x200b &zwj;&shy;":          {"[U+200B][U+200B] [U+200D][U+00AD]", 4},
		"&#xE0041;&amp;amp;#8203;":           {"[U+E0041][U+200B]", 2},
		"&#82\u200b03;":                      {"[U+200B]", 2},
		"&#82&#8203;03;":                     {"&#82[U+200B]03;", 1},
		"&lt;b&gt; a && b &amp; &nbsp;&#65;": {"&lt;b&gt; a && b &amp; &nbsp;&#65;", 0},
		"名前 naïve 🎉 e\u0301":                 {"名前 naïve 🎉 e\u0301", 0},
	} {
		var got cleaned
		got.Text, got.Removed = prompt.Clean(text)
		t.Run("", func(t *testing.T) { same(t, want, got) })
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"&#82&#8203;03;", "\x1b\x1b[\u200b0m", "&ampshy", "&amp;amp;amp;amp;amp;#8203;", "\r\u200b\n", "&#0;&#13;&#x1b;[0m", "&&#8203;shy;"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, removed := prompt.Clean(text)
		again, none := prompt.Clean(got)
		if again != got || none != 0 {
			t.Errorf("%q becomes %q, then %q", text, got, again)
		}
		if !utf8.ValidString(got) || removed < 0 || removed > len(text) {
			t.Errorf("%q: %q, %d removed", text, got, removed)
		}
		if i := strings.IndexFunc(got, func(r rune) bool {
			return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
		}); i >= 0 {
			t.Errorf("%q holds %q", got, got[i:])
		}
	})
}
