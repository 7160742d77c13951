package rag

import (
	"runtime"
	"sync"

	"github.com/repomind/repomind/internal/source"
)

// workers work on the contents of files.
type workers struct {
	jobs chan job
	all  sync.WaitGroup
	mu   sync.Mutex
	out  map[string]made
}

// made is what is kept of a content: its record, and its words.
type made struct{ record, words string }

type job struct {
	file source.File
	data []byte
}

func newWorkers(do func(source.File, []byte) (string, made)) *workers {
	w := &workers{jobs: make(chan job, 2*runtime.GOMAXPROCS(0)), out: map[string]made{}}
	for range runtime.GOMAXPROCS(0) {
		w.all.Go(func() {
			for j := range w.jobs {
				k, v := do(j.file, j.data)
				w.mu.Lock()
				w.out[k] = v
				w.mu.Unlock()
			}
		})
	}
	return w
}

func (w *workers) add(f source.File, data []byte) {
	w.jobs <- job{f, data}
}

// wait gives what all of them made. Nothing may be added any more.
func (w *workers) wait() map[string]made {
	close(w.jobs)
	w.all.Wait()
	return w.out
}
