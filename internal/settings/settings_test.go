package settings_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/settings"
)

func user(text string) settings.File { return settings.File{Name: "config.yml", Data: []byte(text)} }
func repo(text string) settings.File {
	return settings.File{Name: ".repomind.yml", Data: []byte(text)}
}

func environment(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

// Each source goes before those that follow it.
func TestPrecedence(t *testing.T) {
	in := settings.Input{
		Flags:    map[string]string{"lang": "zh"},
		Getenv:   environment(map[string]string{"REPOMIND_LANG": "en", "REPOMIND_FORMAT": "json", "REPOMIND_MAX_COST": "0.5"}),
		RepoFile: repo("lang: en\nformat: markdown\n"),
		UserFile: user("# mine\nformat: sarif\nmodel: ollama/qwen2.5-coder:7b\nmax-tokens: 1000\ntimeout: 10m\nno-llm: true\n"),
	}
	l, warnings, err := settings.Load(in)
	if err != nil || len(warnings) != 0 {
		t.Fatal(warnings, err)
	}
	want := settings.Settings{
		Model: "ollama/qwen2.5-coder:7b", NoLLM: true, MaxCost: 0.5, MaxTokens: 1000, Timeout: 10 * time.Minute, Format: "json", Lang: "zh", Vectors: "none",
		FailOn: "high", MinConfidence: 0.7, MaxFindings: 10,
	}
	if diff := cmp.Diff(want, l.Settings); diff != "" {
		t.Error(diff)
	}
	for name, from := range map[string]settings.Source{
		"lang": "flag --lang", "format": "REPOMIND_FORMAT", "model": "config.yml:3", "vectors": "default",
	} {
		if l.From[name] != from {
			t.Errorf("%s comes from %q, want %q", name, l.From[name], from)
		}
	}
}

// What goes before all others is taken away, again and again.
func TestEachSource(t *testing.T) {
	in := settings.Input{
		Flags:    map[string]string{"format": "text"},
		Getenv:   environment(map[string]string{"REPOMIND_FORMAT": "markdown"}),
		RepoFile: repo("# ours\nformat: json\n"),
		UserFile: user("format: sarif\n"),
	}
	for _, tt := range []struct {
		value string
		from  settings.Source
		drop  func()
	}{
		{"text", "flag --format", func() { in.Flags = nil }},
		{"markdown", "REPOMIND_FORMAT", func() { in.Getenv = nil }},
		{"json", ".repomind.yml:2", func() { in.RepoFile = settings.File{} }},
		{"sarif", "config.yml:1", func() { in.UserFile = settings.File{} }},
		{"text", settings.Default, func() {}},
	} {
		l, _, err := settings.Load(in)
		if err != nil || l.Format != tt.value || l.From["format"] != tt.from {
			t.Errorf("%q from %q, %v; want %q from %q", l.Format, l.From["format"], err, tt.value, tt.from)
		}
		tt.drop()
	}
}

// At its bounds a value is still taken, and shown as it will be understood.
func TestWithinBounds(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"max-cost", "0.25", "0.25"},
		{"max-tokens", "2147483647", "2147483647"},
		{"max-steps", "100000", "100000"},
		{"timeout", "90s", "1m30s"},
		{"timeout", "0", "0s"},
		{"concurrency", "64", "64"},
		{"no-llm", "1", "true"},
		{"model", "openrouter/a/b:free", "openrouter/a/b:free"},
		{"base-url", "http://[::1]:8080/v1", "http://[::1]:8080/v1"},
		{"vectors", "ollama/bge-m3", "ollama/bge-m3"},
		{"vector", "chroma://localhost:8000", "chroma://localhost:8000"},
		{"cache-dir", "/srv/mit Leerzeichen/缓存", "/srv/mit Leerzeichen/缓存"},
	} {
		l, _, err := settings.Load(settings.Input{Flags: map[string]string{tt.name: tt.value}})
		if err != nil {
			t.Errorf("%s %s: %v", tt.name, tt.value, err)
		}
		for _, row := range l.Table() {
			if row.Name == tt.name && row.Value != tt.want {
				t.Errorf("%s %s is shown as %s, want %s", tt.name, tt.value, row.Value, tt.want)
			}
		}
	}
}

func TestErrorsAreJoined(t *testing.T) {
	_, _, err := settings.Load(settings.Input{
		Flags:    map[string]string{"lang": "de"},
		Getenv:   environment(map[string]string{"REPOMIND_MAX_STEPS": "x"}),
		RepoFile: repo("model: a/b"),
		UserFile: user("concurrency: 99"),
	})
	want := `.repomind.yml:1:1: wrong settings file: a repository cannot set model; the file of the user can, or a flag
max-steps (REPOMIND_MAX_STEPS): "x": want a whole number from 0 to 100000
concurrency (config.yml:1): "99": want a whole number from 0 to 64
lang (flag --lang): "de": want one of auto, en, zh`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestBounds(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"model", "gpt", `"gpt": want provider/name, as deepseek/deepseek-chat`},
		{"base-url", "ftp://x", `"ftp://x": want an address as http://localhost:8080/v1, without a password or a query`},
		{"base-url", "http://a:b@x/v1", `"…@x/v1": want an address as http://localhost:8080/v1, without a password or a query`},
		{"base-url", "http://x/v1?key=abc", `"http://x/v1?…": want an address as http://localhost:8080/v1, without a password or a query`},
		{"small-model", "a/", `"a/": want provider/name, as deepseek/deepseek-chat`},
		{"critic-model", "/b", `"/b": want provider/name, as deepseek/deepseek-chat`},
		{"no-llm", "maybe", `"maybe": want true or false`},
		{"max-cost", "-1", `"-1": want a number from 0 to 1000000`},
		{"max-cost", "NaN", `"NaN": want a number from 0 to 1000000`},
		{"max-cost", "Inf", `"Inf": want a number from 0 to 1000000`},
		{"max-cost", "1e400", `"1e400": want a number from 0 to 1000000`},
		{"max-tokens", "99999999999999999999", `"99999999999999999999": want a whole number from 0 to 2147483647`},
		{"max-tokens", "1.5", `"1.5": want a whole number from 0 to 2147483647`},
		{"max-steps", "1000000", `"1000000": want a whole number from 0 to 100000`},
		{"timeout", "-3s", `"-3s": want a time from 0 on, as 90s or 10m`},
		{"timeout", "3", `"3": want a time from 0 on, as 90s or 10m`},
		{"timeout", "9999999h", `"9999999h": want a time from 0 on, as 90s or 10m`},
		{"concurrency", "-1", `"-1": want a whole number from 0 to 64`},
		{"concurrency", "65", `"65": want a whole number from 0 to 64`},
		{"format", "xml", `"xml": want one of text, markdown, json, sarif, rdjson, github`},
		{"lang", "de", `"de": want one of auto, en, zh`},
		{"vectors", "openai/", `"openai/": want none, minilm, openai/MODEL or ollama/MODEL`},
		{"vector", "http://x", `"http://x": want chroma://HOST:PORT`},
		{"vector", "chroma://a:b@x:1", `"…@x:1": want chroma://HOST:PORT`},
		{"cache-dir", "a\nb", `"a\nb": want one line of at most 4096 bytes without control characters`},
		{"model", "a/\u009bb", `"a/\u009bb": want one line of at most 4096 bytes without control characters`},
		{"state-dir", "a\u202eb", `"a\u202eb": want one line of at most 4096 bytes without control characters`},
		{"vision-model", strings.Repeat("x", 4097), `"` + strings.Repeat("x", 40) + `": want one line of at most 4096 bytes without control characters`},
	} {
		_, _, err := settings.Load(settings.Input{Flags: map[string]string{tt.name: tt.value}})
		if want := tt.name + " (flag --" + tt.name + "): " + tt.want; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestUnknownVariables(t *testing.T) {
	_, warnings, err := settings.Load(settings.Input{Environ: []string{"REPOMIND_MAX_COTS=1", "REPOMIND_CACHE_DIR=/x", "REPOMIND_TEST_CHROMA=y", "HOME=/", "REPOMIND_ZZZ=", "REPOMIND_FAIL\x1b[2J="}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`the variable "REPOMIND_FAIL\x1b[2J" means nothing`, "the variable REPOMIND_MAX_COTS means nothing; did you mean REPOMIND_MAX_COST?", "the variable REPOMIND_ZZZ means nothing"}
	if diff := cmp.Diff(want, warnings); diff != "" {
		t.Error(diff)
	}
}

func TestTableHasAll(t *testing.T) {
	l, _, err := settings.Load(settings.Input{})
	if err != nil {
		t.Fatal(err)
	}
	rows := l.Table()
	if len(rows) != len(settings.Names()) || rows[0].Name != "model" || rows[0].Source != "default" {
		t.Errorf("%d rows, the first %+v", len(rows), rows[0])
	}
	for _, n := range settings.Names() {
		if !strings.Contains(settings.EnvExample(), "#"+n.Variable+"="+n.Default+"\n") {
			t.Errorf("%s is not in the example", n.Variable)
		}
	}
}
