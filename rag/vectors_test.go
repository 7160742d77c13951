package rag_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/rag"
)

// topics is an encoder that knows three topics by words which have no letter in common.
type topics struct {
	texts [][]string // that it was asked for
	fail  error
}

func (t *topics) Name() string { return "topics" }
func (t *topics) Dim() int     { return 4 }

func (t *topics) Encode(_ context.Context, texts []string) ([][]float32, error) {
	t.texts = append(t.texts, texts)
	if t.fail != nil {
		return nil, t.fail
	}
	out := make([][]float32, len(texts))
	for i, s := range texts {
		v := []float32{.1, 0, 0, 0}
		for k, words := range [][]string{{"sluggish", "def legacy"}, {"socket", "def check(x)"}, {"bounds", "LOWEST"}} {
			if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) }) {
				v[k+1] = 1
			}
		}
		var length float64
		for _, x := range v {
			length += float64(x * x)
		}
		for k := range v {
			v[k] /= float32(math.Sqrt(length))
		}
		out[i] = v
	}
	return out, nil
}

func collection(t *testing.T) vector.Collection {
	t.Helper()
	c, err := flat.Open(flat.Config{Dir: t.TempDir()}).Open(t.Context(), vector.Key{Repo: "r", Model: "topics"}, 4)
	must(t, err)
	t.Cleanup(func() { c.Close() })
	return c
}

// TestVectors: chunks are encoded once, and what is kept serves the next query, another
// process, and the next commit but for what it changed.
func TestVectors(t *testing.T) {
	r := repotest.New(t, reader)
	r.Write("pkg/limits.py", "LOWEST = 0\nHIGHEST = 9\n")
	r.Commit("Lower the lowest")
	c := clone(t, r)
	kept := collection(t)
	q := rag.Query{Title: "Why sluggish?", Body: "The bounds are wrong."}
	for _, tt := range []struct {
		name   string
		commit int
		chunks int // that are encoded
	}{{"first", 0, 8}, {"again", 0, 0}, {"next commit", 1, 1}} {
		e := &topics{}
		x := open(t, snapshot(t, c, r.Commits[tt.commit]), "").index
		res, err := x.Search(t.Context(), q, rag.Options{Vectors: &rag.Vectors{Encoder: e, Kept: kept}})
		must(t, err)
		var encoded int
		for _, texts := range e.texts[1:] {
			encoded += len(texts)
		}
		if encoded != tt.chunks {
			t.Errorf("%s: %d chunks were encoded, want %d", tt.name, encoded, tt.chunks)
		}
		if diff := cmp.Diff([]string{"Why sluggish?", "bug: Why sluggish?\nThe bounds are wrong.\n"}, e.texts[0]); diff != "" {
			t.Errorf("%s: questions (-want +got):\n%s", tt.name, diff)
		}
		if !slices.Contains(res.Ran, "vectors topics") || len(res.Notes) > 0 {
			t.Errorf("%s: ran %q, notes %q", tt.name, res.Ran, res.Notes)
		}
		if got := x.Near(t.Context(), q, rag.Vectors{Encoder: e, Kept: kept}); got["old/io/reader.py"] != 1 || got["pkg/net.py"] != 0 || got["pkg/limits.py"] < .6 {
			t.Errorf("%s: near are %v", tt.name, got)
		}
	}
}

// TestWarm: all chunks of code are kept, and a query is answered from them.
func TestWarm(t *testing.T) {
	x := index(t, reader)
	v := rag.Vectors{Encoder: &topics{}, Kept: collection(t)}
	var last [2]int
	must(t, x.Warm(t.Context(), v, func(done, all int) { last = [2]int{done, all} }))
	n, err := v.Kept.Count(t.Context())
	must(t, err)
	if n != 6 || last != [2]int{6, 6} {
		t.Errorf("%d are kept, progress %v", n, last)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := x.Warm(ctx, rag.Vectors{Encoder: &topics{fail: context.Canceled}, Kept: collection(t)}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestVectorsThatFail: the search goes on without them, and says why.
func TestVectorsThatFail(t *testing.T) {
	x := index(t, reader)
	want := search(t, x, question)
	want.Notes = []string{"without vectors topics: embed the question: no server"}
	got, err := x.Search(t.Context(), question, rag.Options{Vectors: &rag.Vectors{Encoder: &topics{fail: errors.New("no server")}}})
	must(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
