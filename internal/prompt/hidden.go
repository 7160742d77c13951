package prompt

import (
	"unicode"
	"unicode/utf8"
)

// hidden covers what Unicode calls ignorable by default, in which tags, variation
// selectors and fillers are, and what else has no picture.
func hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f
	case chinese(r):
		return false
	case r == '\u2800' || r == '\U0001D159': // the empty Braille pattern, the note without a head
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, ignorable) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r) // signs around Arabic numbers, which have a picture
}

// chinese is a quick answer for what has neither hidden characters nor marks.
func chinese(r rune) bool { return '\u3400' <= r && r <= '\u9fff' }

// ignorable is reserved for such characters, most of it without any yet.
var ignorable = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0xfff0, Hi: 0xfff8, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}},
}

const (
	nonJoiner = '\u200c'
	joiner    = '\u200d'
	asText    = '\ufe0e'
	asEmoji   = '\ufe0f'
	keycap    = '\u20e3'
)

// joins tells whether a hidden character does its work between two others: a joiner
// after a letter that joins (the scripts of RFC 5892, appendix A), or between emoji, and
// the choice of an emoji's picture. It is never the second in a row, so that nothing
// can be written with them.
func joins(before, r, next rune) bool {
	switch r {
	case nonJoiner:
		return unicode.In(before, joining...)
	case joiner:
		return unicode.In(before, joining...) || (picture(before) || before == asEmoji) && picture(next)
	case asText, asEmoji:
		return picture(before) || next == keycap && (before == '#' || before == '*' || '0' <= before && before <= '9')
	}
	return false
}

var joining = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Nko, unicode.Mongolian, unicode.Phags_Pa, unicode.Adlam, unicode.Hanifi_Rohingya,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada,
	unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// picture holds for emoji and their like, skin tones among them.
func picture(r rune) bool {
	return '\u2190' <= r && r <= '\u21ff' || r >= '\u2100' && unicode.Is(unicode.So, r) && !hidden(r) || 0x1f3fb <= r && r <= 0x1f3ff
}
