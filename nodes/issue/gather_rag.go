package issue

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag"
)

// gatherRAG finds code by retrieval, and adds who calls it and what it stands on.
func (n nodes) gatherRAG(ctx context.Context, g gathering, place *Place) (update, error) {
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

// hypothesis has a model write code that would hold the fault, to search with.
func (n nodes) hypothesis(ctx context.Context, x *rag.Index, q rag.Query, m llm.Model) (string, update, error) {
	first, err := x.Search(ctx, q, rag.Options{Files: 10, Symbols: -1, Chunks: -1})
	if err != nil {
		return "", nil, err
	}
	var names []string
	for _, f := range first.Files {
		names = append(names, f.Path)
	}
	f, err := n.fence(ctx)
	if err != nil {
		return "", nil, err
	}
	got, err := graph.Once(ctx, "hyde", func(ctx context.Context) (paid[string], error) {
		asker := rag.Asker{Model: &keyed{model: m, key: graph.Info(ctx).IdempotencyKey("hyde")}, Fence: f}
		text, usage, err := asker.Hypothesis(ctx, q, names)
		if unusable(err) {
			return paid[string]{Usage: usage, Fault: err.Error()}, nil
		}
		if err != nil {
			return paid[string]{}, &callError{usage, err}
		}
		return paid[string]{Value: text, Usage: usage}, nil
	})
	if err != nil {
		u, err := off(ctx, "gather rag", err)
		return "", u, err
	}
	return got.Value, spent("gather rag", got.Usage), nil
}

// keyed gives calls that have no key one of the task, and each its own.
type keyed struct {
	model llm.Model
	key   string
	calls atomic.Int32
}

// Generate implements llm.Model.
func (k *keyed) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	req.Key = fmt.Sprintf("%s.%d", k.key, k.calls.Add(1))
	return k.model.Generate(ctx, req)
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
func (n nodes) showFound(ctx context.Context, x *rag.Index, place *Place, res rag.Result, part *Part) error {
	found, err := x.Context(ctx, spread(res.Chunks), contextTokens)
	if err != nil {
		return err
	}
	for _, e := range found.Excerpts {
		text := numbered(e.Span.Start, strings.Split(strings.TrimSuffix(e.Text, "\n"), "\n"))
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
func libraries(ctx context.Context, idx *code.Index, place *Place, files []rag.File) []string {
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

// maxPlaces is how many places a report has.
const maxPlaces = 5

// rankingOf makes the list of places of what was found: the files in their order, so that
// it is never worse than the retriever's, each with the best definition in it, or the best
// lines where it has none.
func rankingOf(res rag.Result) *Ranking {
	r := &Ranking{Ran: res.Ran, Strong: strong(res)}
	for i, f := range res.Files[:min(len(res.Files), maxPlaces)] {
		l := report.Location{Path: f.Path, Rank: i + 1, Score: f.Score, Why: reasons(f.Why)}
		if j := bestIn(res.Symbols, f.Path); j >= 0 {
			l.Symbol, l.Start, l.End = res.Symbols[j].Name, res.Symbols[j].Span.Start, res.Symbols[j].Span.End
		} else if j := slices.IndexFunc(res.Chunks, func(c rag.Chunk) bool { return c.Span.Path == f.Path }); j >= 0 {
			l.Symbol, l.Start, l.End = res.Chunks[j].Symbol, res.Chunks[j].Span.Start, res.Chunks[j].Span.End
		}
		r.Places = append(r.Places, l)
	}
	return r
}

// bestIn is the best definition in a file, -1 for none: a function rather than the class
// around it, which says less.
func bestIn(all []rag.Symbol, path string) int {
	first := -1
	for i, s := range all {
		if s.Path != path {
			continue
		}
		if k := code.Kind(s.Kind); k == code.Function || k == code.Method {
			return i
		}
		if first < 0 {
			first = i
		}
	}
	return first
}
