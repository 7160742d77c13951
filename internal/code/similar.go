package code

import (
	"cmp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Similar are up to n qualified names that are close to a name which may be
// misspelt: few edits away, or with the name as a part.
func (x *Index) Similar(name string, n int) []string {
	q := parseName(name)
	if len(q.parts) == 0 || n <= 0 {
		return nil
	}
	want := strings.ToLower(q.last())
	type near struct {
		name string
		far  int
	}
	var all []near
	for have := range x.defs.ids {
		if d := distance(want, strings.ToLower(have)); d >= 0 && have != q.last() {
			all = append(all, near{have, d})
		}
	}
	slices.SortFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.far, b.far), -cmp.Compare(len(x.refs(a.name)), len(x.refs(b.name))), cmp.Compare(a.name, b.name))
	})
	var out []string
	for _, a := range all[:min(len(all), 4*n)] {
		ps := slices.Clone(x.defs.of(a.name))
		x.rank(ps)
		if q := unnumbered(x.qualified(ps[0])); !slices.Contains(out, q) && len(out) < n {
			out = append(out, q)
		}
	}
	return out
}

// distance is the number of edits between two words, a third of the length at most;
// a word that is part of the other is close as well. -1 is too far.
func distance(a, b string) int {
	if len(a) > 100 || len(b) > 100 {
		return -1
	}
	limit := max(1, min(len(a), len(b))/3)
	if d := len(a) - len(b); d > limit || -d > limit {
		if len(a) >= 4 && strings.Contains(b, a) || len(b) >= 4 && strings.Contains(a, b) {
			return limit + 1
		}
		return -1
	}
	if d := source.Edits(a, b, limit); d <= limit {
		return d
	}
	if len(a) >= 4 && strings.Contains(b, a) {
		return limit + 1
	}
	return -1
}
