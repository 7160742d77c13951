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
		e, err := x.excerpt(ctx, c, budget/4)
		if err != nil {
			return Context{}, err
		}
		if err := x.place(ctx, &out, e, c.Span, budget); err != nil {
			return Context{}, err
		}
	}
	return out, nil
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

// place adds an excerpt if there is room, joined with one that it touches.
func (x *Index) place(ctx context.Context, out *Context, e Excerpt, asked source.Span, budget int) error {
	was := 0
	at := slices.IndexFunc(out.Excerpts, func(o Excerpt) bool { return touches(o.Span, e.Span) })
	if at >= 0 {
		o := out.Excerpts[at]
		was = prompt.Estimate(o.Text)
		e.Span.Start, e.Span.End = min(e.Span.Start, o.Span.Start), max(e.Span.End, o.Span.End)
		if e.Cut == "" {
			e.Cut = o.Cut
		}
		var err error
		if e.Text, err = x.Text(ctx, e.Span); err != nil {
			return err
		}
	}
	now := prompt.Estimate(e.Text)
	if out.Tokens+now-was > budget {
		out.Left = append(out.Left, asked)
		return nil
	}
	out.Tokens += now - was
	if at < 0 {
		out.Excerpts = append(out.Excerpts, e)
	} else {
		out.Excerpts[at] = e
	}
	return nil
}

func touches(a, b source.Span) bool {
	return a.Path == b.Path && a.Start <= b.End+1 && b.Start <= a.End+1
}
