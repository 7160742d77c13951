package flat

import "math"

// table is what is known of each row without reading its vector.
type table struct {
	rows  map[string]int32 // the row of each item
	codes []code           // a dead row has a NaN as err: no bound reaches it
	ids   []string
	metas []string // encoded
	sums  []uint32 // of the float32
}

const (
	maxRows = 1 << 24
	maxLog  = 1 << 30
)

var dead = float32(math.NaN())

func (t *table) apply(entries []entry) {
	for _, e := range entries {
		if row, known := t.rows[e.id]; known {
			t.codes[row].err, t.ids[row], t.metas[row] = dead, "", ""
			delete(t.rows, e.id)
		}
		if e.op == opPut {
			t.rows[e.id] = int32(len(t.codes))
			t.codes = append(t.codes, e.code)
			t.ids = append(t.ids, e.id)
			t.metas = append(t.metas, e.meta)
			t.sums = append(t.sums, e.sum32)
		}
	}
}

func (t *table) live(row int) bool { return t.ids[row] != "" }

// waste says whether a compaction would halve the files, and be worth it.
func (t *table) waste() bool {
	dead := len(t.codes) - len(t.rows)
	return dead >= 4*segmentRows && dead > len(t.rows)
}
