package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

type gitLogFileParams struct {
	Path       string `json:"path" jsonschema:"file or directory whose history is wanted"`
	MaxResults int    `json:"max_results,omitempty" jsonschema:"commits to show, at most 100; default 15"`
	Revision   string `json:"revision,omitempty" jsonschema:"newest commit to show; default the analysed commit"`
	Patch      bool   `json:"patch,omitempty" jsonschema:"also show what each commit changed in this path; best with max_results 1"`
}

func gitLogFile(w Workspace) Tool {
	return define("git_log_file", func(ctx context.Context, p gitLogFileParams) (Result, error) {
		at, err := w.Snapshot.At(ctx, p.Revision)
		if err != nil {
			return Result{}, explain(w.Snapshot, "", err)
		}
		history, err := at.Log(ctx, p.Path, min(max(cmp.Or(p.MaxResults, 15), 1), 100))
		if err != nil {
			return Result{}, err
		}
		if len(history.Changes) == 0 {
			_, err := at.Stat(p.Path)
			if err == nil {
				err = fmt.Errorf("no commit up to %s changed %s", at.Commit().Short(), source.Quote(p.Path))
			}
			return Result{}, explain(at, p.Path, err)
		}
		var out page
		for _, c := range history.Changes {
			if !commit(&out, c) || p.Patch && !patch(ctx, &out, at, c, p.Path) {
				break
			}
		}
		end(&out, history)
		return Result{Text: out.String()}, nil
	})
}

// commit writes a commit in one line, and the first of its files in a second.
func commit(out *page, c repo.Change) bool {
	return out.line("%s %s %s: %s", c.Commit.Short(), c.Time.Format("2006-01-02"), c.Author, lineText(c.Subject()))
}

func patch(ctx context.Context, out *page, at *repo.Snapshot, c repo.Change, path string) bool {
	then, err := at.At(ctx, string(c.Commit))
	if err != nil {
		out.note("its changes cannot be read: %v", err)
		return true
	}
	text, err := then.Patch(ctx, path)
	if err != nil {
		out.note("its changes cannot be read: %v", err)
		return true
	}
	if text == "" {
		out.note("the path had another name then, or it is a merge")
	}
	for line := range strings.Lines(text) {
		if !out.line("    %s", lineText(strings.TrimRight(line, "\r\n"))) {
			out.note("the rest of the changes is left out; ask for a narrower path")
			return false
		}
	}
	return true
}

func end(out *page, h repo.History) {
	switch {
	case out.full:
		out.note("more commits are left out")
	case h.More:
		last := h.Changes[len(h.Changes)-1]
		out.note("there are older commits; go on with revision %s^", last.Commit.Short())
	}
	if h.Note != "" {
		out.note("%s", h.Note)
	}
}
