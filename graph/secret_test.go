package graph_test

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"text/template"

	"github.com/repomind/repomind/graph"
)

const canary = "hunter2-canary"

type client struct {
	URL string
	Key graph.Secret[string]
}

// A guarded client keeps its key to itself, as most do.
type guarded struct{ key graph.Secret[string] }

func TestSecretIsNotPrinted(t *testing.T) {
	s := graph.NewSecret(canary)
	if s.Reveal() != canary {
		t.Fatal("it is lost")
	}
	c := client{"https://example.org", s}
	var log bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&log, nil), slog.NewJSONHandler(&log, nil)} {
		slog.New(h).Info("call", "key", s, "client", c, "pointer", &c)
	}
	var page bytes.Buffer
	_ = template.Must(template.New("").Parse("{{.Key}} {{.}} {{printf `%#v` .Key}}")).Execute(&page, c)
	xmlText, _ := xml.Marshal(c)
	all := []string{log.String(), page.String(), string(xmlText), fmt.Sprint(s, &s, c, &c), fmt.Errorf("call: %v", c).Error()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T", "%10s", "%t", "%!"} {
		all = append(all, fmt.Sprintf(verb, s), fmt.Sprintf(verb, &s), fmt.Sprintf(verb, c), fmt.Sprintf(verb, []any{c, map[string]any{"k": s}}))
	}
	for _, text := range all {
		if strings.Contains(text, canary) || strings.Contains(text, fmt.Sprintf("%x", canary)) {
			t.Errorf("it is printed: %s", text)
		}
	}
	if got := fmt.Sprintf("%v %s %d %+v", s, s, s, c); got != "*** *** *** {URL:https://example.org Key:***}" {
		t.Errorf("got %s", got)
	}
}

// Package fmt calls no methods of members that are unexported, nor for %p.
func TestSecretIsNotPrintedPastItsMethods(t *testing.T) {
	s := graph.NewSecret(canary)
	for _, text := range []string{
		fmt.Sprintf("%+v", guarded{s}), fmt.Sprintf("%#v", &guarded{s}), fmt.Sprint(map[string]guarded{"": {s}}), fmt.Sprintf("%p", s),
	} {
		if strings.Contains(text, canary) {
			t.Errorf("it is printed: %s", text)
		}
	}
}

// https://github.com/aegra/aegra/issues/267 and
// https://github.com/caipe-io/ai-platform-engineering/issues/1238
func TestSecretIsNotEncoded(t *testing.T) {
	c := client{"https://example.org", graph.NewSecret(canary)}
	if data, err := json.Marshal(c); !errors.Is(err, graph.ErrSecret) {
		t.Errorf("json: %s, %v", data, err)
	}
	if err := json.Unmarshal([]byte(`{"Key":"x"}`), &c); !errors.Is(err, graph.ErrSecret) || c.Key.Reveal() != canary {
		t.Errorf("json: %v", err)
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(c); !errors.Is(err, graph.ErrSecret) || strings.Contains(b.String(), canary) {
		t.Errorf("gob: %v", err)
	}
}

// What a node was built with, and what it tries to hand over, stays out of the
// store, of events and of errors.
func TestSecretReachesNoCheckpoint(t *testing.T) {
	s := graph.NewSecret(canary)
	for name, leak := range map[string]func(context.Context) error{
		"nothing":        func(context.Context) error { return nil },
		"error":          func(context.Context) error { return fmt.Errorf("no access with %v", client{Key: s}) },
		"payload":        func(ctx context.Context) error { _, err := graph.Interrupt[bool](ctx, "k", client{Key: s}); return err },
		"payload in any": func(ctx context.Context) error { _, err := graph.Interrupt[bool](ctx, "k", []any{s}); return err },
		"answer":         func(ctx context.Context) error { _, err := graph.Interrupt[client](ctx, "k", "?"); return err },
		"once": func(ctx context.Context) error {
			_, err := graph.Once(ctx, "k", func(context.Context) (client, error) { return client{Key: s}, nil })
			return err
		},
	} {
		g := newDraft("secret")
		task := graph.Task(g, "call", func(ctx context.Context, _ string) (graph.Update[draft], error) {
			return graph.Update[draft]{draftTitle.Set(fmt.Sprint("by ", s))}, leak(ctx)
		})
		g.Fan(graph.Begin, func(draft) []graph.Send[draft] { return []graph.Send[draft]{task.Send("x")} }, graph.End, task)
		store := graph.NewMemory()
		var seen []any
		var err error
		for e, failed := range compiled(t, g, store).Stream(t.Context(), "t", graph.Start(draft{})) {
			if failed != nil {
				err = failed
			}
			seen = append(seen, e)
		}
		k := keptOf(t, store, "t")
		text := fmt.Sprintf("%+v %+v %v", seen, k.Steps, err)
		for _, row := range k.Open.Tasks {
			text += string(row.Data)
		}
		for _, c := range k.Steps {
			for _, row := range c.Fields {
				text += string(row.Data)
			}
		}
		if strings.Contains(text, canary) {
			t.Errorf("%s: it got out: %s", name, text)
		}
		if refused := name != "nothing" && name != "error"; errors.Is(err, graph.ErrSecret) != refused {
			t.Errorf("%s: got %v, is ErrSecret: %v", name, err, !refused)
		}
	}
}

func TestArgumentsAndAnswersWithSecretsAreRefused(t *testing.T) {
	g := newDraft("secret")
	g.Fan(graph.Begin, sendNothing, graph.End,
		graph.Task(g, "call", func(context.Context, client) (graph.Update[draft], error) { return nil, nil }))
	if _, err := g.Compile(graph.Config{}); !errors.Is(err, graph.ErrSecret) {
		t.Errorf("got %v", err)
	}
	g = newDraft("secret")
	g.Node("ask", func(ctx context.Context, _ draft) (graph.Update[draft], error) {
		_, err := graph.Interrupt[string](ctx, "k", "?")
		return nil, err
	})
	g.Edge(graph.Begin, "ask")
	g.Edge("ask", graph.End)
	app := compiled(t, g, graph.NewMemory())
	if _, err := app.Run(t.Context(), "t", graph.Start(draft{})); err == nil {
		t.Fatal("it does not pause")
	}
	if err := app.Answer(t.Context(), "t", graph.AnswerTo("", graph.NewSecret(canary), "ann")); !errors.Is(err, graph.ErrSecret) || !errors.Is(err, graph.ErrAnswerType) {
		t.Errorf("got %v", err)
	}
}
