package code

import "slices"

// Edge is a file that imports another.
type Edge struct{ From, To string }

// ImportEdges are all imports that lead to another file of the tree, each pair once, in
// the order of their paths.
func (x *Index) ImportEdges() []Edge {
	var out []Edge
	for i := range x.files {
		var to []int32
		for k := range x.files[i].imps {
			to = append(to, x.leads(int32(i), &x.files[i].imps[k])...)
		}
		slices.Sort(to)
		for _, t := range slices.Compact(to) {
			if t != int32(i) {
				out = append(out, Edge{x.files[i].path, x.files[t].path})
			}
		}
	}
	return out
}
