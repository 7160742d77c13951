package prompt_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/prompt"
)

type cleaned struct {
	Text    string
	Removed int
}

func clean(t *testing.T, wants map[string]cleaned) {
	t.Helper()
	for text, want := range wants {
		var got cleaned
		got.Text, got.Removed = prompt.Clean(text)
		t.Run("", func(t *testing.T) { same(t, want, got) })
	}
}

func TestClean(t *testing.T) {
	clean(t, map[string]cleaned{
		"plain\ttext\n":                          {"plain\ttext\n", 0},
		"a\r\nb\rc\u2028d\u0085e":                {"a\nb\nc\nd\ne", 0},
		"page\f\nnext\vline":                     {"page \nnext line", 0},
		"\ufefffile":                             {"file", 0},
		"zero\u200bwidth\u200d\ufeff\u2060":      {"zerowidth", 4},
		"\u202etxt.exe\u202c \u2066x\u2069":      {"txt.exe x", 4},
		"tags\U000E0068\U000E0069\U000E007F":     {"tags", 3},
		"v\ufe0f\U000E0100\u180b":                {"v", 3},
		"fill\u3164\u115f\uffa0\u2800\U0001D159": {"fill", 5},
		"soft\u00adhyphen \ue000\U0010FFFD":      {"softhyphen ", 3},
		"\x1b[31mred\x1b[0m\x1b]0;title\x07":     {"red]0;title", 11},
		"\x1b\x1b[0m[31m":                        {"[31m", 5},
		"nul\x00 del\x7f bell\a c1\u009b":        {"nul del bell c1", 4},
		"bad \xff\xc0 bytes":                     {"bad \ufffd\ufffd bytes", 0},
	})
}

func TestCleanNamesWhatEntitiesHide(t *testing.T) {
	clean(t, map[string]cleaned{
		"&#8203;&#x200b &zwj;&shy;":                     {"[U+200B][U+200B] [U+200D][U+00AD]", 4},
		"&#xE0041;&amp;amp;#8203;":                      {"[U+E0041][U+200B]", 2},
		"&amp;amp;amp;amp;amp;#8203;":                   {"[U+200B]", 1},
		"&#38;#8203; &#x26;#038;zwnj; &AMP;#x200B;":     {"[U+200B] [U+200C] [U+200B]", 3},
		"&#" + strings.Repeat("0", 100) + "8203;":       {"[U+200B]", 1},
		"&#99999999999999999999;":                       {"&#99999999999999999999;", 0},
		"&#82\u200b03;":                                 {"[U+200B]", 2},
		"&#82&#8203;03;":                                {"&#82[U+200B]03;", 1},
		"&lt;b&gt; a && b &amp; &nbsp;&#65;":            {"&lt;b&gt; a && b &amp; &nbsp;&#65;", 0},
		"p = &it; f(&shyness, &ic) &af;":                {"p = &it; f(&shyness, &ic) &af;", 0},
		"&#13;&#10; 5 &#128; a%E2%80%8Bb \"\\u200b\"\r": {"&#13;&#10; 5 &#128; a%E2%80%8Bb \"\\u200b\"\n", 0},
	})
}

func TestCleanKeepsWhatWritingNeeds(t *testing.T) {
	for _, text := range []string{
		"名前 naïve 🎉 e\u0301", "می\u200cخواهم", "क्\u200dष න්\u200dද", "שָׁלוֹם בְּרֵאשִׁ֖ית", "\u0600١٢", "Việt Nam",
		"👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 👍🏽 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 ☎\ufe0e",
	} {
		got, removed := prompt.Clean(text)
		same(t, cleaned{text, 0}, cleaned{got, removed})
	}
	clean(t, map[string]cleaned{
		"a\u200db a\u200cb 1\ufe0f":               {"ab ab 1", 3},
		"م\u200c\u200c\u200d\u200cن":              {"م\u200cن", 3},
		"🎉\ufe0f\ufe0e\ufe0f\u200d\u200dx":        {"🎉\ufe0fx", 4},
		"<\ufe0f/un\u200dtrusted":                 {"</untrusted", 2},
		"Z" + strings.Repeat("\u0335", 1000):      {"Z" + strings.Repeat("\u0335", 8), 992},
		"क" + strings.Repeat("\u094d\u200d", 100): {"क" + strings.Repeat("\u094d\u200d", 8), 184},
	})
}

// What has no picture, by every category of Unicode: nothing of it survives by itself.
func TestCleanTakesOutAllThatIsHidden(t *testing.T) {
	none := []*unicode.RangeTable{unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Bidi_Control, unicode.Join_Control}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0x20000 && r&0xff00 != 0 && r&0xffff < 0xff00 && r>>16 != 0xe {
			continue // more of the same: Chinese, nothing, private use
		}
		got, _ := prompt.Clean("a" + string(r) + "b")
		want := got
		switch {
		case r == '\n', r == '\t', unicode.Is(unicode.Prepended_Concatenation_Mark, r):
			want = "a" + string(r) + "b"
		case r == '\r', r == 0x85, r == 0x2028, r == 0x2029:
			want = "a\nb"
		case r == '\f', r == '\v':
			want = "a b"
		case unicode.In(r, none...), 0xe0000 <= r && r <= 0xe0fff:
			want = "ab"
		}
		if got != want {
			t.Errorf("U+%04X: got %q, want %q", r, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"&#82&#8203;03;", "\x1b\x1b[\u200b0m", "&ampshy", "&amp;amp;amp;amp;amp;#8203;", "\r\u200b\n", "&#0;&#13;&#x1b;[0m", "&&#8203;shy;",
		"क्\u200d\u200c", "👩\u200d\x1b[0m\u200d👩", "a" + strings.Repeat("\u0300", 9) + "\u200b\u0300", "\ufeff\ufeff&#\ufeff8203;"} {
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
		before := ' '
		for _, r := range got {
			if isHidden(r) && (r != '\u200c' && r != '\u200d' && r != '\ufe0e' && r != '\ufe0f' || before < '#' || before < utf8.RuneSelf && unicode.IsLetter(before) || isHidden(before) && before != '\ufe0f') {
				t.Errorf("%q holds %q after %q", got, r, before)
			}
			before = r
		}
	})
}

func isHidden(r rune) bool {
	return r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Variation_Selector) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// hostile are texts that are as slow as can be, by what they attack.
func hostile(n int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, n/len(s)) }
	return map[string]string{
		"plain": fill("func (e *Encoding) Count(text string) int {\n"), "chinese": fill("当请求头缺少编码时，"), "entities": fill("&amp;"), "marks": fill("\u0335"),
		"hidden": fill("\U000E0041"), "brackets": fill("<"), "spaces": "<" + fill(" "), "turns": fill("<|"), "words": fill("<untruste"), "numbers": "&#" + fill("0"),
		"escapes": fill("\x1b["), "zwj": fill("👩\u200d"), "nonce": fill(nonce[:15]), "bad": fill("\xff"), "returns": fill("\r"), "math": fill("＜𝐮"),
	}
}

// BenchmarkHostile has the same speed for both sizes of a text, as it takes time in
// proportion to its length.
func BenchmarkHostile(b *testing.B) {
	small, large := hostile(1<<14), hostile(1<<20)
	for _, name := range slices.Sorted(maps.Keys(small)) {
		for _, text := range []string{small[name], large[name]} {
			b.Run(fmt.Sprintf("%s/%dk", name, len(text)>>10), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					wrap(b, "x", text)
				}
			})
		}
	}
}
