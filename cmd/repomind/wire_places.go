package main

import (
	"context"
	"fmt"
	"io"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/rag"
	"github.com/repomind/repomind/rag/dependency"
	"github.com/repomind/repomind/tools"
)

// newPlaces opens repositories for runs.
func newPlaces(ctx context.Context, search retrieval, progress io.Writer) (*run.Places, error) {
	cache, err := newCache(ctx, progress)
	if err != nil {
		return nil, err
	}
	parser, err := parserCommand()
	if err != nil {
		return nil, err
	}
	return &run.Places{
		Cache: cache, Parser: parser,
		Notify: func(event string) { fmt.Fprintf(progress, "repomind: %s\n", event) },
		Search: func(ctx context.Context, from repo.Origin) (rag.Options, func(), error) {
			h, err := search.help(ctx, from, progress)
			return h.Options, h.close, err
		},
		Dependencies: func(s *repo.Snapshot, from repo.Origin) (tools.Dependencies, *dependency.Finder, error) {
			libs, err := newLibraries(cache, s, from, progress)
			return libs, libs.finder, err
		},
	}, nil
}
