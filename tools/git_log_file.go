package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

type gitLogFileParams struct {
	Path       string `json:"path" jsonschema:"file or directory whose history is wanted"`
	MaxResults int    `json:"max_results,omitempty" jsonschema:"commits to show, at most 100; default 15"`
	Skip       int    `json:"skip,omitempty" jsonschema:"commits to pass over, to read on where an answer ended"`
	Revision   string `json:"revision,omitempty" jsonschema:"newest commit to show; default the analysed commit"`
	Patch      bool   `json:"patch,omitempty" jsonschema:"also show what each commit changed in this path; best with max_results 1"`
}

func gitLogFile(w Workspace) Tool {
	return define("git_log_file", func(ctx context.Context, p gitLogFileParams) (Result, error) {
		at, err := w.Snapshot.At(ctx, p.Revision)
		if err != nil {
			return Result{}, explain(w.Snapshot, "", err)
		}
		history, err := at.Log(ctx, p.Path, max(p.Skip, 0), min(max(cmp.Or(p.MaxResults, 15), 1), 100))
		if err != nil {
			return Result{}, err
		}
		if len(history.Changes) == 0 {
			return Result{}, noCommits(at, p)
		}
		var out page
		shown := 0
		for _, c := range history.Changes {
			if !commit(&out, c) {
				break
			}
			shown++
			if p.Patch && !patch(ctx, &out, at, c, p.Path) {
				break
			}
		}
		end(&out, history, max(p.Skip, 0), shown)
		return Result{Text: out.String()}, nil
	})
}

func noCommits(at *repo.Snapshot, p gitLogFileParams) error {
	_, err := at.Stat(p.Path)
	switch {
	case err == nil && p.Skip > 0:
		err = fmt.Errorf("no more than %d commits up to %s changed %s", p.Skip, at.Commit().Short(), source.Quote(p.Path))
	case err == nil:
		err = fmt.Errorf("no commit up to %s changed %s", at.Commit().Short(), source.Quote(p.Path))
	}
	return explain(at, p.Path, err)
}

// commit writes a commit in one line.
func commit(out *page, c repo.Change) bool {
	return out.line("%s %s %s: %s", c.Commit.Short(), day(c.Time), c.Author, lineText(c.Subject()))
}

func day(t time.Time) string {
	if t.IsZero() {
		return "(no date)"
	}
	return t.Format("2006-01-02")
}

func patch(ctx context.Context, out *page, at *repo.Snapshot, c repo.Change, path string) bool {
	if c.Path != "" {
		path = c.Path // its name then
	} else if clean, err := source.CleanPath(path); err == nil {
		path = clean
	}
	text, err := at.Patch(ctx, c, path)
	if err != nil {
		out.note("its changes cannot be read: %v", err)
		return true
	}
	if text == "" {
		out.note("it changed nothing here against its first parent")
	}
	for line := range strings.Lines(text) {
		if !out.line("    %s", lineText(strings.TrimRight(line, "\r\n"))) {
			out.note("the rest of the changes is left out; ask for a narrower path")
			return false
		}
	}
	return true
}

// end says how to read on.
func end(out *page, h repo.History, skip, shown int) {
	if shown > 1 && h.More || shown < len(h.Changes) { // who asks for one commit wants that one
		out.note("there are older commits; go on with skip %d", skip+shown)
	}
	if h.Note != "" {
		out.note("%s", h.Note)
	}
}
