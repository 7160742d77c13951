package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// talk is a request with all that a cassette holds.
func talk() llm.Request {
	return llm.Request{
		Messages: []llm.Message{
			llm.System("Be brief.\nQuote."),
			llm.User("Where is <b> & \"c\"? The token is "+canary+", and Bearer abcdefghijklmnopqrst.", llm.Image{MIME: "image/png", Data: []byte("PNG")}),
			{Role: llm.RoleAssistant, Parts: []llm.Part{{Call: &llm.ToolCall{ID: "1", Name: "grep", Args: json.RawMessage(`{"q":"<b>"}`), Signature: "opaque"}}}},
			llm.Results(llm.ToolResult{ID: "1", Name: "grep", Text: "a.go:1: one\nb.go:2: two\n", Failed: true}),
		},
		Tools: []llm.Tool{{Name: "grep", Schema: json.RawMessage(`{"type":"object","properties":{"q":{"type":"string"}}}`)}},
		Seed:  7,
	}
}

func TestRecordReplay(t *testing.T) {
	dir := t.TempDir()
	usage := llm.Usage{Calls: 1, Input: 50, Cached: 20, Output: 9, Cost: llm.Cost{Amount: 99, Status: llm.CostKnown}}
	guessed := usage
	guessed.Estimated = 1
	script := llmtest.Script(t,
		llmtest.Reply{Text: "first\nsaid " + canary, Usage: usage},
		llmtest.Fail(&llm.Error{Op: "call x", Kind: llm.ErrRateLimited, Status: 429, RetryAfter: 1500 * time.Millisecond, Message: "slow down, " + canary}),
		llmtest.Reply{Calls: []llm.ToolCall{{ID: "2", Name: "read", Args: json.RawMessage(`{"p":"a.go"}`), Signature: "opaque"}}, Usage: guessed})
	rec := llm.Record(dir, "test/script", script, llm.NewKey(canary))
	for i := range 3 {
		if _, err := rec.Generate(t.Context(), talk()); (err != nil) != (i == 1) {
			t.Fatal(err)
		}
	}
	golden(t, dir)

	play := llm.Replay(dir, "test/script", llm.NewKey(canary))
	var got []llm.Response
	var streamed string
	for i := range 3 {
		req := talk()
		req.Key = "not part of the cassette"
		req.Stream = func(s string) { streamed += s }
		resp, err := play.Generate(t.Context(), req)
		want := `call test/script: rate limited: HTTP status 429: "slow down, ***": asked to wait 1.5s`
		if i == 1 && (!errors.Is(err, llm.ErrRateLimited) || err.Error() != want) || i != 1 && err != nil {
			t.Fatal(err)
		}
		got = append(got, resp)
	}
	failed := llm.Usage{Calls: 1, Failed: 1, Input: llm.Estimate(talk())}
	want := []llm.Response{
		{Model: "test/script", Text: "first\nsaid ***", Stop: llm.StopEnd, Usage: usage},
		{Model: "test/script", Usage: failed},
		{Model: "test/script", Calls: []llm.ToolCall{{ID: "2", Name: "read", Args: json.RawMessage(`{"p":"a.go"}`)}}, Stop: llm.StopTools, Usage: guessed},
	}
	if diff := cmp.Diff(want, got); diff != "" || streamed != want[0].Text {
		t.Errorf("streamed %q; replay (-want +got):\n%s", streamed, diff)
	}
	misses(t, dir, play)
}

// golden compares the one cassette with the file in testdata.
func golden(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("the folder holds %v, %v", files, err)
	}
	got, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("testdata", filepath.Base(files[0]))
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
	if strings.Contains(string(got), "canary") || strings.Contains(string(got), "abcdefghijklmnopqrst") || strings.Contains(string(got), "opaque") {
		t.Errorf("it holds a secret:\n%s", got)
	}
}

func misses(t *testing.T, dir string, play llm.Model) {
	t.Helper()
	_, err := play.Generate(t.Context(), talk())
	miss, ok := errors.AsType[*llm.MissError](err)
	if !ok || !errors.Is(err, llm.ErrMiss) || miss.Asked != 4 || miss.Recorded != 3 {
		t.Errorf("a fourth answer gives %v", err)
	}
	other := talk()
	other.Messages[3].Parts[0].Result.Text = "a.go:1: one\nc.go:2: two\n"
	_, err = play.Generate(t.Context(), other)
	miss, ok = errors.AsType[*llm.MissError](err)
	if !ok {
		t.Fatalf("another request gives %v", err)
	}
	if want := "- \"b.go:2: two\",\n+ \"c.go:2: two\","; !strings.HasSuffix(miss.Nearest, want) || !strings.Contains(err.Error(), "record it again") {
		t.Errorf("another request gives %v", err)
	}
	if _, err := llm.Replay(dir, "test/other").Generate(t.Context(), talk()); !errors.Is(err, llm.ErrMiss) {
		t.Errorf("another model gives %v", err)
	}
	if _, err := llm.Replay(filepath.Join(dir, "none"), "test/script").Generate(t.Context(), talk()); !errors.Is(err, llm.ErrMiss) {
		t.Errorf("a folder that is not there gives %v", err)
	}
}

func TestRecordReplacesEarlierRun(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"old", "new"} {
		if _, err := llm.Record(dir, "m", llmtest.Script(t, llmtest.Say(text))).Generate(t.Context(), ask("x")); err != nil {
			t.Fatal(err)
		}
	}
	resp, err := llm.Replay(dir, "m").Generate(t.Context(), ask("x"))
	if err != nil || resp.Text != "new" {
		t.Errorf("replayed %q, %v", resp.Text, err)
	}
}

func TestReplayBrokenCassette(t *testing.T) {
	dir := t.TempDir()
	if _, err := llm.Record(dir, "m", llmtest.Script(t, llmtest.Say("a"))).Generate(t.Context(), ask("x")); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if err := os.WriteFile(files[0], []byte("<<<<<<< HEAD"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := llm.Replay(dir, "m").Generate(t.Context(), ask("x")); err == nil || !strings.Contains(err.Error(), filepath.Base(files[0])) {
		t.Errorf("a broken cassette gives %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := llm.Replay(dir, "m").Generate(ctx, ask("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled replay gives %v", err)
	}
}

// TestReplayEditedCassette has files that were changed by hand, or merged badly.
func TestReplayEditedCassette(t *testing.T) {
	for name, tt := range map[string]struct{ old, new, want string }{
		"another request": {`"text": "x"`, `"text": "y"`, "its request is that of"},
		"no answers":      {`"answers": [`, `"answers": [], "old": [`, "it holds no answer"},
		"no reason":       {`"stop": "stop"`, `"stop": "because"`, `answer 1: "because" is no reason to stop`},
		"no kind":         {`"stop": "stop"`, `"error": {"kind": "x"}`, `answer 1: no error is of the kind "x"`},
		"another answer":  {`"text": "a"`, `"text": ["b", "c"]`, ""},
	} {
		dir := t.TempDir()
		if _, err := llm.Record(dir, "m", llmtest.Script(t, llmtest.Say("a"))).Generate(t.Context(), ask("x")); err != nil {
			t.Fatal(err)
		}
		files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
		data, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(data), tt.old) != 1 {
			t.Fatalf("%s: the file is\n%s", name, data)
		}
		if err := os.WriteFile(files[0], []byte(strings.Replace(string(data), tt.old, tt.new, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
		resp, err := llm.Replay(dir, "m").Generate(t.Context(), ask("x"))
		if tt.want == "" && (err != nil || resp.Text != "b\nc") || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s gives %q, %v", name, resp.Text, err)
		}
	}
}

// TestRecordLeavesOutStops has calls that their caller broke off, and errors that are
// not the provider's.
func TestRecordLeavesOutStops(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	stopped := modelFunc(func(context.Context, llm.Request) (llm.Response, error) {
		cancel()
		return llm.Response{}, failure(llm.ErrUnavailable, 0)
	})
	if _, err := llm.Record(dir, "m", stopped).Generate(ctx, ask("x")); !errors.Is(err, llm.ErrUnavailable) {
		t.Error(err)
	}
	for _, other := range []error{&llm.BudgetError{What: "calls"}, errors.New("disk full")} {
		if _, err := llm.Record(dir, "m", llmtest.Script(t, llmtest.Fail(other))).Generate(t.Context(), ask("x")); !errors.Is(err, other) {
			t.Error(err)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("the folder holds %v", files)
	}
}

// TestRecordParallel has many calls of the same and of different requests at once.
func TestRecordParallel(t *testing.T) {
	dir := t.TempDir()
	rec := llm.Record(dir, "m", costly(llm.Usage{Calls: 1}))
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			if _, err := rec.Generate(t.Context(), ask(strings.Repeat("x", i%4))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	play := llm.Replay(dir, "m")
	for i := range 40 {
		if _, err := play.Generate(t.Context(), ask(strings.Repeat("x", i%4))); err != nil {
			t.Error(err)
		}
	}
	if files, _ := os.ReadDir(dir); len(files) != 4 {
		t.Errorf("the folder holds %v", files)
	}
}
