package lexical

import (
	"math/bits"
	"math/rand/v2"
)

// dict numbers terms in the order in which they come. It is a table with open
// addressing. Where a term stands depends on a random factor, so that nobody can
// write words, or a Blob, that all want the same place (Dietzfelbinger et al., "A
// Reliable Randomized Algorithm for the Closest-Pair Problem", 1997: multiply, shift).
type dict struct {
	slots  []slot // a power of two
	n      int
	factor uint64
	shift  int
}

type slot struct {
	term Term
	id   uint32 // +1; 0 is free
}

func (d *dict) add(t Term) uint32 {
	if 2*d.n >= len(d.slots) {
		d.grow()
	}
	i := d.seek(t)
	if d.slots[i].id == 0 {
		d.n++
		d.slots[i] = slot{t, uint32(d.n)}
	}
	return d.slots[i].id - 1
}

func (d *dict) find(t Term) (uint32, bool) {
	if d.n == 0 {
		return 0, false
	}
	id := d.slots[d.seek(t)].id
	return id - 1, id != 0
}

// seek finds the slot of a term, or the free one where it would stand.
func (d *dict) seek(t Term) int {
	mask := len(d.slots) - 1
	i := int(uint64(t) * d.factor >> d.shift)
	for d.slots[i&mask].id != 0 && d.slots[i&mask].term != t {
		i++
	}
	return i & mask
}

func (d *dict) grow() {
	old := d.slots
	d.slots = make([]slot, max(256, 2*len(old)))
	d.factor = rand.Uint64() | 1
	d.shift = 65 - bits.Len(uint(len(d.slots)))
	for _, s := range old {
		if s.id != 0 {
			d.slots[d.seek(s.term)] = s
		}
	}
}
