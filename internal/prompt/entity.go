package prompt

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// entity is one of HTML, the "&" of which may be one itself. As in CommonMark a name
// needs its semicolon; a number does without, as in browsers.
var entity = regexp.MustCompile(`&(?:amp;|AMP;|#0*38;?|#[xX]0*26;?)*(?:#([0-9]+);?|#[xX]([0-9A-Fa-f]+);?|([A-Za-z]+);)`)

// unveil writes the entities of hidden characters as the names of those.
func unveil(text string) (string, int) {
	if !strings.Contains(text, "&") {
		return text, 0
	}
	var b strings.Builder
	from, found := 0, 0
	for _, m := range entity.FindAllStringSubmatchIndex(text, -1) {
		group := func(n int) string { return text[max(m[2*n], 0):max(m[2*n+1], 0)] }
		r, ok := character(group(1), group(2), group(3))
		if !ok || !hidden(r) || unicode.IsSpace(r) && r < ' ' || '\u0080' <= r && r <= '\u009f' { // browsers take these for Windows-1252
			continue
		}
		fmt.Fprintf(&b, "%s[U+%04X]", text[from:m[0]], r)
		from = m[1]
		found++
	}
	return b.String() + text[from:], found
}

func character(decimal, hex, name string) (rune, bool) {
	if name != "" {
		r, ok := invisible[name]
		return r, ok
	}
	base := 10
	if hex != "" {
		decimal, base = hex, 16
	}
	n, err := strconv.ParseUint(decimal, base, 31)
	return rune(n), err == nil
}

// invisible are the names that HTML has for such characters, but for "it", "ic" and
// "af": what follows "&" in C++ has these names more often.
var invisible = map[string]rune{
	"ApplyFunction": 0x2061, "InvisibleComma": 0x2063, "InvisibleTimes": 0x2062, "NegativeMediumSpace": 0x200b, "NegativeThickSpace": 0x200b,
	"NegativeThinSpace": 0x200b, "NegativeVeryThinSpace": 0x200b, "NoBreak": 0x2060, "ZeroWidthSpace": 0x200b, "lrm": 0x200e, "rlm": 0x200f,
	"shy": 0xad, "zwj": 0x200d, "zwnj": 0x200c,
}
