package settings_test

import (
	"errors"
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

func TestBounds(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"model", "gpt", `"gpt": want provider/name, as deepseek/deepseek-chat`},
		{"base-url", "ftp://x", `"ftp://x": want an address as http://localhost:8080/v1, without a password`},
		{"base-url", "http://a:b@x/v1", `"http://a:b@x/v1": want an address as http://localhost:8080/v1, without a password`},
		{"no-llm", "maybe", `"maybe": want true or false`},
		{"max-cost", "-1", `"-1": want a number from 0 to 2.147483647e+09`},
		{"max-cost", "NaN", `"NaN": want a number from 0 to 2.147483647e+09`},
		{"max-tokens", "1.5", `"1.5": want a whole number from 0 to 2147483647`},
		{"max-steps", "1000000", `"1000000": want a whole number from 0 to 100000`},
		{"timeout", "-3s", `"-3s": want a time from 0 on, as 90s or 10m`},
		{"timeout", "3", `"3": want a time from 0 on, as 90s or 10m`},
		{"concurrency", "65", `"65": want a whole number from 0 to 64`},
		{"format", "xml", `"xml": want one of text, markdown, json, sarif`},
		{"lang", "de", `"de": want one of auto, en, zh`},
		{"vectors", "openai/", `"openai/": want none, minilm, openai/MODEL or ollama/MODEL`},
		{"vector", "http://x", `"http://x": want chroma://HOST:PORT`},
		{"cache-dir", "a\nb", `"a\nb": want one line of at most 4096 bytes`},
	} {
		_, _, err := settings.Load(settings.Input{Flags: map[string]string{tt.name: tt.value}})
		if want := tt.name + " (flag --" + tt.name + "): " + tt.want; err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestFiles(t *testing.T) {
	for name, tt := range map[string]struct {
		in   settings.Input
		want string
	}{
		"unknown":      {settings.Input{UserFile: user("modle: a/b")}, `config.yml:1:1: wrong settings file: there is no setting "modle"; did you mean model?`},
		"not theirs":   {settings.Input{RepoFile: repo("format: text\nbase-url: http://evil.example/v1")}, ".repomind.yml:2:1: wrong settings file: a repository cannot set base-url; the file of the user can, or a flag"},
		"a key":        {settings.Input{UserFile: user("openai-api-key: sk-x")}, "config.yml:1:1: wrong settings file: keys and tokens do not belong into a file; set the variable of the provider, as OPENAI_API_KEY"},
		"nested":       {settings.Input{UserFile: user("model:\n  name: x")}, "config.yml:2:7: wrong settings file: model wants a plain value"},
		"a list":       {settings.Input{UserFile: user("- model")}, "config.yml:1:1: wrong settings file: want lines of name: value"},
		"an alias":     {settings.Input{UserFile: user("model: &a x/y\nsmall-model: *a")}, "config.yml:1:8: wrong settings file: model wants a plain value\nconfig.yml:2:14: wrong settings file: small-model wants a plain value"},
		"two":          {settings.Input{UserFile: user("lang: en\n---\nlang: zh")}, "config.yml: wrong settings file: it holds 2 documents; want one"},
		"a variable":   {settings.Input{UserFile: user("state-dir: /x")}, "config.yml:1:1: wrong settings file: state-dir is set by the variable REPOMIND_STATE_DIR alone"},
		"large":        {settings.Input{UserFile: user(strings.Repeat("# x\n", 20_000))}, "config.yml: wrong settings file: more than 64 KB"},
		"out of bound": {settings.Input{UserFile: user("\nconcurrency: 99")}, `concurrency (config.yml:2): "99": want a whole number from 0 to 64`},
	} {
		_, _, err := settings.Load(tt.in)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v\nwant %s", name, err, tt.want)
		}
		if name != "out of bound" && !errors.Is(err, settings.ErrFile) {
			t.Errorf("%s is no ErrFile", name)
		}
	}
	for _, text := range []string{"", "\n", "# nothing\n", "lang: en\nlang: zh", "a: [", "\xff\xfe", "\tx: y", "? x"} {
		if _, _, err := settings.Load(settings.Input{UserFile: user(text)}); (err == nil) != (strings.TrimSpace(text) == "" || text[0] == '#') {
			t.Errorf("%q gives %v", text, err)
		}
	}
}

func TestUnknownVariables(t *testing.T) {
	_, warnings, err := settings.Load(settings.Input{Environ: []string{"REPOMIND_MAX_COTS=1", "REPOMIND_CACHE_DIR=/x", "REPOMIND_TEST_CHROMA=y", "HOME=/", "REPOMIND_ZZZ="}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"the variable REPOMIND_MAX_COTS means nothing; did you mean REPOMIND_MAX_COST?", "the variable REPOMIND_ZZZ means nothing"}
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

func FuzzRepoFile(f *testing.F) {
	f.Add("lang: en\nexclude: [a, b]\n")
	f.Add("a: &x [*x, *x]\n")
	f.Add("? {a: b}\n: [}")
	f.Fuzz(func(t *testing.T, text string) {
		l, _, _ := settings.Load(settings.Input{RepoFile: repo(text)})
		if l.Model != "" || l.BaseURL != "" || l.CacheDir != "" || l.NoLLM {
			t.Errorf("%q sets what it must not: %+v", text, l.Settings)
		}
	})
}
