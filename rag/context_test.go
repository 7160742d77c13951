package rag_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag"
)

// lengthy is a function of so many lines.
func lengthy(name string, lines int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "def %s(x):\n", name)
	for i := range lines - 1 {
		fmt.Fprintf(&b, "    x = marmalade(x, %d, \"some words to fill the line\")\n", i)
	}
	return b.String()
}

func TestContext(t *testing.T) {
	r := repotest.New(t)
	r.Write("a.py", lengthy("first", 200)+"\n\n"+lengthy("second", 20))
	r.Commit("")
	x := open(t, snapshot(t, clone(t, r), r.Commits[0]), "").index
	span := func(start, end int) source.Span { return source.Span{Path: "a.py", Start: start, End: end} }
	part := rag.Chunk{Span: span(41, 80), Symbol: "first", Part: 2, Parts: 5}
	next := rag.Chunk{Span: span(81, 120), Symbol: "first", Part: 3, Parts: 5}
	short := rag.Chunk{Span: span(203, 222), Symbol: "second"}
	of := func(s source.Span) int {
		text, err := x.Text(t.Context(), s)
		must(t, err)
		return prompt.Estimate(text)
	}
	const cut = "a part of first, which has lines 1 to 200"
	for _, tt := range []struct {
		name   string
		chunks []rag.Chunk
		budget int
		want   []string
		left   []source.Span
	}{
		{"nothing", nil, 1000, nil, nil},
		{"a part becomes the whole", []rag.Chunk{part, next}, 4 * of(span(1, 200)), []string{"a.py:1-200 "}, nil},
		{"a part that stays one", []rag.Chunk{part}, 2 * of(span(1, 200)), []string{"a.py:41-80 " + cut}, nil},
		{"parts that touch", []rag.Chunk{part, short, next}, 2 * of(span(1, 200)),
			[]string{"a.py:41-120 " + cut, "a.py:203-222 "}, nil},
		{"no room for the first", []rag.Chunk{part, short}, of(span(203, 222)), []string{"a.py:203-222 "}, []source.Span{part.Span}},
		{"room for none", []rag.Chunk{part, short}, 0, nil, []source.Span{part.Span, short.Span}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, err := x.Context(t.Context(), tt.chunks, tt.budget)
			must(t, err)
			var got []string
			tokens := 0
			for _, e := range c.Excerpts {
				got = append(got, e.Span.String()+" "+e.Cut)
				tokens += of(e.Span)
				if want, err := x.Text(t.Context(), e.Span); err != nil || e.Text != want {
					t.Errorf("%s holds other lines", e.Span)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.left, c.Left); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
			if c.Tokens != tokens || tokens > tt.budget {
				t.Errorf("%d tokens, counted %d, budget %d", c.Tokens, tokens, tt.budget)
			}
		})
	}
}

// TestContextJoinsAll: an excerpt that touches two makes one of the three, once.
func TestContextJoinsAll(t *testing.T) {
	r := repotest.New(t)
	r.Write("a.py", lengthy("only", 200))
	r.Commit("")
	x := open(t, snapshot(t, clone(t, r), r.Commits[0]), "").index
	at := func(start, end int) rag.Chunk {
		return rag.Chunk{Span: source.Span{Path: "a.py", Start: start, End: end}}
	}
	c, err := x.Context(t.Context(), []rag.Chunk{at(1, 10), at(40, 50), at(11, 39)}, 100_000)
	must(t, err)
	text, err := x.Text(t.Context(), source.Span{Path: "a.py", Start: 1, End: 50})
	must(t, err)
	want := rag.Context{Excerpts: []rag.Excerpt{{Span: source.Span{Path: "a.py", Start: 1, End: 50}, Text: text}}, Tokens: prompt.Estimate(text)}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
