package memory_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/repomind/repomind/memory"
)

func TestForget(t *testing.T) {
	each(t, func(e *env) {
		other := lesson("other", "Gzip reader drops members")
		other.Repo = "github.com/o/other"
		review := lesson("review", "Gzip reader drops members")
		review.Kind = memory.Review
		e.save(lesson("a", "Gzip reader drops members"), lesson("b", "Gzip reader drops members"), other, review)
		e.equal(e.runs(ask("Gzip reader drops members")), []string{"b", "a"})

		forget := func(f memory.Filter, want int) {
			e.Helper()
			n, err := e.Forget(e.Context(), f)
			e.must(err)
			e.equal(n, want)
		}
		forget(memory.Filter{ID: 1}, 1)
		e.equal(e.runs(ask("Gzip reader drops members")), []string{"b"})
		forget(memory.Filter{ID: 1}, 0)
		forget(memory.Filter{ID: 2, Repo: other.Repo}, 0)
		forget(memory.Filter{Repo: repo, Kind: memory.Issue}, 1)
		e.equal(e.list(memory.Filter{}), []string{"review", "other"})
		forget(memory.Filter{Repo: other.Repo}, 1)
		_, err := e.Forget(e.Context(), memory.Filter{})
		e.refused(err, memory.ErrInvalid)
		e.equal(e.list(memory.Filter{}), []string{"review"})
		n, err := e.Clear(e.Context())
		e.must(err)
		e.equal(n, 1)
		e.equal(e.list(memory.Filter{}), []string(nil))
		e.save(lesson("c", "Gzip reader drops members"))
		e.equal(e.runs(ask("Gzip reader drops members")), []string{"c"})
	})
}

// TestForgottenTextIsNowhere: not in the file, and not in the log beside it.
func TestForgottenTextIsNowhere(t *testing.T) {
	e := newEnv(t, memory.Config{})
	for i := range 20 {
		l := lesson(fmt.Sprint("run", i), "Gzip")
		l.Text = strings.Repeat(fmt.Sprintf("canary%02d ", i%2), 900)
		if i%2 == 1 {
			l.Kind = memory.Review
		}
		e.save(l)
	}
	count := func(word string) (n int) {
		all, err := filepath.Glob(filepath.Join(filepath.Dir(e.path), "*"))
		e.must(err)
		for _, path := range all {
			data, err := os.ReadFile(path)
			e.must(err)
			n += strings.Count(string(data), word)
		}
		return n
	}
	if count("canary01") == 0 {
		t.Fatal("the text is not to be found before")
	}
	_, err := e.Forget(e.Context(), memory.Filter{Kind: memory.Review})
	e.must(err)
	if n := count("canary01"); n > 0 {
		t.Errorf("the text is there %d times", n)
	}
	if count("canary00") == 0 {
		t.Error("the other text went as well")
	}
}

// TestManyAtOnce is for the race detector, and for the locks of the file.
func TestManyAtOnce(t *testing.T) {
	each(t, func(e *env) {
		second, err := memory.Open(e.path, e.cfg)
		e.must(err)
		defer second.Close()
		errs := make(chan error, 100)
		var all sync.WaitGroup
		for w, s := range []*memory.Store{e.Store, second, e.Store, second} {
			all.Go(func() {
				for i := range 5 {
					errs <- s.Save(e.Context(), lesson(fmt.Sprintf("%d-%d", w, i), "Gzip reader drops members"))
					_, err := s.Recall(e.Context(), ask("Gzip reader drops members"))
					errs <- err
				}
				_, err := s.Forget(e.Context(), memory.Filter{ID: int64(w + 1)})
				errs <- err
			})
		}
		all.Wait()
		close(errs)
		for err := range errs {
			e.must(err)
		}
		e.equal(len(e.list(memory.Filter{})), 16)
		q := ask("Gzip reader drops members")
		q.Limit = 100
		e.equal(len(e.runs(q)), 16)
	})
}

func TestEndedContextEndsAll(t *testing.T) {
	each(t, func(e *env) {
		e.save(lesson("a", "Gzip reader drops members"))
		ctx, cancel := context.WithCancelCause(e.Context())
		cause := errors.New("the cause")
		cancel(cause)
		e.refused(e.Save(ctx, lesson("b", "Gzip")), cause)
		_, err := e.Recall(ctx, ask("Gzip reader drops members"))
		e.refused(err, cause)
		_, err = e.List(ctx, memory.Filter{})
		e.refused(err, cause)
		_, err = e.Clear(ctx)
		e.refused(err, cause)
		e.equal(e.runs(ask("Gzip reader drops members")), []string{"a"})
	})
}
