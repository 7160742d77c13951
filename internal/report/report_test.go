package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func write(t *testing.T, f report.Format, a report.Analysis) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, f, a, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFormats(t *testing.T) {
	ext := map[report.Format]string{"text": ".txt", "markdown": ".md", "json": ".json", "sarif": ".sarif"}
	for name, a := range samples() {
		for f, e := range ext {
			golden(t, name+e, write(t, f, a))
		}
	}
	if _, err := report.ParseFormat("xml"); err == nil || err.Error() != `"xml" is no format; the formats are text, markdown, json, sarif` {
		t.Errorf("xml gives %v", err)
	}
}

// The schema is made of the types, so that it cannot say something else.
func TestSchema(t *testing.T) {
	enum := func(values ...any) *jsonschema.Schema { return &jsonschema.Schema{Type: "string", Enum: values} }
	s, err := jsonschema.For[report.Analysis](&jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[report.Status]():   enum("completed", "partial", "failed", "paused", "rejected"),
		reflect.TypeFor[report.Stop]():     enum("done", "budget", "timeout", "max_steps", "truncated", "auth", "provider_error", "approval", "no_model"),
		reflect.TypeFor[report.Kind]():     enum("bug", "feature", "question", "security"),
		reflect.TypeFor[report.Severity](): enum("critical", "high", "medium", "low"),
		reflect.TypeFor[report.Class]():    enum("CONFIRMED", "LIKELY", "INCONCLUSIVE"),
		reflect.TypeFor[report.State]():    enum("chosen", "ruled_out", "open"),
		reflect.TypeFor[report.FixClass](): enum("code_fix", "dependency_upgrade", "config_fix"),
		reflect.TypeFor[source.Commit]():   {Type: "string", Pattern: "^([0-9a-f]{40}|[0-9a-f]{64})?$"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", "RepoMind's report on an issue, schema_version "+report.SchemaVersion
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	data = append(data, '\n')
	if *update {
		if err := os.WriteFile("schema/analysis.json", data, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(data), string(report.Schema())); diff != "" {
		t.Errorf("the schema is not that of the types; run the test with -update (-want +got):\n%s", diff)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, a := range samples() {
		var v any
		if err := json.Unmarshal(write(t, "json", a), &v); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The fingerprint of a place stays when its lines move.
func TestFingerprintKnowsNoLines(t *testing.T) {
	prints := func(a report.Analysis) (out []string) {
		var log struct {
			Runs []struct {
				Results []struct {
					PartialFingerprints map[string]string
				}
			}
		}
		if err := json.Unmarshal(write(t, "sarif", a), &log); err != nil {
			t.Fatal(err)
		}
		for _, r := range log.Runs[0].Results {
			out = append(out, r.PartialFingerprints["repomind/v1"])
		}
		return out
	}
	a := samples()["confirmed"]
	before := prints(a)
	a.Locations = append([]report.Location(nil), a.Locations...)
	a.Locations[0].Start, a.Locations[0].End = 50, 51
	if diff := cmp.Diff(before, prints(a)); diff != "" || len(before) != 2 || before[0] == before[1] {
		t.Errorf("%q: %s", before, diff)
	}
}

func TestColour(t *testing.T) {
	var b bytes.Buffer
	if err := report.Write(&b, "text", samples()["hostile"], report.Options{Color: true, Width: 60}); err != nil {
		t.Fatal(err)
	}
	if left := regexp.MustCompile("\x1b\\[(?:0|1|2|36)m").ReplaceAllString(b.String(), ""); strings.ContainsAny(left, "\x1b\x07\u202e") || left == b.String() {
		t.Errorf("sequences that are not ours, or none:\n%q", left)
	}
}

var dangerous = regexp.MustCompile(`@[A-Za-z0-9]|#\d|(?i:GH-\d)|!\[|\]\(|(?i:https?:|www\.)|<[^!]`)

// outsideCode is Markdown without its code.
func outsideCode(s string) string {
	return regexp.MustCompile("(?s)```+.*?```+|``.*?``|`[^`]*`").ReplaceAllString(s, "")
}

func FuzzMarkdown(f *testing.F) {
	f.Add("@me fixes #1 `code` ![x](http://a) <b>", "a/b.py")
	f.Add("``a ` b`` ` unclosed\n\n`x`", "`|\n")
	f.Fuzz(func(t *testing.T, text, path string) {
		a := samples()["confirmed"]
		a.Subject.Web = "" // our own links are no danger
		a.LinkedFixes, a.Fix, a.Evidence, a.Hypotheses = nil, nil, nil, nil
		a.RootCause = &report.RootCause{Class: report.Likely, Statement: text}
		a.Locations = []report.Location{{Path: path, Symbol: text, Rank: 1, Why: text}}
		var b bytes.Buffer
		if err := report.Write(&b, "markdown", a, report.Options{}); err != nil {
			t.Fatal(err)
		}
		out := b.String()
		begin := strings.Index(out, "### Where")
		if begin < 0 || !strings.Contains(text, "`") && dangerous.MatchString(outsideCode(out[:begin])) {
			t.Errorf("%q gives %q", text, out)
		}
		for _, form := range []report.Format{"json", "sarif", "text"} {
			b.Reset()
			if err := report.Write(&b, form, a, report.Options{}); err != nil {
				t.Fatal(err)
			}
			if form != "text" && !json.Valid(b.Bytes()) {
				t.Errorf("%s is not JSON: %q", form, b.String())
			}
			if form == "text" && strings.ContainsAny(b.String(), "\x1b\r\x07\x00") {
				t.Errorf("the text has controls: %q", b.String())
			}
		}
	})
}
