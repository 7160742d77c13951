package tools

import (
	"cmp"
	"context"
	"fmt"
	"regexp"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

type grepCodeParams struct {
	Pattern      string   `json:"pattern" jsonschema:"regular expression in RE2 syntax, matched against each line"`
	Paths        []string `json:"paths,omitempty" jsonschema:"files, directories or globs (*.py, src/**/test_*.go) to search; default everywhere"`
	Literal      bool     `json:"literal,omitempty" jsonschema:"take the pattern as plain text, not as a regular expression"`
	IgnoreCase   bool     `json:"ignore_case,omitempty" jsonschema:"match upper and lower case alike"`
	ContextLines int      `json:"context_lines,omitempty" jsonschema:"lines to show before and after each match, at most 10"`
	MaxResults   int      `json:"max_results,omitempty" jsonschema:"matches to show, at most 200; default 50"`
	Revision     string   `json:"revision,omitempty" jsonschema:"earlier commit, branch or tag to search at; default the analysed commit"`
}

func grepCode(w Workspace) Tool {
	return define("grep_code", func(ctx context.Context, p grepCodeParams) (Result, error) {
		at, err := w.Snapshot.At(ctx, p.Revision)
		if err != nil {
			return Result{}, explain(w.Snapshot, "", err)
		}
		if p.Literal {
			p.Pattern = regexp.QuoteMeta(p.Pattern)
		}
		found, err := at.Grep(ctx, repo.Query{
			Pattern: p.Pattern, IgnoreCase: p.IgnoreCase, Paths: p.Paths, Context: p.ContextLines,
			Max: min(max(cmp.Or(p.MaxResults, 50), 1), 200),
		})
		if err != nil {
			if len(p.Paths) == 1 {
				err = explain(at, p.Paths[0], err)
			}
			return Result{}, err
		}
		return matches(at, found, p), nil
	})
}

func matches(at *repo.Snapshot, found repo.Found, p grepCodeParams) Result {
	var out page
	result := Result{}
	shown := 0
	for _, m := range found.Matches {
		begin := out.Len()
		if !block(&out, m) {
			break
		}
		shown++
		span := m.Span
		span.Start, span.End = span.Start-len(m.Before), span.End+len(m.After)
		result.show(begin, at.Commit(), span)
	}
	switch {
	case found.Total == 0:
		out.note("no line matches%s", advice(p))
	case shown < found.Total:
		out.note("%d of %s in %s are shown; narrow the pattern or the paths, or raise max_results (at most 200)", shown, count(found.Total, "match"), count(found.Files, "file"))
	default:
		out.note("%s in %s", count(found.Total, "match"), count(found.Files, "file"))
	}
	if found.Binary > 0 && found.Total == 0 {
		out.note("%s not searched, as they are not text in UTF-8", count(found.Binary, "file"))
	}
	if len(found.Unseen) > 0 {
		out.note("not searched, too large: %s", unseen(found.Unseen))
	}
	result.Text = out.String()
	return result
}

// block writes a match as ripgrep does: path:line: text, and path-line- text around it.
func block(out *page, m repo.Match) bool {
	ok := true
	name := source.Quote(m.Path)
	for i, text := range m.Before {
		ok = out.line("%s-%d- %s", name, m.Start-len(m.Before)+i, text)
	}
	ok = ok && out.line("%s: %s", m.Span, m.Text)
	for i, text := range m.After {
		ok = ok && out.line("%s-%d- %s", name, m.Start+1+i, text)
	}
	if ok && len(m.Before)+len(m.After) > 0 {
		out.line("--")
	}
	return ok
}

func advice(p grepCodeParams) string {
	switch {
	case len(p.Paths) > 0:
		return " in these paths; try without paths"
	case !p.IgnoreCase:
		return "; try ignore_case, or a shorter pattern"
	}
	return "; try a shorter pattern"
}

func unseen(files []source.File) string {
	text := source.Quote(files[0].Path)
	if len(files) > 1 {
		text += fmt.Sprintf(" and %d more", len(files)-1)
	}
	return text
}
