package code

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/repomind/repomind/internal/pagerank"

	"github.com/repomind/repomind/internal/source"
)

// ranking says how central the files and definitions of an index are.
type ranking struct {
	files []float64 // by number of the file
	defs  []ranked  // best first
}

type ranked struct {
	p    place
	rank float64
}

// central ranks by who refers to what, after aider's repository map: an edge from
// each file that names something to each that defines it, weighed by how telling
// the name is, and PageRank over the files, which starts at what is mentioned. The
// rank of a file is then shared out along its edges to the names.
func (x *Index) central(ctx context.Context, mentioned []string) (ranking, error) {
	m := mentions(mentioned)
	g := pagerank.Graph{Nodes: len(x.files)}
	near := x.imported()
	var why []cause
	for _, name := range slices.Sorted(maps.Keys(x.defs.ids)) {
		for _, e := range x.edges(name, near, m.weight(name)) {
			g.Edges = append(g.Edges, e)
			why = append(why, cause{name, near[e.From][e.To]})
		}
		if err := ctx.Err(); err != nil {
			return ranking{}, err
		}
	}
	r := ranking{files: g.Rank(x.start(m))}
	r.defs = x.shown(x.share(g, why, r.files), m)
	return r, nil
}

// cause is what an edge comes of.
type cause struct {
	name  string
	known bool // the one file imports the other, or is of its package
}

const maxDefiners = 30 // a name that more files define tells nothing of any of them

// edges go from the files that refer to a name to those that define it: to those that
// the file imports or shares a package with, if there are such, else, at a tenth of
// the weight, to all.
func (x *Index) edges(name string, near []map[int32]bool, weight float64) []pagerank.Edge {
	definers := x.definers(name)
	if weight == 0 {
		return nil
	}
	if len(definers) > 5 {
		weight *= 0.1
	}
	var out []pagerank.Edge
	refs, members := x.refs(name), x.onlyMembers(name)
	if members && len(definers) > 1 {
		weight *= 0.1 // x.get() is most likely a call of something else
	}
	for i := 0; i < len(refs) && len(definers) > 0; {
		from, count := refs[i].file, 0
		for ; i < len(refs) && refs[i].file == from; i++ {
			r := &x.files[from].refs[refs[i].at]
			count += yes(!members || r.recv != 0 || implicitThis(x.files[from].lang))
		}
		if count == 0 {
			continue
		}
		w := weight * math.Sqrt(float64(count))
		if source.RoleOf(x.files[from].path) != source.Code {
			w *= 0.1 // tests and copies say less about what matters
		}
		out = append(out, x.fan(from, definers, near[from], w)...)
	}
	return out
}

// onlyMembers: all definitions of the name are members of types, so that it is used
// behind a dot.
func (x *Index) onlyMembers(name string) bool {
	return !slices.ContainsFunc(x.defs.of(name), func(p place) bool { return kinds[x.at(p).kind] != Method })
}

func (x *Index) fan(from int32, definers []int32, near map[int32]bool, w float64) (out []pagerank.Edge) {
	if slices.Contains(definers, from) {
		return nil // most likely its own
	}
	for _, to := range definers {
		if near[to] {
			out = append(out, pagerank.Edge{From: from, To: to, Weight: w})
		}
	}
	if out != nil {
		return out
	}
	for _, to := range definers {
		if family(x.files[from].lang) == family(x.files[to].lang) && source.RoleOf(x.files[to].path) == source.Code {
			out = append(out, pagerank.Edge{From: from, To: to, Weight: 0.1 * w / float64(len(definers))})
		}
	}
	return out
}

// definers are the files that define a name, none if they are too many.
func (x *Index) definers(name string) []int32 {
	var out []int32
	for _, p := range x.defs.of(name) {
		if k := kinds[x.at(p).kind]; k == Field || k == Var && x.at(p).parent >= 0 {
			continue
		}
		if !slices.Contains(out, p.file) {
			if out = append(out, p.file); len(out) > maxDefiners {
				return nil
			}
		}
	}
	return out
}

// imported are, for each file, those that it imports and those of its package.
func (x *Index) imported() []map[int32]bool {
	near := make([]map[int32]bool, len(x.files))
	for i := range x.files {
		near[i] = map[int32]bool{}
		for _, m := range x.files[i].imps {
			for _, t := range x.leads(int32(i), &m) {
				near[i][t] = true
			}
		}
		if x.files[i].lang == source.Go {
			for _, t := range x.modules.dirs[dir(x.files[i].path)] {
				near[i][t] = true
			}
		}
	}
	return near
}

// start is where PageRank begins: everywhere in the code, and ten times as much at
// files that are mentioned.
func (x *Index) start(m mentionSet) []float64 {
	start, sum := make([]float64, len(x.files)), 0.0
	for i := range x.files {
		w := 0.02
		if source.RoleOf(x.files[i].path) == source.Code {
			w = 1
		}
		if m.file(x.files[i].path) {
			w *= 10
		}
		start[i] = w
		sum += w
	}
	for i := range start {
		start[i] /= sum
	}
	return start
}

// share gives each definition the rank that flows to it along the edges of its name.
func (x *Index) share(g pagerank.Graph, why []cause, rank []float64) []ranked {
	out := make([]float64, g.Nodes)
	for _, e := range g.Edges {
		out[e.From] += e.Weight
	}
	type target struct {
		file int32
		name string
	}
	// A name that many files use comes before one that few files use for lack of others.
	sums, users := map[target]float64{}, map[target]float64{}
	for i, e := range g.Edges {
		t := target{e.To, why[i].name}
		sums[t] += rank[e.From] * e.Weight / out[e.From]
		if users[t] += 0.1; why[i].known {
			users[t] += 0.9
		}
	}
	var all []ranked
	for t, sum := range sums {
		var here []place
		for _, p := range x.defs.of(t.name) {
			if p.file == t.file && kinds[x.at(p).kind] != Field && x.qualified(p) == unnumbered(x.qualified(p)) {
				here = append(here, p)
			}
		}
		for _, p := range here {
			all = append(all, ranked{p, sum * users[t] / float64(len(here))})
		}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), cmp.Compare(a.p.file, b.p.file), cmp.Compare(a.p.at, b.p.at))
	})
	return all
}
