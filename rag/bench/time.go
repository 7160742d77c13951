package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag"
)

// times prints how long it takes to open the index of the newest commit and to ask
// it, in this process.
func times(ctx context.Context, o options) error {
	owner, name, _ := strings.Cut(o.repo, "/")
	r, err := source.NewRepo("", owner, name)
	if err != nil {
		return err
	}
	clone, err := open(ctx, o, r)
	if err != nil {
		return err
	}
	defer clone.Close()
	at, err := clone.Resolve(ctx, "HEAD")
	if err != nil {
		return err
	}
	begin := time.Now()
	x, err := index(ctx, clone, r, at)
	if err != nil {
		return err
	}
	fmt.Println("open  ", time.Since(begin).Round(time.Millisecond))
	took, err := median(ctx, x)
	fmt.Println("search", took.Round(100*time.Microsecond))
	return err
}

// median is the time of the middle of nine searches.
func median(ctx context.Context, x *rag.Index) (time.Duration, error) {
	var all []time.Duration
	for range 9 {
		begin := time.Now()
		if _, err := x.Search(ctx, rag.Query{Title: "Crash with a TypedDict in a union", Body: "mypy crashes in `checkexpr.py` when a TypedDict is in a Union."}, rag.Options{}); err != nil {
			return 0, err
		}
		all = append(all, time.Since(begin))
	}
	slices.Sort(all)
	return all[len(all)/2], nil
}
