package react

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/tools"
)

// work runs tools, some at a time, and keeps what they gave, so that a run that goes on
// after a crash sees what it had seen. One that goes on with other tools, of which some
// calls are none, runs the rest anew.
func (r *run) work(ctx context.Context, todo []llm.ToolCall) ([]tools.Result, error) {
	if len(todo) == 0 {
		return nil, nil
	}
	which, err := digest(todo)
	if err != nil {
		return nil, fmt.Errorf("the calls: %w", err)
	}
	return graph.Once(ctx, fmt.Sprintf("%s/tools/%d/%s", r.Name, r.Rounds, which), func(ctx context.Context) ([]tools.Result, error) {
		got := make([]tools.Result, len(todo))
		slots := make(chan struct{}, r.Parallel)
		var wg sync.WaitGroup
		for i, c := range todo {
			if slots <- struct{}{}; ctx.Err() != nil {
				break
			}
			wg.Go(func() {
				defer func() { <-slots }()
				got[i] = r.call(ctx, c)
			})
		}
		wg.Wait()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx) // what they gave may be half of it
		}
		return got, nil
	})
}

// moment is what a tool has to end in after its context did.
const moment = time.Second

// call runs one tool. One that does not end in time is left behind, on its goroutine,
// and what it may still give is lost.
func (r *run) call(ctx context.Context, c llm.ToolCall) tools.Result {
	ctx, cancel := context.WithTimeout(ctx, r.ToolTime)
	defer cancel()
	done := make(chan tools.Result, 1)
	go func() { done <- attempt(ctx, r.Tools, c) }()
	result, ended := await(ctx, done)
	if !ended || result.Failed && ctx.Err() != nil {
		return tools.Result{Text: fmt.Sprintf("The tool was given up after %s. Ask it for less, or do without it.", r.ToolTime), Failed: true}
	}
	return storable(result)
}

func await(ctx context.Context, done <-chan tools.Result) (result tools.Result, ended bool) {
	select {
	case result = <-done:
		return result, true
	case <-ctx.Done():
	}
	late := time.NewTimer(moment)
	defer late.Stop()
	select {
	case result = <-done:
		return result, true
	case <-late.C:
		return result, false
	}
}

// attempt makes a failed result of a tool's panic: the model can do without the tool.
func attempt(ctx context.Context, set tools.Set, c llm.ToolCall) (result tools.Result) {
	defer func() {
		if v := recover(); v != nil {
			result = tools.Result{Text: fmt.Sprintf("The tool broke down: %v\nOther arguments may do, or another tool.", v), Failed: true}
		}
	}()
	return set.Call(ctx, c.Name, c.Args)
}

// maxKept bounds a result; the tools of this module stay far below.
const maxKept = 200_000

// storable leaves what is UTF-8, as the paths of a repository need not be, and not too
// long. Where that moves the places of what is shown, they go.
func storable(r tools.Result) tools.Result {
	if len(r.Text) > maxKept {
		r = r.Part(0, maxKept)
		r.Text += "\n… cut here"
	}
	shown := slices.DeleteFunc(slices.Clone(r.Shown), func(s tools.Shown) bool { return !utf8.ValidString(s.Span.Path) })
	if !utf8.ValidString(r.Text) || len(shown) != len(r.Shown) {
		r.Text, r.Shown, r.At = strings.ToValidUTF8(r.Text, "\uFFFD"), shown, nil
	}
	return r
}
