package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/repomind/repomind/internal/llm/llmtest"
)

// modelCommands are what the scripts about models can do besides calling the program.
func modelCommands(t *testing.T) map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"serve":    func(ts *testscript.TestScript, _ bool, args []string) { serveModel(t, ts, args) },
		"book":     func(ts *testscript.TestScript, _ bool, args []string) { serveBook(t, ts, args) },
		"github":   func(ts *testscript.TestScript, _ bool, args []string) { serveGitHub(t, ts, args) },
		"cmpplain": comparePlain,
		"cmpguide": compareGuide,
	}
}

// serveModel starts a provider that says the turns of a file, one a line in JSON, and
// puts its address into $URL: serve WIRE FILE.
func serveModel(t *testing.T, ts *testscript.TestScript, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: serve wire file")
	}
	var turns []llmtest.Turn
	for line := range strings.Lines(ts.ReadFile(args[1])) {
		var turn llmtest.Turn
		if err := json.Unmarshal([]byte(line), &turn); err != nil {
			ts.Fatalf("%s: %v", line, err)
		}
		turns = append(turns, turn)
	}
	ts.Setenv("URL", llmtest.NewServer(t, llmtest.Wire(args[0]), turns...).URL)
}

// serveBook starts a provider that answers by what it is asked, from a file that holds an
// llmtest.Book in JSON, and puts its address into $URL: book FILE.
func serveBook(t *testing.T, ts *testscript.TestScript, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: book file")
	}
	var b llmtest.Book
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &b))
	ts.Setenv("URL", llmtest.NewBookServer(t, llmtest.OpenAI, b).URL)
}

var (
	clock = regexp.MustCompile(`\d+\.\d+s\b|("duration_ms": )\d+`)
	port  = regexp.MustCompile(`127\.0\.0\.1:\d+`)
)

// plain takes out what differs from run to run.
func plain(text string) string {
	return port.ReplaceAllString(clock.ReplaceAllStringFunc(text, func(s string) string {
		if label, _, ok := strings.Cut(s, ": "); ok {
			return label + ": 0"
		}
		return "0.0s"
	}), "127.0.0.1:8080")
}

// comparePlain is cmp for output with times and ports in it: cmpplain stdout want.
func comparePlain(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: cmpplain file want")
	}
	got, want := plain(ts.ReadFile(args[0])), plain(ts.ReadFile(args[1]))
	if *update && got != want {
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(got), 0o644))
		ts.Logf("%s is now:\n%s", args[1], got)
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		ts.Fatalf("%s (-want +got):\n%s", args[0], diff)
	}
}

func TestOllamaHost(t *testing.T) {
	for host, want := range map[string]string{
		"":                       "",
		"0.0.0.0":                "http://0.0.0.0:11434/v1",
		"box:8000":               "http://box:8000/v1",
		":8000":                  "http://localhost:8000/v1",
		"[::1]":                  "http://[::1]:11434/v1",
		"[::1]:8000":             "http://[::1]:8000/v1",
		"https://example.org":    "https://example.org/v1",
		" http://box:1/ollama/ ": "http://box:1/ollama/v1",
	} {
		if got := ollamaAddress(host); got != want {
			t.Errorf("ollamaAddress(%q) = %q, want %q", host, got, want)
		}
	}
}

func TestLineCannotSteerATerminal(t *testing.T) {
	if got, want := line("no\x1b[2J such\n model\u202e"), "no\uFFFD[2J such model\uFFFD"; got != want {
		t.Errorf("line gives %q, want %q", got, want)
	}
}
