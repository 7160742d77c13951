package main

import (
	"context"
	"fmt"
	"io"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/rag"
)

// openIndex gives the retrieval index of one commit. closeIt when done.
func openIndex(ctx context.Context, from repo.Origin, at string, progress io.Writer) (x *rag.Index, closeIt func(), err error) {
	w, clone, err := openClone(ctx, from, at, progress)
	if err != nil {
		return nil, nil, err
	}
	bar := &bar{out: progress}
	x, err = rag.Open(ctx, w.Snapshot, rag.Config{
		Dir: clone.Derived("rag"), Code: w.Index, Repo: from.Repo,
		Notify:   func(event string) { fmt.Fprintf(progress, "repomind: %s\n", event) },
		Progress: func(done, all int) { bar.show("indexing", int64(done), int64(all)) },
	})
	bar.end()
	if err != nil {
		clone.Close()
		return nil, nil, err
	}
	return x, clone.Close, nil
}
