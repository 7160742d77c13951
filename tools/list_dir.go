package tools

import (
	"context"
	"fmt"

	"github.com/repomind/repomind/internal/source"
)

type listDirParams struct {
	Path     string `json:"path,omitempty" jsonschema:"directory to list, from the root of the repository; default the root"`
	Revision string `json:"revision,omitempty" jsonschema:"earlier commit, branch or tag to list at; default the analysed commit"`
}

// maxEntries is how many names one call gives.
const maxEntries = 300

func listDir(w Workspace) Tool {
	return define("list_dir", func(ctx context.Context, p listDirParams) (Result, error) {
		at, err := w.Snapshot.At(ctx, p.Revision)
		if err != nil {
			return Result{}, explain(w.Snapshot, "", err)
		}
		entries, err := at.List(p.Path)
		if err != nil {
			return Result{}, explain(at, p.Path, err)
		}
		var out page
		shown := 0
		for _, e := range entries[:min(len(entries), maxEntries)] {
			ok := true
			switch name := source.Quote(e.Name); e.Mode {
			case source.Dir:
				ok = out.line("%s/  (%s)", name, count(e.Files, "file"))
			case source.Symlink:
				ok = out.line("%s  (link)", name)
			case source.Submodule:
				ok = out.line("%s  (submodule)", name)
			default:
				ok = out.line("%s  (%s)", name, size(e.Size))
			}
			if !ok {
				break
			}
			shown++
		}
		if left := len(entries) - shown; left > 0 {
			out.note("%s left out; grep_code with paths finds files in here", count(left, "more name"))
		}
		if len(entries) == 0 {
			out.note("the repository has no files at this commit")
		}
		return Result{Text: out.String()}, nil
	})
}

func size(n int64) string {
	switch {
	case n < 0:
		return "too large to be read"
	case n < 10_000:
		return count(int(n), "byte")
	}
	return fmt.Sprintf("%d kB", n/1000)
}
