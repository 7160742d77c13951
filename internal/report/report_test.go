package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/report"
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
	for name, a := range samples() {
		for _, f := range report.Formats {
			golden(t, name+f.Ext, write(t, f.Name, a))
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range report.Formats {
		if got, err := report.ParseFormat(string(f.Name)); got != f.Name || err != nil {
			t.Errorf("%s is %q, %v", f.Name, got, err)
		}
	}
	const want = `"xml" is no format; the formats are text, markdown, json, sarif`
	if _, err := report.ParseFormat("xml"); err == nil || err.Error() != want {
		t.Errorf("xml gives %v", err)
	}
	if err := report.Write(&bytes.Buffer{}, "xml", report.Analysis{}, report.Options{}); err == nil || err.Error() != want {
		t.Errorf("writing xml gives %v", err)
	}
}

func TestErrors(t *testing.T) {
	for _, f := range report.Formats {
		if err := report.Write(full{}, f.Name, samples()["confirmed"], report.Options{}); !errors.Is(err, errFull) {
			t.Errorf("%s on a full disk gives %v", f.Name, err)
		}
	}
	a := samples()["confirmed"]
	a.Confidence = math.NaN()
	if err := report.Write(&bytes.Buffer{}, report.JSON, a, report.Options{}); err == nil || err.Error() != "encode the report: json: unsupported value: NaN" {
		t.Errorf("NaN gives %v", err)
	}
}

var errFull = errors.New("the disk is full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestColour(t *testing.T) {
	var b bytes.Buffer
	if err := report.Write(&b, "text", samples()["hostile"], report.Options{Color: true, Width: 60}); err != nil {
		t.Fatal(err)
	}
	if left := regexp.MustCompile("\x1b\\[(?:0|1|2|36)m").ReplaceAllString(b.String(), ""); strings.ContainsAny(left, "\x1b\x07\u202e") || left == b.String() {
		t.Errorf("sequences that are not ours, or none:\n%q", left)
	}
}

// unprintable is where the first sign is that a terminal could obey or that hides, or -1.
// Joiners hold emoji and words together.
func unprintable(s string) int {
	return strings.IndexFunc(s, func(r rune) bool {
		return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) && r != '\n' && r != '\u200d' && r != '\u200c'
	})
}

func FuzzWrite(f *testing.F) {
	f.Add("@me fixes #1 `code` ![x](http://a) <b>", "a/b.py", 60)
	f.Add("第\x1b[2J\u202e二次\xff``", "`|\n", 1)
	f.Fuzz(func(t *testing.T, text, path string, width int) {
		a := samples()["confirmed"]
		a.Subject.Title, a.RootCause.Statement, a.Warnings = text, text, []string{text}
		a.Locations = []report.Location{{Path: path, Symbol: text, Rank: 1, Why: text}}
		a.Evidence = []report.Evidence{quote("e1", path, 3, 4, text, text)}
		a.Hypotheses = []report.Hypothesis{{Statement: text, State: report.Open, Reason: text}}
		a.Fix = &report.Fix{Suggestion: text, Files: []string{path}}
		for _, form := range report.Formats {
			var b bytes.Buffer
			if err := report.Write(&b, form.Name, a, report.Options{Width: width % 500}); err != nil {
				t.Fatal(err)
			}
			if (form.Name == report.JSON || form.Name == report.SARIF) && !json.Valid(b.Bytes()) {
				t.Errorf("%s is not JSON: %q", form.Name, b.String())
			}
			if i := unprintable(strings.ReplaceAll(b.String(), "\t", "")); i >= 0 && form.Name != report.Markdown {
				t.Errorf("%s has controls: %q", form.Name, b.String()[i:])
			}
		}
	})
}
