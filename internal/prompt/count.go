package prompt

import (
	"unicode"
	"unicode/utf8"
)

// Count gives the number of tokens of a text. [Estimate] is one; package tiktoken has
// the exact ones of OpenAI's models.
type Count func(text string) int

// Estimate counts tokens by the shape of the text: about one for six letters of a word,
// three digits, two signs, an indentation, three letters of other scripts, and three for
// four Chinese characters. Of code and prose it says 10 to 20 % too much, of other
// scripts up to 30 %, of hashes 10 % too little: what is too long costs more than what
// is a little short.
func Estimate(text string) int {
	tokens, run, class := 0, 0, space
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		i += size
		if c := classOf(r); c != class {
			tokens += class.tokens(run)
			class, run = c, 0
		}
		run++
	}
	return tokens + class.tokens(run)
}

// class is a kind of character that a tokenizer keeps together.
type class int

const (
	space class = iota
	letter
	digit
	sign
	script // letters of other alphabets
	ideograph
	rare
)

func classOf(r rune) class {
	switch {
	case r == ' ' || r == '\n' || r == '\t' || r == '\r':
		return space
	case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
		return letter
	case '0' <= r && r <= '9':
		return digit
	case r < utf8.RuneSelf:
		return sign
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return ideograph
	case unicode.IsLetter(r):
		return script
	}
	return rare
}

// tokens is how many a run of n characters makes.
func (c class) tokens(n int) int {
	switch c {
	case space:
		return max(0, min(n-1, 1+n/40)) // a single space goes to the word that follows
	case letter:
		return (n + 5) / 6
	case digit:
		return (n + 2) / 3
	case sign:
		return (n + 1) / 2
	case script:
		return (n + 2) / 3
	case ideograph:
		return (3*n + 3) / 4
	}
	return 2 * n
}
