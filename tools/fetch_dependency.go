package tools

import (
	"cmp"
	"context"
	"fmt"

	"github.com/repomind/repomind/internal/source"
)

// Dependencies looks into the source of libraries that the repository uses.
type Dependencies interface {
	// Search gives the parts of a library's source that are nearest to a query, the
	// best first. With version "" it takes the one that the repository asks for. The
	// error says which libraries there are if name is none of them.
	Search(ctx context.Context, name, version, query string, max int) (Dependency, error)
}

// Dependency is what was found in one library.
type Dependency struct {
	Name     string
	Version  string
	Excerpts []Excerpt
}

// Excerpt is part of a file of a library; its path is from the library's root.
type Excerpt struct {
	Span source.Span
	Text []string // the lines of the span
}

type fetchDependencyParams struct {
	Name       string `json:"name" jsonschema:"name of the library as the repository's manifest has it"`
	Query      string `json:"query" jsonschema:"what is looked for: names, an error message, or what the code does"`
	Version    string `json:"version,omitempty" jsonschema:"version to look into; default the one that the repository asks for"`
	MaxResults int    `json:"max_results,omitempty" jsonschema:"excerpts to show, at most 20; default 5"`
}

func fetchDependency(w Workspace) Tool {
	return define("fetch_dependency", func(ctx context.Context, p fetchDependencyParams) (Result, error) {
		found, err := w.Dependencies.Search(ctx, p.Name, p.Version, p.Query, min(max(cmp.Or(p.MaxResults, 5), 1), 20))
		if err != nil {
			return Result{}, err
		}
		library := found.Name + " " + found.Version
		var out page
		for i, e := range found.Excerpts {
			ok := out.line("%s, %s", library, e.Span)
			for j, text := range e.Text {
				ok = ok && out.line("%6d\t%s", e.Span.Start+j, lineText(text))
			}
			if !ok {
				out.note("%s left out; ask for fewer, or more exactly", count(len(found.Excerpts)-i, "more excerpt"))
				break
			}
		}
		if len(found.Excerpts) == 0 {
			return Result{}, fmt.Errorf("nothing in %s is near to %q", library, p.Query)
		}
		return Result{Text: out.String()}, nil
	})
}
