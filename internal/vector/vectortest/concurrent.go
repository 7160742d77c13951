package vectortest

import (
	"fmt"
	"sync"

	"github.com/repomind/repomind/internal/vector"
)

var concurrentTests = tests{
	{"readers see each write wholly or not at all", readers},
	{"many may open and write at once", writers},
}

const batch = 7

func readers(e *env) {
	c, other := e.collection(2), e.openKey(e.open(), key, 2)
	write := func(n int) error {
		var items []vector.Item
		for i := range batch {
			items = append(items, item(fmt.Sprintf("%d-%d", n, i), float32(n), float32(i+1)))
		}
		return c.Upsert(e.Context(), items)
	}
	e.must(write(0))
	done := make(chan struct{})
	var wait sync.WaitGroup
	for _, r := range []vector.Collection{c, other} {
		wait.Go(func() {
			for last := 0; ; {
				select {
				case <-done:
					return
				default:
				}
				found, err := r.Query(e.Context(), vector.Query{Vector: []float32{1, 1}, K: vector.MaxK})
				if err != nil || len(found)%batch != 0 || len(found) < last {
					e.Errorf("%d items after %d, %v", len(found), last, err)
					return
				}
				last = len(found)
			}
		})
	}
	for n := 1; n < 20 && !e.Failed(); n++ {
		if err := write(n); err != nil {
			e.Error(err)
		}
	}
	close(done)
	wait.Wait()
	e.equal(e.count(other), 20*batch)
}

func writers(e *env) {
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			c, err := e.open().Open(e.Context(), key, 1)
			if err != nil {
				e.Error(err)
				return
			}
			defer c.Close()
			for i := range 10 {
				if err := c.Upsert(e.Context(), []vector.Item{item(fmt.Sprintf("%d-%d", w, i), 1), item("shared", 1)}); err != nil {
					e.Error(err)
				}
			}
		})
	}
	wait.Wait()
	e.equal(e.count(e.collection(1)), 41)
}
