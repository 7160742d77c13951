package sqlite_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/repomind/repomind/graph"
)

// visits counts how often nodes and effects of the golden graph run.
type visits map[string]int

// goldenGraph plans, begins its log anew, asks, and sends a task that ends, a
// sub-graph that asks, and a task that asks. It must stay as it is, like the file.
func goldenGraph(t *testing.T, s graph.Checkpointer, e visits) *graph.App[work] {
	t.Helper()
	g := graph.New("golden", number, text, log)
	g.Node("plan", func(context.Context, work) (graph.Update[work], error) {
		e["plan"]++
		return graph.Update[work]{log.Set([]string{"planned"}), text.Set(strings.Repeat("<ü>", 500))}, nil
	})
	g.Node("again", func(context.Context, work) (graph.Update[work], error) {
		e["again"]++
		return graph.Update[work]{log.Reset([]string{"anew"})}, nil
	})
	g.Node("gate", e.asks("gate"))
	read := graph.Task(g, "read", func(_ context.Context, name string) (graph.Update[work], error) {
		e["read"]++
		return graph.Update[work]{log.Set([]string{"read " + name})}, nil
	})
	check := graph.Task(g, "check", func(ctx context.Context, _ struct{}) (graph.Update[work], error) {
		return e.asks("check")(ctx, work{})
	})
	review := graph.SubTask(g, "review", goldenReview(e), func(text string) work { return work{Text: text} },
		func(w work) graph.Update[work] { return graph.Update[work]{log.Set(w.Log)} })
	g.Node("join", func(_ context.Context, w work) (graph.Update[work], error) {
		e["join"]++
		return graph.Update[work]{number.Set(len(w.Log))}, nil
	})
	g.Edge(graph.Begin, "plan")
	g.Edge("plan", "again")
	g.Edge("again", "gate")
	g.Fan("gate", func(work) []graph.Send[work] {
		return []graph.Send[work]{read.Send("first"), review.Send("all"), check.Send(struct{}{})}
	}, "join", read, review, check)
	g.Edge("join", graph.End)
	// With one node at a time the counts need no lock.
	app, err := g.Compile(graph.Config{Store: s, Concurrency: 1, Now: func() time.Time { return goldenTime }})
	if err != nil {
		t.Fatal(err)
	}
	return app
}

var goldenTime = time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC)

func goldenReview(e visits) *graph.Graph[work] {
	g := graph.New("review", number, text, log)
	g.Node("draft", func(_ context.Context, w work) (graph.Update[work], error) {
		e["draft"]++
		return graph.Update[work]{log.Set([]string{"draft of " + w.Text})}, nil
	})
	g.Node("ask", e.asks("ask"))
	g.Edge(graph.Begin, "draft")
	g.Edge("draft", "ask")
	g.Edge("ask", graph.End)
	return g
}

// asks is a node with an effect, after which it wants an answer.
func (e visits) asks(name string) graph.Node[work] {
	return func(ctx context.Context, _ work) (graph.Update[work], error) {
		e[name]++
		drawn, err := graph.Once(ctx, "draw", func(context.Context) (int, error) { e["draw"]++; return 40 + e["draw"], nil })
		if err != nil {
			return nil, err
		}
		word, err := graph.Interrupt[string](ctx, name, drawn)
		return graph.Update[work]{log.Set([]string{fmt.Sprintf("%s %d: %s", name, drawn, word)})}, err
	}
}
