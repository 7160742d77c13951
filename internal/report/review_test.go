package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/report"
)

func writeReview(t *testing.T, f report.Format, r report.Review) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteReview(&b, f, r, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReviewFormats(t *testing.T) {
	for name, r := range reviews() {
		for _, f := range report.ReviewFormats {
			golden(t, "review-"+name+f.Ext, writeReview(t, f.Name, r))
		}
	}
}

func TestParseReviewFormat(t *testing.T) {
	for _, f := range report.ReviewFormats {
		if got, err := report.ParseReviewFormat(string(f.Name)); got != f.Name || err != nil {
			t.Errorf("%s is %q, %v", f.Name, got, err)
		}
	}
	const want = `"xml" is no format; the formats are text, markdown, json, sarif, rdjson, github`
	if _, err := report.ParseReviewFormat("xml"); err == nil || err.Error() != want {
		t.Errorf("xml gives %v", err)
	}
	if err := report.WriteReview(&bytes.Buffer{}, "xml", report.Review{}, report.Options{}); err == nil || err.Error() != want {
		t.Errorf("writing xml gives %v", err)
	}
	const none = `"rdjson" is no format; the formats are text, markdown, json, sarif`
	if _, err := report.ParseFormat("rdjson"); err == nil || err.Error() != none {
		t.Errorf("rdjson of an analysis gives %v", err)
	}
}

func TestReviewErrors(t *testing.T) {
	r := reviews()["changes"]
	for _, f := range report.ReviewFormats {
		if err := report.WriteReview(full{}, f.Name, r, report.Options{}); !errors.Is(err, errFull) {
			t.Errorf("%s on a full disk gives %v", f.Name, err)
		}
	}
	r.Confidence = math.NaN()
	if err := report.WriteReview(&bytes.Buffer{}, report.JSON, r, report.Options{}); err == nil || err.Error() != "encode the report: json: unsupported value: NaN" {
		t.Errorf("NaN gives %v", err)
	}
}

func TestReviewColour(t *testing.T) {
	var b bytes.Buffer
	if err := report.WriteReview(&b, "text", reviews()["hostile"], report.Options{Color: true, Width: 60}); err != nil {
		t.Fatal(err)
	}
	if left := regexp.MustCompile("\x1b\\[(?:0|1|2|31|32|33|36)m").ReplaceAllString(b.String(), ""); unprintable(left) >= 0 || left == b.String() {
		t.Errorf("sequences that are not ours, or none:\n%q", left)
	}
}

// A finding of an approval, a list that is empty and a part that is not there say nothing.
func TestReviewIsQuiet(t *testing.T) {
	r := reviews()["approve"]
	r.Coverage.Skipped, r.Checked = nil, report.Checked{}
	const want = "APPROVE  confidence 0.90  #12 Add counts to carts\no/shop#12 0123456789ab...89abcdef0123 by ann\n2 of 3 files reviewed\n\n" +
		"every changed source file was seen by every lens, and nothing is at the threshold high\n"
	if got := string(writeReview(t, report.Text, r)); got != want {
		t.Errorf("got\n%s", got)
	}
}

// Links to what was changed are pinned to the commit that has it.
func TestReviewLinks(t *testing.T) {
	got := string(writeReview(t, report.Markdown, reviews()["changes"]))
	for _, want := range []string{"/blob/" + headSHA + "/shop/cart.py#L5-L7)", "/blob/" + sha + "/shop/price.py#L40-L47) before the change"} {
		if !strings.Contains(got, want) {
			t.Errorf("no link %s in\n%s", want, got)
		}
	}
}

// A review of a very large change can still be posted, and says what it leaves out.
func TestReviewMarkdownCanBePosted(t *testing.T) {
	r := reviews()["changes"]
	for _, f := range slices.Clone(r.Findings) {
		r.Findings = append(r.Findings, slices.Repeat([]report.Finding{f}, 300)...)
	}
	r.Coverage.Skipped = slices.Repeat(r.Coverage.Skipped, 2000)
	got := string(writeReview(t, report.Markdown, r))
	if n := utf8.RuneCountInString(got); n < 30_000 || n > 65_536 {
		t.Errorf("%d signs", n)
	}
	for _, want := range []string{"The change adds a key", "- shop/huge.py: is larger", "\n\nParts left out, as the text would be too long: "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q at the end %s", want, got[len(got)-500:])
		}
	}
}

func FuzzWriteReview(f *testing.F) {
	f.Add("@me fixes #1 `code` ![x](http://a) <b>", "a/b.py", 60)
	f.Add("第\x1b[2J\u202e二次\xff``\n::error::x", "`|\n", 1)
	f.Fuzz(func(t *testing.T, text, path string, width int) {
		r := reviews()["again"]
		r.Subject.Title, r.VerdictWhy, r.Warnings = text, []string{text}, []string{text}
		r.Coverage.Skipped = []report.Skipped{{Path: path, Reason: text}}
		for i := range r.Findings {
			f := &r.Findings[i]
			f.ID, f.Message, f.Why, f.Path, f.Symbol, f.Quote, f.Suggestion, f.Rule = text, text, text, path, text, text, text, text
		}
		for _, form := range report.ReviewFormats {
			var b bytes.Buffer
			if err := report.WriteReview(&b, form.Name, r, report.Options{Width: width % 500}); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(string(form.Name), "json") && !json.Valid(b.Bytes()) {
				t.Errorf("%s is not JSON: %q", form.Name, b.String())
			}
			if i := unprintable(strings.ReplaceAll(b.String(), "\t", "")); i >= 0 && form.Name != report.Markdown {
				t.Errorf("%s has controls: %q", form.Name, b.String()[i:])
			}
		}
	})
}
