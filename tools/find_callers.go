package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

type findCallersParams struct {
	Name       string `json:"name" jsonschema:"name of the function, method or class, such as run, Worker.run or app/worker.py:Worker.run"`
	Path       string `json:"path,omitempty" jsonschema:"file or directory that the definition is in, where the name has several"`
	MaxResults int    `json:"max_results,omitempty" jsonschema:"places to show, at most 200; default 50"`
}

func findCallers(w Workspace) Tool {
	return define("find_callers", func(ctx context.Context, p findCallersParams) (Result, error) {
		found, err := definitions(ctx, w, p.Name, p.Path)
		if err != nil {
			return Result{}, err
		}
		if len(found) > maxDefinitions {
			return Result{}, fmt.Errorf("%q has %d definitions (%s); give a qualified name or a path", p.Name, len(found), places(found))
		}
		index, err := w.Index(ctx)
		if err != nil {
			return Result{}, err
		}
		c := callers{w: w, lines: map[string][]string{}, max: min(max(cmp.Or(p.MaxResults, 50), 1), 200)}
		found = onePerName(found)
		for _, s := range found {
			refs := index.Callers(s)
			slices.SortStableFunc(refs, order)
			if err := c.add(ctx, s, refs, len(found) > 1); err != nil {
				return Result{}, err
			}
		}
		if c.left > 0 {
			c.out.note("%s left out; raise max_results (at most 200) or use grep_code", count(c.left, "more place"))
		}
		c.result.Text = c.out.String()
		return c.result, nil
	})
}

// order puts what is sure first, and of that the code before the tests of it.
func order(a, b code.Reference) int {
	rank := func(r code.Reference) (n int) {
		if !r.Confident {
			n = 2
		}
		if source.RoleOf(r.Path) != source.Code {
			n++
		}
		return n
	}
	return cmp.Compare(rank(a), rank(b))
}

// onePerName leaves out overloads and redefinitions: a use means all of them.
func onePerName(found []code.Symbol) []code.Symbol {
	seen := map[string]bool{}
	return slices.DeleteFunc(found, func(s code.Symbol) bool {
		name := s.Span.Path + ":" + s.Qualified
		again := seen[name]
		seen[name] = true
		return again
	})
}

type callers struct {
	w      Workspace
	lines  map[string][]string // of the files read so far
	max    int
	out    page
	result Result
	left   int
}

func (c *callers) add(ctx context.Context, s code.Symbol, refs []code.Reference, head bool) error {
	sure := 0
	for _, r := range refs {
		if r.Confident {
			sure++
		}
	}
	c.out.line("%s %s, defined at %s: %s, %s", s.Kind, s.Qualified, source.Span{Path: s.Span.Path, Start: s.NameLine}, count(sure, "use"), count(len(refs)-sure, "possible use"))
	for i, r := range refs {
		if i == sure && i < len(refs) {
			c.out.line("possible, as the syntax does not tell which definition is meant:")
		}
		if len(c.result.Shown) == c.max || c.out.full {
			c.left += len(refs) - i
			break
		}
		if err := c.use(ctx, r); err != nil {
			return err
		}
	}
	if len(refs) == 0 {
		c.out.note("nothing in this repository names it outside of its definition; it may be called by its users, or by a name that is put together at run time")
	}
	if head {
		c.out.line("")
	}
	return nil
}

func (c *callers) use(ctx context.Context, r code.Reference) error {
	span := source.Span{Path: r.Path, Start: r.Line, End: r.Line}
	text, err := c.text(ctx, r)
	if err != nil {
		return err
	}
	in := "at the top of the file"
	if r.In.Qualified != "" {
		in = "in " + r.In.Qualified
	}
	begin := c.out.Len()
	if !c.out.line("%s  %s (%s): %s", span, in, r.How, lineText(strings.TrimSpace(text))) {
		c.left++
		return nil
	}
	c.result.show(begin, c.w.Snapshot.Commit(), span)
	return nil
}

func (c *callers) text(ctx context.Context, r code.Reference) (string, error) {
	lines, ok := c.lines[r.Path]
	if !ok {
		l, err := c.w.Snapshot.ReadLines(ctx, r.Path, 1, 0)
		if err != nil {
			return "", err
		}
		lines = l.Text
		c.lines[r.Path] = lines
	}
	if r.Line < 1 || r.Line > len(lines) {
		return "", fmt.Errorf("the index names line %d of %s, which has %d", r.Line, source.Quote(r.Path), len(lines))
	}
	return lines[r.Line-1], nil
}
