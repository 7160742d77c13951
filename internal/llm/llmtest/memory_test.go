package llmtest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

func open(t *testing.T, url string) llm.Model {
	t.Helper()
	m, err := llm.Open(llm.Config{Provider: "compatible", Model: "m", BaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func keyed(text, key string) llm.Request {
	req := ask(text)
	req.Key = key
	return req
}

// TestServerRemembers has a client that goes away while its call is under way, as in a
// crash, and asks again: the call is paid once.
func TestServerRemembers(t *testing.T) {
	ctx, kill := context.WithCancel(t.Context())
	server := llmtest.NewServer(t, llmtest.OpenAI,
		llmtest.Turn{Text: "a", Input: 1, Output: 1, Hang: true, Arrived: kill},
		llmtest.Turn{Status: 500, Message: "oops"}, llmtest.Turn{Text: "b", Input: 1, Output: 1})
	m := open(t, server.URL)
	if _, err := m.Generate(ctx, keyed("x", "1")); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for range 2 {
		if resp, err := m.Generate(t.Context(), keyed("x", "1")); err != nil || resp.Text != "a" {
			t.Errorf("asked again it says %q, %v", resp.Text, err)
		}
	}
	if _, err := m.Generate(t.Context(), keyed("y", "2")); !errors.Is(err, llm.ErrUnavailable) {
		t.Error(err)
	}
	if resp, err := m.Generate(t.Context(), keyed("y", "2")); err != nil || resp.Text != "b" {
		t.Errorf("a refusal is remembered: %q, %v", resp.Text, err)
	}
	if heard := server.Heard(); server.Paid() != 2 || len(heard) != 5 || heard[0].Repeated || !heard[1].Repeated || !heard[2].Repeated || heard[4].Repeated {
		t.Errorf("%d of %d are paid", server.Paid(), len(heard))
	}
}

func TestServerRefusesReusedKey(t *testing.T) {
	o := &observed{}
	server := llmtest.NewServer(o, llmtest.OpenAI, llmtest.Turn{Text: "a", Input: 1, Output: 1})
	m := open(t, server.URL)
	if _, err := m.Generate(t.Context(), keyed("x", "1")); err != nil {
		t.Fatal(err)
	}
	e, ok := errors.AsType[*llm.Error](generateError(t, m, keyed("y", "1")))
	if !ok || e.Status != 422 {
		t.Errorf("another request with the key gives %v", e)
	}
	if failures := o.end(); len(failures) != 1 || !strings.Contains(failures[0], "the idempotency key stands for another request: 1") {
		t.Errorf("failures %q", failures)
	}
}

func generateError(t *testing.T, m llm.Model, req llm.Request) error {
	t.Helper()
	_, err := m.Generate(t.Context(), req)
	return err
}
