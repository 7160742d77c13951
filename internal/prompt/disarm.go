package prompt

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// disarm takes the form from whatever could be read as an end: of a fence, of any
// nonce, also in look-alike letters; or of a turn, by the marks of chat templates, as
// <|im_start|>, at which a server that does not escape them would begin a new one. It
// looks at each opening bracket once, and from none past the next one.
func (f Fence) disarm(text string) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c != '<' && c != '[' && c < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if harmless, length := mark(r, text[i:], size); length > 0 {
			b.WriteString(text[from:i])
			b.WriteString(harmless)
			i += length
			from = i
			continue
		}
		i += size
	}
	if from > 0 {
		text = b.String() + text[from:]
	}
	return f.Forget(text)
}

// mark gives what to write in place of a mark that begins with the bracket r, and how
// long that is.
func mark(r rune, text string, size int) (harmless string, length int) {
	if r == '<' || r == '[' {
		if inside, length := turnMark(text); length > 0 {
			return "(" + inside + ")", length
		}
	}
	if r != '[' && strings.ContainsRune(openers, r) && fenceWord(text[size:]) {
		return "(", size
	}
	return "", 0
}

// turnMark is the inside of a mark that a text begins with, and the length of it all.
func turnMark(text string) (inside string, length int) {
	begin, end, words := "<", ">", angled
	switch {
	case text[0] == '[':
		begin, end, words = "[", "]", squared
	case strings.HasPrefix(text, "<<"):
		begin, end, words = "<<", ">>", doubled
	}
	inside, _, ok := strings.Cut(text[len(begin):min(len(text), longestMark)], end)
	if !ok || inside == "" {
		return "", 0
	}
	word := strings.ToLower(strings.TrimPrefix(inside, "/"))
	if slices.Contains(words, word) || begin == "<" && barred(inside) {
		return inside, len(begin) + len(inside) + len(end)
	}
	return "", 0
}

// The words in marks of Gemma, Mistral and Llama 2.
var (
	angled  = []string{"start_of_turn", "end_of_turn"}
	squared = []string{"inst", "available_tools", "tool_calls", "tool_results", "system_prompt"}
	doubled = []string{"sys"}
)

const longestMark = 200

// barred is what stands in marks of ChatML and its kin, and of DeepSeek, whose bars are
// wide.
func barred(inside string) bool {
	first, size := utf8.DecodeRuneInString(inside)
	last, end := utf8.DecodeLastRuneInString(inside)
	return (first == '|' || first == '｜') && (last == '|' || last == '｜') && len(inside) > size+end &&
		!strings.ContainsAny(inside[size:len(inside)-end], "<>|｜ \t\n")
}

// openers are what UTS 39 and NFKC take for "<", and brackets of that form.
const openers = "<＜﹤‹˂ᐸᚲ❮𝈶〈〈⟨❬❰⧼«《"

// fenceWord tells whether a text begins with the name of a fence, as of an opening or
// an ending one.
func fenceWord(text string) bool {
	const name = "untrusted"
	n := 0
	for _, r := range text {
		switch {
		case n == 0 && (unicode.IsSpace(r) || strings.ContainsRune(`/\／∕⁄`, r)), unicode.In(r, unicode.Mn, unicode.Me):
		case latin(r) == rune(name[n]):
			if n++; n == len(name) {
				return true
			}
		default:
			return false
		}
	}
	return false
}

// latin is the small letter that a character looks like.
func latin(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return unicode.ToLower(r)
	case 'Ａ' <= r && r <= 'Ｚ', 'ａ' <= r && r <= 'ｚ':
		return unicode.ToLower(r) - 'ａ' + 'a'
	case 0x1d400 <= r && r <= 0x1d6a3: // thirteen mathematical alphabets
		return (r-0x1d400)%26 + 'a'
	case 'Ⓐ' <= r && r <= 'ⓩ':
		return (r-'Ⓐ')%26 + 'a'
	}
	for letter, like := range lookalikes {
		if strings.ContainsRune(like, r) {
			return letter
		}
	}
	return r
}

// lookalikes are for the letters of a fence's name, from Unicode's confusables.txt.
var lookalikes = map[rune]string{
	'u': "υսʋᴜꞟᥙ", 'n': "ոռпΝ", 't': "тТτΤᴛ", 'r': "гᴦⲅꭇ", 's': "ѕЅꜱƽſ", 'e': "еЕΕҽ℮", 'd': "ԁᑯꓒԀ",
}

// Forget takes the nonce, in upper or lower case, out of a text that leaves the run, as
// the answer of a model that repeated it. What it puts in has characters that no nonce
// has, so it cannot make a new one.
func (f Fence) Forget(text string) string {
	if f.nonce == "" {
		return text
	}
	var b strings.Builder
	from := 0
	for i := 0; i+len(f.nonce) <= len(text); {
		if text[i]|0x20 != f.nonce[0]|0x20 || !strings.EqualFold(text[i:i+len(f.nonce)], f.nonce) {
			i++
			continue
		}
		b.WriteString(text[from:i] + "(…)")
		i += len(f.nonce)
		from = i
	}
	return b.String() + text[from:]
}
