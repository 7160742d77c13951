package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"

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
	Version  string   // "" if nothing says which
	From     string   // where the source comes from
	Asked    string   // the lines of the repository that ask for it, "" for none
	Notes    []string // what was left out, and what stands in for something else
	Excerpts []Excerpt
}

// Excerpt is part of a file of a library; its path is from the library's root.
type Excerpt struct {
	Span source.Span
	Text []string // the lines of the span
}

type fetchDependencyParams struct {
	Name       string `json:"name" jsonschema:"name of the library as the repository's manifest has it, or as its code imports it"`
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
		if len(found.Excerpts) == 0 {
			return Result{}, fmt.Errorf("nothing near to %q is in %s", p.Query, strings.Join(append([]string{found.title()}, found.Notes...), "; "))
		}
		var out page
		out.line("%s", found.title())
		found.excerpts(&out)
		const most = 5
		for _, n := range found.Notes[:min(len(found.Notes), most)] {
			out.note("%s", n)
		}
		if more := len(found.Notes) - most; more > 0 {
			out.note("%s left out", count(more, "more note"))
		}
		return Result{Text: out.String()}, nil
	})
}

// title says what the source is, why it is this version, and where it comes from.
func (d Dependency) title() string {
	var facts []string
	if d.Asked != "" {
		facts = append(facts, "asked for by "+d.Asked)
	}
	if d.From != "" {
		facts = append(facts, "from "+d.From)
	}
	if len(facts) == 0 {
		return d.library()
	}
	return d.library() + " (" + strings.Join(facts, "; ") + ")"
}

func (d Dependency) library() string { return strings.TrimSpace(d.Name + " " + d.Version) }

func (d Dependency) excerpts(out *page) {
	for i, e := range d.Excerpts {
		ok := out.line("%s, %s", d.library(), e.Span)
		for j, text := range e.Text {
			ok = ok && out.line("%6d\t%s", e.Span.Start+j, lineText(text))
		}
		if !ok {
			out.note("%s left out; ask for fewer, or more exactly", count(len(d.Excerpts)-i, "more excerpt"))
			return
		}
	}
}
