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
	"github.com/repomind/repomind/rag"
)

// gatherRAG finds code by retrieval, and adds who calls it and what it stands on.
func (n nodes) gatherRAG(ctx context.Context, g gathering, place *place.Place) (update, error) {
	x, err := place.Index(ctx)
	if err != nil {
		return nil, err
	}
	q := g.query()
	var u update
	if models, ok := n.models(g.state()); ok {
		if q.Code, u, err = n.hypothesis(ctx, x, q, models.Small); err != nil {
			return nil, err
		}
	}
	o := place.Search
	o.Symbols, o.Chunks = manyFound, manyFound // each file is to have its best ones
	res, err := x.Search(ctx, q, o)
	if err != nil {
		return nil, err
	}
	u = append(u, spent("gather rag", res.Usage)...)
	part := Part{Source: FromRAG, Ranking: rankingOf(res)}
	for _, note := range res.Notes {
		u = append(u, fWarnings.Set([]string{"retrieval: " + note}))
	}
	if !g.NoModel { // nobody else reads it
		if err := n.showFound(ctx, x, place, res, &part); err != nil {
			return nil, err
		}
	}
	return append(u, fParts.Set([]Part{part})), nil
}

// manyFound is enough for the first files to have theirs among them.
const manyFound = 100

// The model is shown the best chunks before it asks, a few of one file: enough to begin
// at, in several places.
const (
	maxShown  = 10
	maxOfFile = 3
)

func spread(all []rag.Chunk) (out []rag.Chunk) {
	of := map[string]int{}
	for _, c := range all {
		if of[c.Span.Path]++; of[c.Span.Path] <= maxOfFile && len(out) < maxShown {
			out = append(out, c)
		}
	}
	return out
}

// showFound writes down the best chunks, their callers, and the libraries they use.
func (n nodes) showFound(ctx context.Context, x *rag.Index, place *place.Place, res rag.Result, part *Part) error {
	found, err := x.Context(ctx, spread(res.Chunks), contextTokens)
	if err != nil {
		return err
	}
	for _, e := range found.Excerpts {
		text := snip.Numbered(e.Span.Start, strings.Split(strings.TrimSuffix(e.Text, "\n"), "\n"))
		part.Pieces = append(part.Pieces, Piece{Span: e.Span, Text: text, Why: e.Cut, Source: FromRAG})
	}
	idx, err := place.Code(ctx)
	if err != nil {
		return err
	}
	part.Notes = append(callers(idx, res.Symbols), libraries(ctx, idx, place, res.Files)...)
	return nil
}

const (
	maxCalled  = 4 // definitions whose callers are listed
	maxCallers = 5 // of each
)

// callers says who uses the definitions that were found.
func callers(idx *code.Index, symbols []rag.Symbol) (notes []string) {
	for _, s := range symbols[:min(len(symbols), maxCalled)] {
		sym, ok := idx.Symbol(s.Path + ":" + s.Name)
		if !ok {
			continue
		}
		var at []string
		for _, ref := range idx.Callers(sym) {
			if ref.Confident && source.RoleOf(ref.Path) == source.Code && len(at) < maxCallers {
				at = append(at, located(source.Span{Path: ref.Path, Start: ref.Line}, ref.In.Qualified))
			}
		}
		if len(at) > 0 {
			notes = append(notes, fmt.Sprintf("%s is used in %s", located(s.Span, s.Name), strings.Join(at, ", ")))
		}
	}
	return notes
}

// maxImporting is how many of the files that were found have their libraries listed.
const maxImporting = 5

// libraries says which libraries the files that were found stand on.
func libraries(ctx context.Context, idx *code.Index, place *place.Place, files []rag.File) []string {
	if place.Libraries == nil {
		return nil
	}
	all, err := place.Libraries(ctx)
	if err != nil {
		return nil
	}
	var paths, names []string
	for _, f := range files[:min(len(files), maxImporting)] {
		paths = append(paths, f.Path)
	}
	for _, lib := range all.Imported(idx, paths) {
		names = append(names, strings.TrimSpace(lib.Name+" "+lib.Version()))
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) == 0 {
		return nil
	}
	return []string{"They use these libraries, which fetch_dependency can look into: " + strings.Join(names[:min(len(names), 12)], ", ")}
}
