package code

import (
	"runtime"
	"sync"
)

// byName lists the places of each name.
type byName struct {
	ids   map[string]int32
	lists [][]place
}

func (b *byName) of(name string) []place {
	if id, ok := b.ids[name]; ok {
		return b.lists[id]
	}
	return nil
}

// all reads the references and hints of all files, which takes longer than the rest of
// opening an index does, when the first question needs them.
func (x *Index) all() {
	x.reading.Do(func() {
		late := map[*facts]bool{}
		for _, f := range x.files {
			if f.second != "" {
				late[f.facts] = true
			}
		}
		work := make(chan *facts, len(late))
		for f := range late {
			work <- f
		}
		close(work)
		var reading sync.WaitGroup
		for range runtime.GOMAXPROCS(0) {
			reading.Go(func() {
				for f := range work {
					f.decodeSecond() //nolint:errcheck // it cannot be damaged, see builder.known
				}
			})
		}
		reading.Wait()
		x.used = x.invert(func(f *file) int { return len(f.refs) },
			func(f *file, i int) uint32 { return f.refs[i].name }, func(f *file, w uint32) string { return f.words[w] })
	})
}

// refs are the places that name a name.
func (x *Index) refs(name string) []place {
	x.all()
	return x.used.of(name)
}

// invert lists the places of each name. All lists are parts of one array, and a
// word of a file is looked up once: with a map of growing lists it takes five times
// as long.
func (x *Index) invert(count func(*file) int, word func(*file, int) uint32, text func(*file, uint32) string) byName {
	total := 0
	for i := range x.files {
		total += count(&x.files[i])
	}
	ids, counts := make(map[string]int32, total/4), []int32(nil)
	names := make([]int32, 0, total) // the number of the name at each place
	var here []int32                 // of the words of a file, one more than it
	for i := range x.files {
		f := &x.files[i]
		here = append(here[:0], make([]int32, max(len(f.words), len(f.defs)))...)
		for k := range count(f) {
			w := word(f, k)
			if here[w] == 0 {
				n := text(f, w)
				id, ok := ids[n]
				if !ok {
					id = int32(len(counts))
					ids[n] = id
					counts = append(counts, 0)
				}
				here[w] = id + 1
			}
			counts[here[w]-1]++
			names = append(names, here[w]-1)
		}
	}
	return byName{ids, x.placed(count, counts, names)}
}

func (x *Index) placed(count func(*file) int, counts, names []int32) [][]place {
	lists, at := lists(counts, len(names)), 0
	for i := range x.files {
		for k := range count(&x.files[i]) {
			id := names[at]
			lists[id] = append(lists[id], place{int32(i), int32(k)})
			at++
		}
	}
	return lists
}

// lists are empty slices with room for the counts, in one array.
func lists(counts []int32, total int) [][]place {
	all, out, at := make([]place, total), make([][]place, len(counts)), 0
	for i, c := range counts {
		out[i] = all[at : at : at+int(c)]
		at += int(c)
	}
	return out
}
