package embed

import (
	"context"
	"sync"

	"github.com/repomind/repomind/rag/embed/bert"
)

// crew runs a model on several goroutines, each with a session of its own. The
// sessions are kept from call to call.
type crew struct{ sessions chan *bert.Session }

func newCrew(m *bert.Model, c Config) crew {
	w := crew{sessions: make(chan *bert.Session, c.workers())}
	for range cap(w.sessions) {
		w.sessions <- m.Session()
	}
	return w
}

// share is how many tokens one goroutine takes at a time: enough to use the
// weights well, little enough that all end together.
const share = 256

// work does the sequences that begin at index from.
type work func(ctx context.Context, s *bert.Session, from int, seqs []bert.Sequence) error

// run makes n sequences and gives them to the work, some at a time, until all are
// done or one failed.
func (w crew) run(ctx context.Context, n int, sequence func(int) bert.Sequence, do work) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	feed := feeder{n: n, sequence: sequence}
	var all sync.WaitGroup
	for range min(cap(w.sessions), n) {
		all.Go(func() {
			if err := w.serve(ctx, &feed, do); err != nil {
				cancel(err)
			}
		})
	}
	all.Wait()
	return context.Cause(ctx)
}

func (w crew) serve(ctx context.Context, feed *feeder, do work) error {
	var s *bert.Session
	select {
	case s = <-w.sessions:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { w.sessions <- s }()
	for ctx.Err() == nil {
		from, seqs := feed.next()
		if len(seqs) == 0 {
			return nil
		}
		if err := do(ctx, s, from, seqs); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// feeder hands out the sequences in order. They are made as they are needed.
type feeder struct {
	mu       sync.Mutex
	at, n    int
	sequence func(int) bert.Sequence
}

func (f *feeder) next() (from int, seqs []bert.Sequence) {
	f.mu.Lock()
	defer f.mu.Unlock()
	from = f.at
	for tokens := 0; f.at < f.n && tokens < share; f.at++ {
		seq := f.sequence(f.at)
		tokens += len(seq.IDs)
		seqs = append(seqs, seq)
	}
	return from, seqs
}
