package code

import (
	"cmp"
	"slices"

	"github.com/repomind/repomind/internal/source"
)

// Enclosing is the innermost definition around a line, fields aside.
func (x *Index) Enclosing(path string, line int) (Symbol, bool) {
	f, ok := x.byPath[path]
	if !ok {
		return Symbol{}, false
	}
	best := int32(-1)
	for i, d := range x.files[f].defs {
		if kinds[d.kind] == Field || line < int(d.start) || line > int(d.end) {
			continue
		}
		if best < 0 || d.end-d.start <= x.files[f].defs[best].end-x.files[f].defs[best].start {
			best = int32(i)
		}
	}
	if best < 0 {
		return Symbol{}, false
	}
	return x.symbol(place{f, best}), true
}

// File is the outline of a file of code.
func (x *Index) File(path string) (Outline, bool) {
	f, ok := x.byPath[path]
	if !ok || x.files[f].skip != "" {
		return Outline{}, false
	}
	o := Outline{Path: path, Language: x.files[f].lang, Broken: x.files[f].broken, Imports: x.Imports(path)}
	for i := range x.files[f].defs {
		o.Symbols = append(o.Symbols, x.symbol(place{f, int32(i)}))
	}
	slices.SortStableFunc(o.Symbols, func(a, b Symbol) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	for _, s := range signatureLines(x.files[f].outlined()) {
		o.Skeleton = append(o.Skeleton, source.Span{Path: path, Start: s[0], End: s[1]})
	}
	return o, true
}

// Skipped lists the files of a known language that have no symbols, and why.
func (x *Index) Skipped() []Skipped {
	var out []Skipped
	for _, f := range x.files {
		if f.skip != "" {
			out = append(out, Skipped{Path: f.path, Reason: f.skip})
		}
	}
	return out
}
