package flat

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/repomind/repomind/internal/vector"
)

// nearest finds the exact answer: scans find the rows that can be in it by the
// bounds of their scores, and their exact scores, taken from the highest bound
// down, decide when no further row can matter.
func (g *generation) nearest(ctx context.Context, q vector.Query) ([]vector.Match, error) {
	p := newProbe(q.Vector, g.width)
	rows, err := g.candidates(ctx, &p, q)
	if err != nil {
		return nil, err
	}
	best, err := g.rescore(&p, rows, q.K)
	if err != nil {
		return nil, err
	}
	found := make([]vector.Match, len(best))
	for i, s := range best {
		found[i] = vector.Match{ID: strings.Clone(s.id), Score: min(max(s.score, -1), 1), Meta: decodeMeta(g.metas[s.row])}
	}
	return found, nil
}

// share is how many segments are worth a goroutine.
const share = 64

// candidates scans all rows, in parts at a time where there are many.
func (g *generation) candidates(ctx context.Context, p *probe, q vector.Query) ([]candidate, error) {
	all := segments(len(g.codes))
	parts := min(max(all/share, 1), runtime.GOMAXPROCS(0))
	scans := make([]scan, parts)
	var wait sync.WaitGroup
	for i := range scans {
		s := &scans[i]
		*s = scan{g: g, p: p, q: q, from: all * i / parts, to: all * (i + 1) / parts}
		wait.Go(func() { s.err = s.run(ctx) })
	}
	wait.Wait()
	var rows []candidate
	for _, s := range scans {
		if s.err != nil {
			return nil, s.err
		}
		rows = append(rows, s.rows...)
	}
	return rows, nil
}

type scored struct {
	id    string
	row   int
	score float64
}

// before is the order of an answer.
func (a scored) before(b scored) int {
	return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.id, b.id))
}

func (g *generation) rescore(p *probe, rows []candidate, k int) (best []scored, err error) {
	defer guard(&err)()
	slices.SortFunc(rows, func(a, b candidate) int { return cmp.Compare(b.most, a.most) })
	for _, c := range rows {
		if len(best) == k && c.most < best[k-1].score {
			break
		}
		v, err := g.row32(c.row)
		if err != nil {
			return nil, err
		}
		s := scored{g.ids[c.row], c.row, exact(p.unit, v)}
		at, _ := slices.BinarySearchFunc(best, s, scored.before)
		if at == k {
			continue
		}
		if len(best) == k {
			best = best[:k-1]
		}
		best = slices.Insert(best, at, s)
	}
	return best, nil
}
