package graph_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/repomind/repomind/graph"
)

type order struct {
	Receipt string
	Mailed  bool
}

var (
	receipt = graph.Last("receipt", func(s *order) *string { return &s.Receipt })
	mailed  = graph.Last("mailed", func(s *order) *bool { return &s.Mailed })
)

// A node that fails, or whose process is killed, runs again from its first line.
// What Once has done stays done.
func ExampleOnce() {
	charges, down := 0, true
	g := graph.New("order", receipt, mailed)
	g.Node("ship", func(ctx context.Context, s order) (graph.Update[order], error) {
		r, err := graph.Once(ctx, "charge", func(context.Context) (string, error) {
			charges++
			return "receipt-1", nil
		})
		if err != nil {
			return nil, err
		}
		if down {
			return nil, errors.New("mail server is down")
		}
		return graph.Update[order]{receipt.Set(r), mailed.Set(true)}, nil
	})
	g.Edge(graph.Begin, "ship")
	g.Edge("ship", graph.End)
	app, err := g.Compile(graph.Config{Store: graph.NewMemory()})
	if err != nil {
		panic(err)
	}

	ctx := context.Background()
	_, err = app.Run(ctx, "order-1", graph.Start(order{}))
	fmt.Println(err)
	down = false
	s, err := app.Run(ctx, "order-1", graph.Continue[order]())
	fmt.Println(s.Receipt, s.Mailed, charges, err)
	// Output:
	// ship (step 0): mail server is down
	// receipt-1 true 1 <nil>
}

// A person is shown what the run did, step by step; leaving the loop cancels it.
func ExampleApp_Stream() {
	app, err := analysis().Compile(graph.Config{Store: graph.NewMemory()})
	if err != nil {
		panic(err)
	}
	for e, err := range app.Stream(context.Background(), "run-1", graph.Start(issue{URL: "octo/repo#1"})) {
		if err != nil {
			fmt.Println("stopped:", errors.As(err, new(*graph.Paused)))
			break
		}
		if e.Kind == graph.EventTaskDone || e.Kind == graph.EventInterrupt {
			fmt.Println(e.Step, e.Kind, e.Task)
		}
	}
	// Output:
	// 0 task.done route
	// 1 interrupt human_gate
	// stopped: true
}

// A fork goes another way from any checkpoint; the old thread stays as it is.
func ExampleApp_Fork() {
	ctx := context.Background()
	app, err := analysis().Compile(graph.Config{Store: graph.NewMemory()})
	if err != nil {
		panic(err)
	}
	_, _ = app.Run(ctx, "run-1", graph.Start(issue{URL: "octo/repo#1"})) // pauses
	for s, err := range app.History(ctx, "run-1") {
		fmt.Println(s.Step, s.State.Kind, s.Next, err)
	}
	if err := app.Fork(ctx, "run-1", 1, "run-2", update{url.Set("octo/repo#2")}); err != nil {
		panic(err)
	}
	_, err = app.Run(ctx, "run-2", graph.Continue[issue]())
	if p, ok := errors.AsType[*graph.Paused](err); ok {
		fmt.Printf("%s\n", p.Pauses[0].Payload)
	}
	// Output:
	// 0  [route] <nil>
	// 1 security [human_gate] <nil>
	// "may octo/repo#2 be analysed?"
}

// Each attempt may take a second; a failure is tried three times in all.
func ExampleRetry() {
	g := graph.New("order", receipt, mailed)
	tries := 0
	g.Node("ship", func(context.Context, order) (graph.Update[order], error) {
		if tries++; tries < 3 {
			return nil, errors.New("busy")
		}
		return graph.Update[order]{mailed.Set(true)}, nil
	}, graph.Retry(graph.Policy{Attempts: 3}), graph.Timeout(time.Second))
	g.Edge(graph.Begin, "ship")
	g.Edge("ship", graph.End)
	app, err := g.Compile(graph.Config{})
	if err != nil {
		panic(err)
	}
	s, err := app.Run(context.Background(), "order-1", graph.Start(order{}))
	fmt.Println(s.Mailed, tries, err)
	// Output: true 3 <nil>
}
