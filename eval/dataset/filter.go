package dataset

import (
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Filter chooses cases. Its zero value chooses all.
type Filter struct {
	Repo     source.Repo     // zero means any; letters of either case are the same, as on GitHub
	Language source.Language // "" means any
	// Harder keeps only cases whose text names neither a gold file nor a gold
	// function.
	Harder bool
}

// Match says whether f chooses c.
func (f Filter) Match(c Case) bool {
	return (f.Repo == source.Repo{} || strings.EqualFold(f.Repo.String(), c.Input.Repo.String())) &&
		(f.Language == "" || f.Language == c.Language) &&
		(!f.Harder || c.Mentions.Harder())
}

// Of gives the cases that f chooses, in their order.
func (f Filter) Of(cases []Case) []Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c Case) bool { return !f.Match(c) })
}
