package flat_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/flat"
	"github.com/repomind/repomind/internal/vector/vectortest"
)

var near = cmpopts.EquateApprox(0, 1e-6)

func TestQueryIsExact(t *testing.T) {
	for _, tt := range []struct{ n, dim, k int }{
		{1, 1, 1}, {300, 1, 10}, {255, 2, 10}, {257, 3, 40}, {1000, 31, 10}, {2000, 384, 10}, {600, 33, 600}, {20_000, 64, 25},
	} {
		t.Run(fmt.Sprintf("%d of %d", tt.n, tt.dim), func(t *testing.T) {
			items := vectortest.Clustered(tt.n, tt.dim)
			c := open(t, t.TempDir(), tt.dim)
			must(t, c.Upsert(t.Context(), items))
			for _, q := range vectortest.Queries(items, 10) {
				got, err := c.Query(t.Context(), vector.Query{Vector: q, K: tt.k})
				must(t, err)
				want := vectortest.Nearest(t, items, q, tt.k)
				if diff := cmp.Diff(want, got, near); diff != "" {
					t.Fatalf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

// Items that are nearly the same have scores that eight bits cannot tell apart.
func TestQueryIsExactAmongNearTwins(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	centre := vectortest.Gauss(r, 384, nil, 1)
	items := make([]vector.Item, 3000)
	for i := range items {
		items[i] = vector.Item{ID: fmt.Sprintf("%04d", i), Vector: vectortest.Gauss(r, 384, centre, 1e-3)}
	}
	c := open(t, t.TempDir(), 384)
	must(t, c.Upsert(t.Context(), items))
	for range 5 {
		q := vectortest.Gauss(r, 384, centre, 1e-3)
		got, err := c.Query(t.Context(), vector.Query{Vector: q})
		must(t, err)
		if diff := cmp.Diff(ids(vectortest.Nearest(t, items, q, 10)), ids(got)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

// What was deleted and replaced must not show, before a compaction or after it,
// nor keep others from being found.
func TestQueryIsExactAfterChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	dir := t.TempDir()
	c := open(t, dir, 16)
	model := map[string]vector.Item{}
	for round := range 30 {
		var puts []vector.Item
		for range 200 {
			it := vector.Item{ID: fmt.Sprint(r.IntN(1500)), Vector: vectortest.Gauss(r, 16, nil, 1), Meta: vector.Meta{"group": vector.Int(r.Int64N(5))}}
			puts = append(puts, it)
			model[it.ID] = it
		}
		must(t, c.Upsert(t.Context(), puts))
		var gone []string
		for range 150 {
			gone = append(gone, fmt.Sprint(r.IntN(1500)))
			delete(model, gone[len(gone)-1])
		}
		must(t, c.Delete(t.Context(), gone...))
		if round%10 == 9 {
			must(t, c.Close())
			c = open(t, dir, 16)
		}
		group := vector.Meta{"group": vector.Int(r.Int64N(5))}
		q := vectortest.Gauss(r, 16, nil, 1)
		got, err := c.Query(t.Context(), vector.Query{Vector: q, Where: group})
		must(t, err)
		if diff := cmp.Diff(vectortest.Nearest(t, having(model, group), q, 10), got, near); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, diff)
		}
		n, err := c.Count(t.Context())
		must(t, err)
		if n != len(model) {
			t.Fatalf("round %d: %d items, want %d", round, n, len(model))
		}
	}
	if n := diskUse(t, dir); n > 3<<20 {
		t.Errorf("%d bytes on disk after 6000 puts of at most 1500 items", n)
	}
}

func having(model map[string]vector.Item, where vector.Meta) []vector.Item {
	var list []vector.Item
	for _, it := range model {
		if it.Meta.Has(where) {
			list = append(list, it)
		}
	}
	return list
}

func ids(found []vector.Match) []string {
	var list []string
	for _, m := range found {
		list = append(list, m.ID)
	}
	return list
}

// The worst for a scan: a query along what the eight bits of an item leave out,
// and another item that has no such rest and lies between what the scan sees of
// the first and what it is.
func TestQueryIsExactWhereRoundingIsWorst(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 11))
	tried := 0
	for round := range 40 {
		hidden := vectortest.Gauss(r, 384, nil, 1)
		q := flat.Residual(t, hidden)
		mid, _, exact := flat.Bounds(t, hidden, q)
		at := slices.IndexFunc(q, func(x float32) bool {
			return float64(x) > mid+0.1*(exact-mid) && float64(x) < exact-0.1*(exact-mid)
		})
		if at < 0 {
			continue
		}
		plain := make([]float32, 384)
		plain[at] = 1
		tried++
		c := open(t, t.TempDir(), 384)
		must(t, c.Upsert(t.Context(), []vector.Item{{ID: "plain", Vector: plain}, {ID: "hidden", Vector: hidden}}))
		got, err := c.Query(t.Context(), vector.Query{Vector: q, K: 1})
		must(t, err)
		if len(got) != 1 || got[0].ID != "hidden" {
			t.Errorf("round %d: %v, want hidden with %v, which a scan sees as %v", round, got, exact, mid)
		}
	}
	if tried < 10 {
		t.Errorf("only %d such pairs", tried)
	}
}
