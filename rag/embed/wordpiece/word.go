package wordpiece

import "unicode/utf8"

// word collects the characters of one word in their normal form.
type word struct {
	t     *Tokenizer
	dst   []int32
	chars int
	n     int
	buf   [wordLimit * utf8.UTFMax]byte
}

func (w *word) ascii(c byte) {
	switch e := w.t.table.ascii[c]; e.kind() {
	case letter:
		if w.chars < wordLimit {
			w.buf[w.n] = byte(e)
			w.n++
		}
		w.chars++
	case space:
		w.flush()
	case alone:
		w.flush()
		w.alone(rune(c))
	}
}

func (w *word) rune(r rune) {
	e := w.t.table.at(r)
	switch e.kind() {
	case letter:
		w.add(e.rune())
	case space:
		w.flush()
	case alone:
		w.flush()
		w.alone(e.rune())
	case many:
		for _, r := range w.t.table.many[e.rune()] {
			w.rune(r)
		}
	case hangul:
		w.syllable(r - 0xAC00)
	}
}

// syllable adds a Hangul syllable as the letters it is made of (Unicode, 3.12).
func (w *word) syllable(s rune) {
	const vowels, finals = 21, 28
	w.add(0x1100 + s/(vowels*finals))
	w.add(0x1161 + s%(vowels*finals)/finals)
	if f := s % finals; f > 0 {
		w.add(0x11A7 + f)
	}
}

func (w *word) add(r rune) {
	if w.chars < wordLimit {
		w.n += utf8.EncodeRune(w.buf[w.n:], r)
	}
	w.chars++
}

func (w *word) alone(r rune) {
	w.add(r)
	w.flush()
}

// flush ends the word: its pieces, or one unknown token for all of it.
func (w *word) flush() {
	if w.chars == 0 {
		return
	}
	before := len(w.dst)
	if w.chars > wordLimit {
		w.dst = append(w.dst, w.t.unknown)
	} else if !w.split(w.buf[:w.n]) {
		w.dst = append(w.dst[:before], w.t.unknown)
	}
	w.chars, w.n = 0, 0
}

// split appends the longest piece that the word begins with, and so on with the
// rest; false if a rest begins with none.
func (w *word) split(rest []byte) bool {
	for from := startOfWord; len(rest) > 0; from = insideWord {
		n, id := w.t.pieces.longest(from, rest)
		if n == 0 {
			return false
		}
		w.dst = append(w.dst, id)
		rest = rest[n:]
	}
	return true
}
