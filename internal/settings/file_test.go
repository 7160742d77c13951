package settings_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/repomind/repomind/internal/settings"
)

func TestFiles(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"unknown", "modle: a/b", `:1:1: wrong settings file: there is no setting "modle"; did you mean model?`},
		{"far from all", "a: b", `:1:1: wrong settings file: there is no setting "a"`},
		{"an underscore", "lang: en\nmax_tokens: 1", `:2:1: wrong settings file: there is no setting "max_tokens"; did you mean max-tokens?`},
		{"nested", "model:\n  name: x", ":2:7: wrong settings file: model wants a plain value"},
		{"a list", "- model", ":1:1: wrong settings file: want lines of name: value"},
		{"a list of values", "lang: [en, zh]", ":1:7: wrong settings file: lang wants a plain value"},
		{"a block", "lang: |\n  en", ":1:7: wrong settings file: lang wants a plain value"},
		{"an anchor", "model: &a x/y", ":1:8: wrong settings file: model wants a plain value"},
		{"an alias", "model: *a", ":1:8: wrong settings file: model wants a plain value"},
		{"a tag", "lang: !!str en", ":1:7: wrong settings file: lang wants a plain value"},
		{"a merge", "<<: {lang: en}", `:1:1: wrong settings file: "<<" is no name of a setting`},
		{"a number for a name", "1: en", `:1:1: wrong settings file: "1" is no name of a setting`},
		{"two documents", "lang: en\n---\nlang: zh", ": wrong settings file: it holds 2 documents; want one"},
		{"a variable", "state-dir: /x", ":1:1: wrong settings file: state-dir is set by the variable REPOMIND_STATE_DIR alone"},
		{"twice", "lang: en\nlang: zh", `:2:1: wrong settings file: mapping key "lang" already defined at [1:1]`},
		{"a tab", "lang: en\n\tformat: text", `:2:1: wrong settings file: found character '\t' that cannot start any token`},
		{"an open list", "a: [", ":1:4: wrong settings file: sequence end token ']' not found"},
		{"not UTF-8", "lang: en\n# \xff", ":2: wrong settings file: not UTF-8"},
		{"escapes in a name", "\"\\e[2J\": x", `:1:1: wrong settings file: there is no setting "\x1b[2J"`},
		{"escapes twice", "\"\\e[2J\": x\n\"\\e[2J\": y", `:2:1: wrong settings file: mapping key "\x1b[2J" already defined at [1:1]`},
	} {
		_, _, err := settings.Load(settings.Input{UserFile: user(tt.text)})
		if want := "config.yml" + tt.want; err == nil || err.Error() != want || !errors.Is(err, settings.ErrFile) {
			t.Errorf("%s: %v\nwant %s", tt.name, err, want)
		}
	}
}

// A value of a file that is out of its bounds is named with its line.
func TestValuesInFiles(t *testing.T) {
	for text, want := range map[string]string{
		"\nconcurrency: 99":        `concurrency (config.yml:2): "99": want a whole number from 0 to 64`,
		"max-cost: .nan":           `max-cost (config.yml:1): ".nan": want a number from 0 to 1000000`,
		"max-cost: .inf":           `max-cost (config.yml:1): ".inf": want a number from 0 to 1000000`,
		"max-tokens: '1'\nlang: ~": `lang (config.yml:2): "": want one of auto, en, zh`,
		"timeout: -1s":             `timeout (config.yml:1): "-1s": want a time from 0 on, as 90s or 10m`,
		"format: \"\\e[2J\"":       `format (config.yml:1): "\x1b[2J": want one of text, markdown, json, sarif, rdjson, github`,
	} {
		_, _, err := settings.Load(settings.Input{UserFile: user(text)})
		if err == nil || err.Error() != want || errors.Is(err, settings.ErrFile) {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

func TestFilesThatAreFine(t *testing.T) {
	for text, from := range map[string]settings.Source{
		"":                         settings.Default,
		"\n \n":                    settings.Default,
		"# nothing\n":              settings.Default,
		"lang: zh":                 "config.yml:1",
		"---\nlang: zh # ours\n":   "config.yml:2",
		"\ufeff\"lang\": 'zh'\r\n": "config.yml:1",
		"\r\n\r\nlang: zh\r\n":     "config.yml:3",
		"{no-llm: true, lang: zh}": "config.yml:1",
	} {
		l, _, err := settings.Load(settings.Input{UserFile: user(text)})
		if err != nil || l.From["lang"] != from || (l.Lang == "zh") != (from != settings.Default) {
			t.Errorf("%q gives %q from %q, %v; want %q", text, l.Lang, l.From["lang"], err, from)
		}
	}
}

func TestTheRepositorySetsLittle(t *testing.T) {
	for _, n := range settings.Names() {
		_, _, err := settings.Load(settings.Input{RepoFile: repo(n.Name + ": x")})
		if got := !errors.Is(err, settings.ErrFile); got != n.Repo || got != slices.Contains([]string{"lang", "format", "fail-on", "min-confidence", "max-findings", "include", "exclude", "lens"}, n.Name) {
			t.Errorf("%s: the repository may set it is %t: %v", n.Name, got, err)
		}
	}
	_, _, err := settings.Load(settings.Input{RepoFile: repo("format: text\nbase-url: http://evil.example/v1")})
	const want = ".repomind.yml:2:1: wrong settings file: a repository cannot set base-url; the file of the user can, or a flag"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

// A message about a key never holds it.
func TestNoFileHoldsAKey(t *testing.T) {
	const want = "config.yml:1:1: wrong settings file: keys and tokens do not belong into a file; set the variable of the provider, as OPENAI_API_KEY"
	for _, name := range []string{"openai-api-key", "API_KEY", "token", "gh_token", "client-secret", "password"} {
		for _, value := range []string{"sk-1234", "{sk-1234: sk-1234}", "[sk-1234]"} {
			if _, _, err := settings.Load(settings.Input{UserFile: user(name + ": " + value)}); err == nil || err.Error() != want {
				t.Errorf("%s: %v\nwant %s", name, err, want)
			}
		}
	}
	for _, text := range []string{"api-key: sk-1234\nx: [", "api-key sk-1234", "api-key: sk-1234: x", "api-key: 'sk-1234", "api-key: a\napi-key: sk-1234", "sk-1234"} {
		if _, _, err := settings.Load(settings.Input{UserFile: user(text)}); err == nil || strings.Contains(err.Error(), "1234") {
			t.Errorf("%q gives %v", text, err)
		}
	}
}

func TestSizeOfAFile(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"large", strings.Repeat("x", 10<<20), ": wrong settings file: more than 64 KB"},
		{"many lines", strings.Repeat("\r", 1001), ": wrong settings file: more than 1000 lines"},
		{"a long line", "lang: en\n#" + strings.Repeat(" ", 4096), ":2: wrong settings file: a line of more than 4096 bytes"},
		{"deep", strings.Repeat("[{", 501), ": wrong settings file: more than 1000 brackets"},
	} {
		_, _, err := settings.Load(settings.Input{UserFile: user(tt.text)})
		if want := "config.yml" + tt.want; err == nil || err.Error() != want || !errors.Is(err, settings.ErrFile) {
			t.Errorf("%s: %v\nwant %s", tt.name, err, want)
		}
	}
	fine := strings.Repeat("#\n", 998) + "#" + strings.Repeat(" [", 1000) + "\nlang: zh"
	if l, _, err := settings.Load(settings.Input{UserFile: user(fine)}); err != nil || l.Lang != "zh" {
		t.Errorf("at the bounds: %q, %v", l.Lang, err)
	}
}

// The worst that was found within the bounds allocates 117 MB; without them it is 9 GB.
func TestTheWorstFilesAreBounded(t *testing.T) {
	for name, text := range map[string]string{
		"brackets": "lang: " + strings.Repeat("[", 1000),
		"braces":   strings.Repeat("{a: ", 1000),
		"dashes":   strings.Repeat(strings.Repeat("- ", 2040)+"\n", 15),
		"commas":   "{" + strings.Repeat(strings.Repeat("a,", 2000)+"\n", 15),
		"folded":   "lang: >\n" + strings.Repeat("\n", 990),
		"aliases":  "[" + strings.Repeat(strings.Repeat("*a,", 1300)+"\n", 15) + "]",
		"blanks":   "lang: >\n" + strings.Repeat(strings.Repeat(" ", 60)+"\n", 990),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, _, err := settings.Load(settings.Input{RepoFile: repo(text)}); err == nil {
			t.Errorf("%s: no error", name)
		}
		runtime.ReadMemStats(&after)
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 256 {
			t.Errorf("%s allocates %d MB", name, mb)
		}
	}
}

func TestFewSentencesAboutOneFile(t *testing.T) {
	var text strings.Builder
	for i := range 900 {
		fmt.Fprintf(&text, "x%d: 1\n", i)
	}
	_, _, err := settings.Load(settings.Input{RepoFile: repo(text.String())})
	got := strings.Split(fmt.Sprint(err), "\n")
	const last = ".repomind.yml:11:1: wrong settings file: and so on: 10 things are wrong before this"
	if len(got) != 11 || got[len(got)-1] != last {
		t.Errorf("%d sentences, the last %s", len(got), got[len(got)-1])
	}
}

// Whatever a repository writes: it sets how a report looks and what is reviewed, within their
// bounds, and nothing else; and what is said about it is short and can be printed.
func FuzzRepoFile(f *testing.F) {
	for _, text := range []string{
		"lang: en\nexclude: [a, b]\n", "a: &x [*x, *x]\n", "? {a: b}\n: [}", "format: json\nlang: zh", "<<: *a", "lang: >\n\n\n x",
		"instructions:\n- path: a\n  text: b\n- {path: '[', text: c}\ninclude: ['**/*.go']\n", "%YAML 1.2\n---\nlang: en", "\"\\e[2J\": |\n x", "\ufefflang: !!binary eA==", "a:\r\n\t- b", "api-key: x", "lang: 'a\x1b[2J'",
	} {
		f.Add(text)
	}
	want, _, err := settings.Load(settings.Input{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, _, err := settings.Load(settings.Input{RepoFile: repo(text)})
		if err != nil {
			saidWell(t, text, err.Error())
		} else if !slices.Contains([]string{"auto", "en", "zh"}, l.Lang) || !slices.Contains([]string{"text", "markdown", "json", "sarif", "rdjson", "github"}, l.Format) || !(l.MinConfidence >= 0 && l.MinConfidence <= 1) {
			t.Errorf("%q is out of bounds: %+v", text, l.Settings)
		}
		got := l.Settings
		got.Lang, got.Format, got.FailOn, got.MinConfidence, got.MaxFindings = want.Lang, want.Format, want.FailOn, want.MinConfidence, want.MaxFindings
		got.Include, got.Exclude, got.Lenses, got.Instructions = nil, nil, nil, nil
		if diff := cmp.Diff(want.Settings, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q sets what it must not: %s", text, diff)
		}
	})
}

func saidWell(t *testing.T, text, said string) {
	t.Helper()
	hidden := strings.ContainsFunc(said, func(r rune) bool { return !unicode.IsPrint(r) && r != '\n' })
	if hidden || !utf8.ValidString(said) || len(said) > 8<<10 {
		t.Errorf("%q: %q", text, said)
	}
}

func TestWhatIsReviewed(t *testing.T) {
	root := repo("exclude: [docs/**, '*.{md,rst}']\nfail-on: medium\ninstructions:\n  - path: src/db/**\n    text: Queries go through query.go.\n")
	near := settings.File{Name: "src/.repomind.yml", Data: []byte("fail-on: low\nlens: logic\n")}
	l, _, err := settings.Load(settings.Input{RepoFile: root, Nearer: []settings.File{near}, Flags: map[string]string{"max-findings": "3", "include": "src/**,*.{go,mod}"}})
	if err != nil {
		t.Fatal(err)
	}
	want := settings.Settings{
		FailOn: "low", MaxFindings: 3, MinConfidence: 0.7, Exclude: []string{"docs/**", "*.{md,rst}"}, Include: []string{"src/**", "*.{go,mod}"}, Lenses: []string{"logic"},
		Instructions: []settings.Instruction{{Path: "src/db/**", Text: "Queries go through query.go."}}, Format: "text", Lang: "auto", Vectors: "none",
	}
	if diff := cmp.Diff(want, l.Settings); diff != "" {
		t.Error(diff)
	}
	if l.From["fail-on"] != "src/.repomind.yml:1" || l.From["exclude"] != ".repomind.yml:1" || l.From["include"] != "flag --include" {
		t.Errorf("the sources are %v", l.From)
	}
	for text, want := range map[string]string{
		"lens: [logic, taste]":                        `lens (.repomind.yml:1): "taste": want some of security, style, logic`,
		"exclude: {a: b}":                             ".repomind.yml:1:10: wrong settings file: exclude wants a list of plain values",
		"exclude: ['a,b']":                            ".repomind.yml:1:10: wrong settings file: exclude wants a list of plain values",
		"exclude: ['[']":                              `exclude (.repomind.yml:1): "[": want a glob of paths, as src/**/*.go or *.md`,
		"min-confidence: 1.5":                         `min-confidence (.repomind.yml:1): "1.5": want a number from 0 to 1`,
		"fail-on: blocker":                            `fail-on (.repomind.yml:1): "blocker": want one of none, low, medium, high, critical`,
		"instructions: be kind":                       ".repomind.yml:1:15: wrong settings file: instructions wants a list, each with path and text",
		"instructions: [{path: a}]":                   ".repomind.yml:1:16: wrong settings file: an instruction wants path and text",
		"instructions: [{path: a, text: b, when: c}]": ".repomind.yml:1:35: wrong settings file: an instruction has path and text, and no \"when\"",
	} {
		if _, _, err := settings.Load(settings.Input{RepoFile: repo(text)}); err == nil || err.Error() != want {
			t.Errorf("%q gives %v\nwant %s", text, err, want)
		}
	}
}
