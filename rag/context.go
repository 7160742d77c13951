package rag

import (
	"context"
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/source"
)

// Context is code for a model to read.
type Context struct {
	Excerpts []Excerpt // the best first
	Tokens   int       // estimated, of all texts; at most the budget
	Left     []source.Span
}

// Excerpt is a run of lines, whole definitions where that was possible.
type Excerpt struct {
	Span source.Span
	Text string
	// Cut says of which definition this is a part, and which lines the whole has. ""
	// means that nothing is cut.
	Cut string
}

// Context packs chunks into a budget of tokens, the best first. Those that touch are one
// excerpt. A part of a long definition becomes all of it if that takes no more than a
// quarter of the budget, else the excerpt says what it is a part of. A chunk that has no
// room is in Left, and the next one is tried.
func (x *Index) Context(ctx context.Context, chunks []Chunk, budget int) (Context, error) {
	var out Context
	for _, c := range chunks {
		if slices.ContainsFunc(out.Excerpts, func(e Excerpt) bool { return holds(e.Span, c.Span) }) {
			continue
		}
		placed, err := x.add(ctx, &out, c, budget, budget/4)
		if err == nil && !placed && c.Parts > 1 {
			placed, err = x.add(ctx, &out, c, budget, 0) // as it is
		}
		if err != nil {
			return Context{}, err
		}
		if !placed {
			out.Left = append(out.Left, c.Span)
		}
	}
	return out, nil
}

// add places a chunk, or its definition if that has no more tokens than most.
func (x *Index) add(ctx context.Context, out *Context, c Chunk, budget, most int) (bool, error) {
	e, err := x.excerpt(ctx, c, most)
	if err != nil {
		return false, err
	}
	return x.place(ctx, out, e, budget)
}

func holds(all, part source.Span) bool {
	return all.Path == part.Path && all.Start <= part.Start && all.End >= part.End
}

// excerpt is a chunk, or the definition that it is a part of.
func (x *Index) excerpt(ctx context.Context, c Chunk, most int) (Excerpt, error) {
	text, err := x.Text(ctx, c.Span)
	if err != nil || c.Parts < 2 {
		return Excerpt{Span: c.Span, Text: text}, err
	}
	whole, ok := x.whole(c)
	if !ok {
		return Excerpt{c.Span, text, "a part of " + c.Symbol}, nil
	}
	all, err := x.Text(ctx, whole)
	if err != nil {
		return Excerpt{}, err
	}
	if prompt.Estimate(all) <= most {
		return Excerpt{Span: whole, Text: all}, nil
	}
	return Excerpt{c.Span, text, fmt.Sprintf("a part of %s, which has lines %d to %d", c.Symbol, whole.Start, whole.End)}, nil
}

// whole is the definition that a chunk is a part of.
func (x *Index) whole(c Chunk) (source.Span, bool) {
	files, _ := x.names.byPath(c.Span.Path)
	for _, f := range files {
		for _, s := range x.contents[f].symbols {
			span := source.Span{Path: x.tree.Files[f].Path, Start: int(s.start), End: int(s.end)}
			if s.name == c.Symbol && holds(span, c.Span) {
				return span, true
			}
		}
	}
	return source.Span{}, false
}

// place adds an excerpt if there is room, joined with all that it touches.
func (x *Index) place(ctx context.Context, out *Context, e Excerpt, budget int) (bool, error) {
	first, was := len(out.Excerpts), 0
	whole := e.Cut == ""
	var rest []Excerpt
	for i, o := range out.Excerpts {
		if !touches(o.Span, e.Span) {
			rest = append(rest, o)
			continue
		}
		first = min(first, i)
		was += prompt.Estimate(o.Text)
		if !whole || !holds(e.Span, o.Span) {
			e.Cut = both(e.Cut, o.Cut)
		}
		e.Span.Start, e.Span.End = min(e.Span.Start, o.Span.Start), max(e.Span.End, o.Span.End)
	}
	text, err := x.Text(ctx, e.Span)
	if err != nil {
		return false, err
	}
	e.Text = text
	if now := prompt.Estimate(text); out.Tokens+now-was <= budget {
		out.Tokens += now - was
		out.Excerpts = slices.Insert(rest, min(first, len(rest)), e)
		return true, nil
	}
	return false, nil
}

// both says of two excerpts in one what each is a part of.
func both(a, b string) string {
	switch {
	case a == "" || a == b:
		return b
	case b == "":
		return a
	}
	return a + "; " + b
}

func touches(a, b source.Span) bool {
	return a.Path == b.Path && a.Start <= b.End+1 && b.Start <= a.End+1
}
