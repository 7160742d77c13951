package tools

import (
	"context"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

type findDefinitionParams struct {
	Name string `json:"name" jsonschema:"name of a function, method, class, type, constant or variable, such as run, Worker.run or app/worker.py:Worker.run"`
	Path string `json:"path,omitempty" jsonschema:"file or directory that the definition is in; default everywhere"`
}

const (
	maxDefinitions = 20
	maxBody        = 60 // lines of a definition that is shown with its text
)

func findDefinition(w Workspace) Tool {
	return define("find_definition", func(ctx context.Context, p findDefinitionParams) (Result, error) {
		found, err := definitions(ctx, w, p.Name, p.Path)
		if err != nil {
			return Result{}, err
		}
		var out page
		var result Result
		for _, s := range found[:min(len(found), maxDefinitions)] {
			begin := out.Len()
			if out.line("%s  %s %s  %s", s.Span, s.Kind, s.Qualified, s.Signature) {
				result.show(begin, w.Snapshot.Commit(), source.Span{Path: s.Span.Path, Start: s.NameLine, End: s.NameLine})
			}
		}
		if left := len(found) - len(result.Shown); left > 0 {
			out.note("%s left out; give a qualified name or a path", count(left, "more definition"))
		}
		result.Text = out.String()
		if len(found) == 1 {
			body, err := definitionText(ctx, w, found[0])
			if err != nil {
				return Result{}, err
			}
			for i, s := range body.Shown {
				result.show(len(result.Text)+body.At[i], s.Commit, s.Span)
			}
			result.Text += body.Text
		}
		return result, nil
	})
}

func definitionText(ctx context.Context, w Workspace, s code.Symbol) (Result, error) {
	if s.Kind != code.Function && s.Kind != code.Method && s.Span.Lines() > maxBody {
		if members, err := memberText(ctx, w, s); err != nil || members.Text != "" {
			return members, err
		}
	}
	l, err := w.Snapshot.ReadLines(ctx, s.Span.Path, s.Span.Start, min(s.Span.End, s.Span.Start+maxBody-1))
	if err != nil {
		return Result{}, err
	}
	body := numbered(w.Snapshot, l)
	if l.Span.End < s.Span.End {
		body.Text += fmt.Sprintf("[the definition goes on to line %d]\n", s.Span.End)
	}
	return body, nil
}

// memberText shows a long type by the signatures of its functions, and is empty for one
// that has none: its first lines would say less.
func memberText(ctx context.Context, w Workspace, s code.Symbol) (Result, error) {
	index, err := w.Index(ctx)
	if err != nil {
		return Result{}, err
	}
	file, _ := index.File(s.Span.Path)
	var out page
	var result Result
	for _, m := range file.Symbols {
		inside := s.Span.Start <= m.Span.Start && m.Span.End <= s.Span.End && m.ID != s.ID
		if !inside || m.Kind != code.Function && m.Kind != code.Method {
			continue
		}
		begin := out.Len()
		if out.line("%6d\t%s", m.NameLine, lineText(m.Signature)) {
			result.show(begin, w.Snapshot.Commit(), source.Span{Path: m.Span.Path, Start: m.NameLine, End: m.NameLine})
		}
	}
	if len(result.Shown) > 0 {
		out.note("these are its functions; read_file shows lines %d to %d", s.Span.Start, s.Span.End)
	}
	result.Text = out.String()
	return result, nil
}

// definitions looks a name up; the error says which names are alike.
func definitions(ctx context.Context, w Workspace, name, path string) ([]code.Symbol, error) {
	index, err := w.Index(ctx)
	if err != nil {
		return nil, fmt.Errorf("the symbols of this repository cannot be read: %w; use grep_code", err)
	}
	all := index.Definitions(name)
	found, err := below(w, all, path)
	switch {
	case err != nil:
		return nil, err
	case len(found) > 0:
		return found, nil
	case len(all) > 0:
		return nil, fmt.Errorf("%q is not defined in %s, but in %s", name, source.Quote(path), places(all))
	}
	hint := "grep_code finds names that are no definitions, or that come from a library"
	if near := index.Similar(name, 5); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, ", ") + "? If it comes from a library, grep_code shows its uses"
	}
	return nil, fmt.Errorf("%q is not defined in this repository; %s%s", name, hint, skipped(index))
}

// skipped says what the index could not look into.
func skipped(index *code.Index) string {
	all := index.Skipped()
	if len(all) == 0 {
		return ""
	}
	var names []string
	for _, s := range all[:min(len(all), 3)] {
		names = append(names, fmt.Sprintf("%s (%s)", source.Quote(s.Path), s.Reason))
	}
	if left := len(all) - len(names); left > 0 {
		names = append(names, fmt.Sprintf("%d more", left))
	}
	return ". Not read as code, so look there by grep_code: " + strings.Join(names, ", ")
}

func below(w Workspace, all []code.Symbol, path string) ([]code.Symbol, error) {
	if path == "" {
		return all, nil
	}
	f, err := w.Snapshot.Stat(path)
	if err != nil {
		return nil, explain(w.Snapshot, path, err)
	}
	var found []code.Symbol
	for _, s := range all {
		if f.Path == "" || s.Span.Path == f.Path || strings.HasPrefix(s.Span.Path, f.Path+"/") {
			found = append(found, s)
		}
	}
	return found, nil
}

func places(all []code.Symbol) string {
	var text []string
	for _, s := range all[:min(len(all), 5)] {
		text = append(text, source.Span{Path: s.Span.Path, Start: s.NameLine}.String())
	}
	if left := len(all) - len(text); left > 0 {
		text = append(text, fmt.Sprintf("%d more places", left))
	}
	return strings.Join(text, ", ")
}
