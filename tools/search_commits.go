package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

type searchCommitsParams struct {
	Query      string `json:"query" jsonschema:"words that all stand in the commit's message, in any order and case; quotes keep words together"`
	Path       string `json:"path,omitempty" jsonschema:"file or directory that the commit changed; default any"`
	MaxResults int    `json:"max_results,omitempty" jsonschema:"commits to show, at most 100; default 15"`
	Skip       int    `json:"skip,omitempty" jsonschema:"commits to pass over, to read on where an answer ended"`
}

func searchCommits(w Workspace) Tool {
	return define("search_commits", func(ctx context.Context, p searchCommitsParams) (Result, error) {
		words := split(p.Query)
		if len(words) == 0 {
			return Result{}, fmt.Errorf("query holds no word")
		}
		history, err := w.Snapshot.Commits(ctx, words, p.Path, max(p.Skip, 0), min(max(cmp.Or(p.MaxResults, 15), 1), 100))
		if err != nil {
			return Result{}, err
		}
		var out page
		shown := 0
		for _, c := range history.Changes {
			if !out.line("%s %s %s: %s\n    %s", c.Commit.Short(), day(c.Time), c.Author, lineText(c.Subject()), changed(c)) {
				break
			}
			shown++
		}
		if len(history.Changes) == 0 && p.Path != "" {
			if _, err := w.Snapshot.Stat(p.Path); err != nil {
				out.note("%v", explain(w.Snapshot, p.Path, fmt.Errorf("%w at this commit; a commit may have changed it when it was there", err)))
			}
		}
		if len(history.Changes) == 0 {
			out.note("no %scommit up to %s has %s in its message%s; try fewer words", more(p.Skip), w.Snapshot.Commit().Short(), strings.Join(words, " and "), in(p.Path))
		}
		end(&out, history, max(p.Skip, 0), shown)
		return Result{Text: out.String()}, nil
	})
}

func more(skip int) string {
	if skip > 0 {
		return "other "
	}
	return ""
}

func in(path string) string {
	if path == "" {
		return ""
	}
	return " and changed " + source.Quote(path)
}

// split takes words apart, but for what stands in double quotes.
func split(query string) (words []string) {
	for i, part := range strings.Split(query, `"`) {
		if i%2 == 0 {
			words = append(words, strings.Fields(part)...)
		} else if part = strings.TrimSpace(part); part != "" {
			words = append(words, part)
		}
	}
	return words
}

func changed(c repo.Change) string {
	const max = 8
	var names []string
	for _, f := range c.Files[:min(len(c.Files), max)] {
		names = append(names, source.Quote(f))
	}
	text := strings.Join(names, " ")
	switch {
	case len(c.Parents) > 1:
		return "(merge)"
	case len(c.Files) > max:
		return fmt.Sprintf("%s and %d more", text, len(c.Files)-max)
	}
	return text
}
