package wordpiece

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// unicode.txt says what the tokenizers library (0.23) does with each character; it
// was made by asking it for every one, because its answers follow several versions
// of Unicode and neither Go's tables nor the standard give all of them.
//
//	drop  A-B        the characters vanish: controls, accents, private use
//	space A-B        they end a word
//	punct A-B        each stands alone
//	cjk   A-B        so do these
//	fold  A-B/N X    every Nth from A on becomes X, X+N, …
//	fold  A X Y …    A becomes these
//
//go:embed unicode.txt
var unicodeText string

// entry is a kind, and in the low bits the character that it becomes.
type entry uint32

const (
	letter entry = iota << 29
	space
	drop
	alone
	many   // the low bits are an index of table.many
	hangul // a syllable, which is taken apart by arithmetic
)

func (e entry) kind() entry { return e &^ (1<<29 - 1) }
func (e entry) rune() rune  { return rune(e & (1<<29 - 1)) }

// table says what becomes of each character. A page that is nil holds letters
// that stay as they are.
type table struct {
	ascii [128]entry
	pages [0x110000 >> 8]*[256]entry
	many  [][]rune
}

func (t *table) at(r rune) entry {
	page := t.pages[r>>8]
	if page == nil {
		return letter | entry(r)
	}
	return page[r&0xff]
}

func newTable() *table {
	t := &table{}
	t.each(0xAC00, 0xD7A3, 1, func(rune, entry) entry { return hangul })
	for line := range strings.Lines(unicodeText) {
		f := strings.Fields(line)
		if f[0] != "#" {
			t.apply(f)
		}
	}
	for c := range t.ascii {
		t.ascii[c] = t.at(rune(c))
	}
	return t
}

func (t *table) apply(f []string) {
	a, b, step := span(f[1])
	switch f[0] {
	case "drop":
		t.each(a, b, step, func(rune, entry) entry { return drop })
	case "space":
		t.each(a, b, step, func(rune, entry) entry { return space })
	case "punct", "cjk":
		t.each(a, b, step, func(_ rune, old entry) entry { return alone | entry(old.rune()) })
	case "fold":
		if len(f) > 3 {
			t.many = append(t.many, runes(f[2:]))
			t.each(a, b, step, func(rune, entry) entry { return many | entry(len(t.many)-1) })
			return
		}
		to := runes(f[2:])[0]
		t.each(a, b, step, func(r rune, old entry) entry { return t.becomes(old, to+r-a) })
	}
}

// becomes is the entry of a character that turns into to: it stands alone if it
// did, or if to does.
func (t *table) becomes(old entry, to rune) entry {
	if old.kind() == alone {
		return alone | entry(to)
	}
	return t.at(to).kind() | entry(to)
}

func (t *table) each(a, b, step rune, change func(rune, entry) entry) {
	for r := a; r <= b; r += step {
		page := t.pages[r>>8]
		if page == nil {
			page = new([256]entry)
			for i := range page {
				page[i] = letter | entry(r&^0xff) | entry(i)
			}
			t.pages[r>>8] = page
		}
		page[r&0xff] = change(r, page[r&0xff])
	}
}

// span reads "a", "a-b" or "a-b/n".
func span(s string) (a, b, step rune) {
	s, n, stepped := strings.Cut(s, "/")
	step = 1
	if stepped {
		step = number(n)
	}
	from, to, ok := strings.Cut(s, "-")
	if !ok {
		to = from
	}
	return number(from), number(to), step
}

func runes(f []string) []rune {
	r := make([]rune, 0, len(f))
	for _, s := range f {
		r = append(r, number(s))
	}
	return slices.Clip(r)
}

// number reads our own embedded file, so that a fault in it is one of the build.
func number(s string) rune {
	n, err := strconv.ParseUint(s, 16, 21)
	if err != nil {
		panic(fmt.Sprintf("wordpiece: unicode.txt: %v", err))
	}
	return rune(n)
}
