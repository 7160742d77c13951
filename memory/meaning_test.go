package memory_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/memory"
)

// faulty is a store and an encoder that fail when they are told to.
type faulty struct {
	vector.Store
	open    error
	encode  error
	spoil   func([][]float32) [][]float32
	encoded int
}

func (f *faulty) Open(ctx context.Context, k vector.Key, dim int) (vector.Collection, error) {
	if f.open != nil {
		return nil, f.open
	}
	return f.Store.Open(ctx, k, dim)
}

func (f *faulty) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	f.encoded += len(texts)
	if f.encode != nil {
		return nil, f.encode
	}
	all, err := wordHash{}.Encode(ctx, texts)
	if f.spoil != nil {
		all = f.spoil(all)
	}
	return all, err
}

func newFaulty(t *testing.T) (*faulty, *env) {
	f := &faulty{Store: flat.Open(flat.Config{Dir: t.TempDir()})}
	e := newEnv(t, memory.Config{Encoder: f, Model: "wordhash", Vectors: f})
	e.save(lesson("a", "Gzip reader drops members"), lesson("b", "Scheduler starts a job twice"))
	return f, e
}

// collection opens the vectors of a repository.
func (e *env) collection(s vector.Store, model string) vector.Collection {
	e.Helper()
	all, err := s.List(e.Context())
	e.must(err)
	for _, c := range all {
		if strings.HasSuffix(c.Key.Repo, " "+repo) && c.Model == model {
			kept, err := s.Open(e.Context(), c.Key, c.Dim)
			e.must(err)
			e.Cleanup(func() { kept.Close() })
			return kept
		}
	}
	e.Fatalf("no collection of %s by %s among %v", repo, model, all)
	return nil
}

func (e *env) count(s vector.Store, model string) int {
	e.Helper()
	n, err := e.collection(s, model).Count(e.Context())
	e.must(err)
	return n
}

func TestVectorsAreMadeWhenTheyAreWanted(t *testing.T) {
	f, e := newFaulty(t)
	if f.encoded > 0 {
		t.Error("a save encodes")
	}
	e.equal(e.runs(ask("gzip reader drops members")), []string{"a"})
	e.equal(f.encoded, 6+1+2) // to know the encoder, the question, the lessons
	e.equal(e.runs(ask("gzip reader drops members")), []string{"a"})
	e.equal(f.encoded, 10)
	again := lesson("a", "Partition of Kafka keys")
	e.save(again, lesson("c", "Gzip reader"))
	e.equal(e.runs(ask("partition of kafka keys")), []string{"a"})
	e.equal(f.encoded, 13)
	e.equal(e.count(f, "wordhash"), 3)
}

// TestKindsShareACollection: a recall of one leaves the vectors of the other.
func TestKindsShareACollection(t *testing.T) {
	f, e := newFaulty(t)
	review := lesson("review", "Gzip reader drops members")
	review.Kind = memory.Review
	e.save(review)
	q := ask("gzip reader drops members")
	q.Kind = memory.Review
	e.equal(e.runs(q), []string{"review"})
	e.equal(e.runs(ask(q.Title)), []string{"a"})
	e.equal(e.count(f, "wordhash"), 3)
	before := f.encoded
	e.equal(e.runs(q), []string{"review"})
	e.equal(f.encoded, before+1)
}

func TestNothingIsEncodedWhereNothingIsKnown(t *testing.T) {
	f, e := newFaulty(t)
	q := ask("gzip reader")
	q.Repo = "github.com/o/new"
	e.equal(e.runs(q), []string(nil))
	e.equal(f.encoded, 0)
}

func TestAnotherStoreIsFilledAgain(t *testing.T) {
	f, e := newFaulty(t)
	e.equal(e.runs(ask("gzip reader drops members")), []string{"a"})
	f.Store = flat.Open(flat.Config{Dir: t.TempDir()})
	e.equal(e.runs(ask("gzip reader drops members")), []string{"a"})
	e.equal(e.count(f, "wordhash"), 2)
}

// TestVectorsThatFailLeaveWords: the same lessons as without vectors, and a note.
func TestVectorsThatFailLeaveWords(t *testing.T) {
	boom := errors.New("boom")
	for name, tt := range map[string]struct {
		fail func(*faulty)
		says string
	}{
		"server":       {func(f *faulty) { f.open = fmt.Errorf("chroma: %w", vector.ErrUnavailable) }, "open the vectors of " + repo + ": chroma: unavailable"},
		"encoder":      {func(f *faulty) { f.encode = boom }, "try the encoder: boom"},
		"too few":      {func(f *faulty) { f.spoil = func(v [][]float32) [][]float32 { return v[1:] } }, "try the encoder: wordhash gave 5 vectors for 6 texts"},
		"none":         {func(f *faulty) { f.spoil = func(v [][]float32) [][]float32 { return nil } }, "try the encoder: wordhash gave 0 vectors for 6 texts"},
		"not a number": {func(f *faulty) { f.spoil = func(v [][]float32) [][]float32 { v[0][3] = float32(math.NaN()); return v } }, "try the encoder: wordhash gave no vector: a vector that is zero or not finite"},
		"uneven":       {func(f *faulty) { f.spoil = func(v [][]float32) [][]float32 { v[0] = v[0][1:]; return v } }, "try the encoder: wordhash gave no vector: a vector of 256 numbers, want 255"},
	} {
		t.Run(name, func(t *testing.T) {
			f, e := newFaulty(t)
			good := *f
			tt.fail(f)
			got := e.recall(ask("gzip reader drops members"))
			e.equal(names(got), []string{"a"})
			if len(got.Notes) != 1 || !strings.HasPrefix(got.Notes[0], "earlier lessons were compared by words alone: "+tt.says) {
				t.Errorf("notes %q, want one that says %q", got.Notes, tt.says)
			}
			e.save(lesson("c", "Tooltips overlap in the bar chart"))
			*f = good
			e.equal(e.runs(ask("Tooltips overlap in the bar chart")), []string{"c"})
			e.equal(e.count(f, "wordhash"), 3)
		})
	}
}

// TestUselessCollectionIsMadeAnew: one of another length, or a broken one, would be in the
// way for ever.
func TestUselessCollectionIsMadeAnew(t *testing.T) {
	f, e := newFaulty(t)
	e.equal(e.runs(ask("gzip reader drops members")), []string{"a"})
	f.spoil = func(all [][]float32) [][]float32 {
		for i, v := range all {
			all[i] = v[:128]
		}
		return all
	}
	got := e.recall(ask("gzip reader drops members"))
	if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "wrong dimension") {
		t.Errorf("notes %q", got.Notes)
	}
	e.equal(names(got), []string{"a"})
	e.equal(e.runs(ask("gzip reader drops members")), []string{"a"})
	e.equal(e.count(f, "wordhash"), 2)
}

func TestManyVectorsAreMadeInParts(t *testing.T) {
	f, e := newFaulty(t)
	for i := range 70 {
		e.save(lesson(fmt.Sprint("run", i), fmt.Sprintf("Lesson on number%d", i)))
	}
	got := e.recall(ask("gzip reader drops members"))
	e.equal(names(got), []string{"a"}) // among the oldest, and so by words
	e.equal(got.Notes, []string{"8 earlier lessons have no vectors yet and were compared by words alone"})
	e.equal(e.count(f, "wordhash"), 64)
	e.equal(e.runs(ask("gzip reader drops members")), []string{"a"})
	e.equal(e.count(f, "wordhash"), 72)
}

func TestVectorsGoWithTheirLessons(t *testing.T) {
	f, e := newFaulty(t)
	other := lesson("other", "Gzip")
	other.Repo = "github.com/o/other"
	e.save(other)
	e.equal(e.runs(ask("gzip reader drops members")), []string{"a"})
	second := e.cfg
	second.Model = "another model"
	index := vector.Key{Repo: repo, Model: "wordhash"} // of the code, which is not ours
	kept, err := f.Store.Open(t.Context(), index, 3)
	e.must(err)
	e.must(kept.Close())
	e.reopen(second)
	e.equal(e.runs(ask("gzip reader drops members")), []string{"a"})

	_, err = e.Forget(t.Context(), memory.Filter{ID: 1})
	e.must(err)
	e.equal(e.count(f, "wordhash"), 1)
	e.equal(e.count(f, "another model"), 1)

	e.reopen(memory.Config{}) // a process that knows of no vectors
	_, err = e.Forget(t.Context(), memory.Filter{ID: 2})
	e.must(err)
	e.save(lesson("c", "Tooltips"))
	e.reopen(second)
	e.equal(e.runs(ask("tooltips")), []string{"c"})
	e.equal(e.count(f, "another model"), 1)

	_, err = e.Forget(t.Context(), memory.Filter{Repo: repo})
	e.must(err)
	all, err := f.List(t.Context())
	e.must(err)
	e.equal(all, []vector.Info{{Key: index, Dim: 3}})
}

func TestForgetSaysThatVectorsStay(t *testing.T) {
	f, e := newFaulty(t)
	e.equal(e.runs(ask("gzip reader drops members")), []string{"a"})
	f.open = vector.ErrUnavailable
	n, err := e.Forget(t.Context(), memory.Filter{ID: 1})
	e.refused(err, vector.ErrUnavailable)
	e.equal(n, 1)
	if !strings.HasPrefix(err.Error(), "1 lessons are forgotten, but not their vectors: ") {
		t.Errorf("got %v", err)
	}
	f.open = nil
	e.equal(e.runs(ask("scheduler starts a job twice")), []string{"b"})
	e.equal(e.count(f, "wordhash"), 1)
}

// TestFilesOfTwoProgramsShareAStore: each has its own lessons there.
func TestFilesOfTwoProgramsShareAStore(t *testing.T) {
	cfg := flatConfig(t)
	one, two := newEnv(t, cfg), newEnv(t, cfg)
	one.save(lesson("one", "Gzip reader drops members"))
	two.save(lesson("two", "Scheduler starts a job twice"))
	one.equal(one.runs(ask("Gzip reader drops members")), []string{"one"})
	two.equal(two.runs(ask("Gzip reader drops members")), []string(nil))
	_, err := two.Clear(t.Context())
	two.must(err)
	one.equal(one.count(cfg.Vectors, "wordhash"), 1)
}
