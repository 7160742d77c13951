package metric

import (
	"slices"
	"strings"
)

// FindSymbols looks up gold functions among ranked symbols. Both are written
// path:Qualified.name; the first colon ends the path. A symbol of exactly the
// gold's name is taken where there is one, else the first that same calls the
// same and that stands for no other gold function. So one symbol is never counted
// for two.
//
// Use [SameSymbol] where a parser named the gold, [SameLast] where its names are
// guesses.
func FindSymbols(gold, ranked []string, same func(gold, symbol string) bool) Places {
	p := Find(gold, ranked)
	for i, g := range gold {
		if p[i] > 0 {
			continue
		}
		for place, symbol := range ranked {
			if !slices.Contains(p, place+1) && same(g, symbol) {
				p[i] = place + 1
				break
			}
		}
	}
	return p
}

// SameSymbol says whether two symbols of one file can be the same function: their
// names agree as far as both are qualified, so method is Class.method and
// module.Class.method, but not Other.method.
func SameSymbol(a, b string) bool {
	pathA, namesA := symbol(a)
	pathB, namesB := symbol(b)
	n := min(len(namesA), len(namesB))
	return n > 0 && pathA == pathB && slices.Equal(namesA[len(namesA)-n:], namesB[len(namesB)-n:])
}

// SameLast says whether two symbols of one file have the same last name. Class
// and module do not count.
func SameLast(a, b string) bool {
	pathA, namesA := symbol(a)
	pathB, namesB := symbol(b)
	return len(namesA) > 0 && len(namesB) > 0 && pathA == pathB && namesA[len(namesA)-1] == namesB[len(namesB)-1]
}

// symbol splits a name at the marks by which languages qualify: A.b, A::b, A#b,
// and (*A).b of Go.
func symbol(s string) (path string, names []string) {
	path, name, _ := strings.Cut(s, ":")
	return path, strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".:#(*) ", r) })
}
