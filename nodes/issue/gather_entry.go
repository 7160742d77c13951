package issue

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/place"
	"github.com/repomind/repomind/nodes/snip"
	"github.com/repomind/repomind/rag/clue"
)

type nameKind string

// Enum lists the kinds for the model.
func (nameKind) Enum() []string {
	return []string{"function", "attribute", "option", "package", "word"}
}

// called is a name of the issue's text, and what it is.
type called struct {
	Name string   `json:"name" jsonschema:"as the text has it, qualified where it is: Session.request"`
	Kind nameKind `json:"kind" jsonschema:"function: a function, method or class of the project that was called, configured or seen in a trace; attribute: a field or variable; option: a flag, setting or keyword argument; package: a library or module; word: an English word or anything else"`
}

type entries struct {
	Names []called `json:"names" jsonschema:"at most ten, the nearest to the fault first"`
}

const (
	maxEntries    = 8  // names that are followed
	maxMeanings   = 3  // definitions of one name; a name with more says little
	maxEntryLines = 70 // of one definition
)

// gatherEntry finds the definitions of what the user called.
func (n nodes) gatherEntry(ctx context.Context, g gathering, place *place.Place) (update, error) {
	idx, err := place.Code(ctx)
	if err != nil {
		return nil, err
	}
	names, u, err := n.entryNames(ctx, g)
	if err != nil {
		return nil, err
	}
	part := Part{Source: FromEntry}
	taken := map[string]bool{}
	for _, f := range g.Frames[:min(len(g.Frames), maxEntries)] {
		if sym, ok := idx.Enclosing(f.Span.Path, f.Span.Start); ok && !taken[sym.ID] {
			taken[sym.ID] = true
			part.add(ctx, place, sym, fmt.Sprintf("in the traceback, %s", depth(f.Depth)))
		}
	}
	for _, name := range names {
		for _, sym := range meanings(idx, name) {
			if len(part.Pieces) < maxEntries && !taken[sym.ID] {
				taken[sym.ID] = true
				part.add(ctx, place, sym, fmt.Sprintf("the issue names %s", snip.Clip(name, 100)))
			}
		}
	}
	return append(u, fParts.Set([]Part{part})), ctx.Err()
}

func depth(n int) string {
	if n == 0 {
		return "where it ends"
	}
	return fmt.Sprintf("%d above its end", n)
}

// entryNames are the names that the user called: as a model reads the issue, or those
// that look like code.
func (n nodes) entryNames(ctx context.Context, g gathering) (names []string, u update, err error) {
	s := g.state()
	if models, ok := n.models(s); ok {
		f, err := n.fence(ctx)
		if err != nil {
			return nil, nil, err
		}
		got, more, ok, err := ask[entries](ctx, f, "gather entry", models.Small, "find_entries", s.brief(f, 2000), 600)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range got.Names {
			if c.Kind == "function" || c.Kind == "attribute" {
				names = append(names, c.Name)
			}
		}
		if u = more; ok {
			return names, u, nil
		}
	}
	clues := clue.Read(g.Title, g.Body).Names
	slices.SortStableFunc(clues, func(a, b clue.Name) int { return int(a.Place) - int(b.Place) })
	for _, c := range clues {
		names = append(names, c.Text)
	}
	return names[:min(len(names), 3*maxEntries)], u, nil
}

// meanings are the definitions of a name in code of the project, none if there are too
// many to say anything.
func meanings(idx *code.Index, name string) (out []code.Symbol) {
	for _, sym := range idx.Definitions(name) {
		if source.RoleOf(sym.Span.Path) != source.Code {
			continue
		}
		if out = append(out, sym); len(out) > maxMeanings {
			return nil
		}
	}
	return out
}

// add shows a definition, its first lines if it is long. What cannot be read is not there.
func (p *Part) add(ctx context.Context, place *place.Place, sym code.Symbol, why string) {
	span := sym.Span
	cut := ""
	if span.Lines() > maxEntryLines && !calls(sym) {
		if p.outline(ctx, place, sym, why) {
			return
		}
	}
	if span.Lines() > maxEntryLines {
		cut = fmt.Sprintf("       … it goes on to line %d\n", span.End)
		span.End = span.Start + maxEntryLines - 1
	}
	lines, err := place.Snapshot.ReadLines(ctx, span.Path, span.Start, span.End)
	if err != nil {
		return
	}
	p.Pieces = append(p.Pieces, Piece{Span: span, Name: sym.Qualified, Text: snip.Numbered(span.Start, lines.Text) + cut, Why: why, Source: p.Source})
}

func calls(sym code.Symbol) bool { return sym.Kind == code.Function || sym.Kind == code.Method }

// outline shows the signatures of a long class in place of its first lines.
func (p *Part) outline(ctx context.Context, place *place.Place, sym code.Symbol, why string) bool {
	idx, err := place.Code(ctx)
	if err != nil {
		return false
	}
	file, ok := idx.File(sym.Span.Path)
	if !ok {
		return false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%5d  %s\n", sym.NameLine, sym.Signature)
	members := 0
	for _, m := range file.Symbols {
		inside := sym.Span.Start <= m.Span.Start && m.Span.End <= sym.Span.End && m.ID != sym.ID
		if !inside || !calls(m) {
			continue
		}
		if members++; members <= maxEntryLines/2 {
			fmt.Fprintf(&b, "%5d  … %s\n", m.NameLine, m.Signature)
		}
	}
	if members == 0 {
		return false
	}
	p.Pieces = append(p.Pieces, Piece{Span: sym.Span, Name: sym.Qualified, Text: b.String(), Why: why + "; its members alone", Source: p.Source, Outline: true})
	return true
}

// located is a place for a person: path:12 (Class.method).
func located(s source.Span, symbol string) string {
	if symbol == "" {
		return s.String()
	}
	return s.String() + " (" + strings.ReplaceAll(symbol, "\n", " ") + ")"
}
