package graph_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	tracing "go.opentelemetry.io/otel/trace"

	"github.com/repomind/repomind/graph"
)

// spans runs a thread and draws its spans as an indented tree, children by their
// start, with what the engine says about each.
func spans(t *testing.T, g *graph.Graph[plan], ctx context.Context) []string {
	t.Helper()
	recorder := tracetest.NewInMemoryExporter()
	provider := trace.NewTracerProvider(trace.WithSyncer(recorder))
	app := ready(t, g, graph.Config{Store: graph.NewMemory(), Tracer: provider, Concurrency: 1})
	_, err := app.Run(ctx, "t", graph.Start(plan{}))
	var lines []string
	var draw func(parent tracing.SpanID, indent string)
	draw = func(parent tracing.SpanID, indent string) {
		for _, s := range recorder.GetSpans() {
			if s.Parent.SpanID() != parent {
				continue
			}
			line := indent + s.Name
			for _, a := range s.Attributes {
				switch a.Key {
				case "graph.run":
					if len(a.Value.AsString()) != 26 {
						t.Errorf("run is %q", a.Value.AsString())
					}
				case "graph.hash":
					same(t, "hash", a.Value.AsString(), app.Hash())
				default:
					line += fmt.Sprint(" ", strings.TrimPrefix(string(a.Key), "graph."), "=", a.Value.AsInterface())
				}
			}
			for _, e := range s.Events {
				line += " (" + e.Name + ")"
			}
			if s.Status.Code == codes.Error {
				line += " error: " + s.Status.Description
			}
			lines = append(lines, line)
			draw(s.SpanContext.SpanID(), indent+"  ")
		}
	}
	draw(tracing.SpanID{}, "")
	if err != nil {
		lines = append(lines, "error: "+err.Error())
	}
	return lines
}

func TestSpansFollowTheRun(t *testing.T) {
	g := newPlan()
	g.Node("a", logNode("a"))
	tries := 0
	task := graph.Task(g, "part", func(_ context.Context, i int) (planUpdate, error) {
		if tries++; tries == 1 {
			return nil, errors.New("again")
		}
		return logPart(i), nil
	}, graph.Retry(graph.Policy{BackOff: noWait}))
	sub := graph.SubTask(g, "sub", lineOf(logNode("x")), func(int) plan { return plan{} }, func(s plan) planUpdate { return nil })
	g.Edge(graph.Begin, "a")
	g.Fan("a", func(plan) []graph.Send[plan] { return []graph.Send[plan]{task.Send(0), sub.Send(1)} }, graph.End, task, sub)
	same(t, "spans", spans(t, g, t.Context()), []string{
		"graph.run name=plan thread=t",
		"  graph.step step=0 tasks=1",
		"    graph.node node=a task=a attempt=1",
		"  graph.step step=1 tasks=2",
		"    graph.node node=part task=part[0] attempt=1 error: again",
		"    graph.node node=part task=part[0] attempt=2",
		"    graph.node node=sub task=sub[1] attempt=1",
		"      graph.step step=0 tasks=1",
		"        graph.node node=a task=a attempt=1",
	})
}

func TestSpansTellFailuresFromPausesAndCancellations(t *testing.T) {
	same(t, "failure", spans(t, lineOf(func(context.Context, plan) (planUpdate, error) { return nil, errors.New("down") }), t.Context()), []string{
		"graph.run name=plan thread=t error: a (step 0): down",
		"  graph.step step=0 tasks=1 error: a (step 0): down",
		"    graph.node node=a task=a attempt=1 error: down",
		"error: a (step 0): down",
	})
	paused := spans(t, inSub(lineOf(asks("q", "?"))), t.Context())
	same(t, "pause", paused[:5], []string{
		"graph.run name=plan thread=t (paused)",
		"  graph.step step=0 tasks=1 (paused)",
		"    graph.node node=sub task=sub attempt=1 (paused)",
		"      graph.step step=0 tasks=1 (paused)",
		"        graph.node node=a task=a attempt=1 (paused)",
	})
	ctx, cancel := context.WithCancel(t.Context())
	cancelled := spans(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) { cancel(); return nil, ctx.Err() }), ctx)
	same(t, "cancellation", cancelled[:3], []string{
		"graph.run name=plan thread=t (cancelled)",
		"  graph.step step=0 tasks=1 (cancelled)",
		"    graph.node node=a task=a attempt=1 (cancelled)",
	})
	timeout := fanOf(1, func(ctx context.Context, _ int) (planUpdate, error) { <-ctx.Done(); return nil, ctx.Err() }, graph.Timeout(time.Nanosecond))
	if lines := spans(t, timeout, t.Context()); !slices.Contains(lines, "    graph.node node=part task=part[0] attempt=1 error: timeout of 1ns: context deadline exceeded") {
		t.Errorf("a timeout is no error:\n%s", strings.Join(lines, "\n"))
	}
}

// Spans that a node starts are its children.
func TestNodesSeeTheirSpan(t *testing.T) {
	same(t, "spans", spans(t, lineOf(func(ctx context.Context, _ plan) (planUpdate, error) {
		span := tracing.SpanFromContext(ctx)
		_, inner := span.TracerProvider().Tracer("node").Start(ctx, "call")
		inner.End()
		return nil, nil
	}), t.Context()), []string{
		"graph.run name=plan thread=t",
		"  graph.step step=0 tasks=1",
		"    graph.node node=a task=a attempt=1",
		"      call",
	})
}
