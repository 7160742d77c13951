package report_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/report"
)

// order is a command as the runner of GitHub Actions understands it.
type order struct {
	name  string
	with  map[string]string
	about string
}

// parse reads a line as ActionCommand.TryParseV2 of actions/runner does.
func parse(line string) (order, error) {
	line, ok := strings.CutPrefix(strings.TrimSpace(line), "::")
	info, about, closed := strings.Cut(line, "::")
	if !ok || !closed {
		return order{}, fmt.Errorf("%q is no command", line)
	}
	name, properties, _ := strings.Cut(info, " ")
	o := order{name, map[string]string{}, strings.NewReplacer("%0D", "\r", "%0A", "\n", "%25", "%").Replace(about)}
	for _, p := range strings.Split(properties, ",") {
		key, value, _ := strings.Cut(p, "=")
		o.with[key] = strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%").Replace(value)
	}
	return o, nil
}

// orders are the commands of a review.
func orders(t *testing.T, r report.Review) (out []order) {
	t.Helper()
	text := string(writeReview(t, report.GitHub, r))
	if !strings.HasSuffix(text, "\n") {
		t.Errorf("the last line does not end: %q", text)
	}
	// .NET ends a line at \r as well.
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		o, err := parse(line)
		if err != nil {
			t.Error(err)
		}
		out = append(out, o)
	}
	return out
}

func TestCommandsAreEscaped(t *testing.T) {
	r := report.Review{Lang: "en", Verdict: report.Approve, Confidence: 1, Findings: []report.Finding{{
		ID: "f1", Lens: report.LensLogic, Rule: "a:b,c%", Severity: report.Medium, Path: "a, b:c%0A\r\n::d=e.py", Side: report.Right, Start: 3, End: 4,
		Message: "100%: a, b::c", Why: "line\r\n::error::no%0A",
	}}}
	const want = "::notice title=APPROVE%2C confidence 1.00::0 of 0 files reviewed\n" +
		"::warning file=a%2C b%3Ac%250A%0D%0A%3A%3Ad=e.py,line=3,endLine=4,title=medium%2C logic%3A a%3Ab%2Cc%25::100%25: a, b::c%0Aline%0A::error::no%250A\n"
	if diff := cmp.Diff(want, string(writeReview(t, report.GitHub, r))); diff != "" {
		t.Error(diff)
	}
}

// What the head does not have is on no line of it, and is named in the text.
func TestCommandsOutsideTheHead(t *testing.T) {
	got := map[string]order{}
	for _, o := range orders(t, reviews()["again"]) {
		got[o.about] = o
	}
	for about, with := range map[string]map[string]string{
		"shop/price.py:40-47 before the change: The check of the price is gone.\nA price of -1 reaches the total.": {"title": "medium, security"},
		"deploy/settings.py:3: The change adds a key of a service.":                                                {"title": "Resolved since the earlier review"},
	} {
		if diff := cmp.Diff(with, got[about].with); diff != "" {
			t.Errorf("%s: %s", about, diff)
		}
	}
}

func TestCommandLevels(t *testing.T) {
	var names []string
	for _, o := range orders(t, reviews()["changes"]) {
		names = append(names, o.name)
	}
	if diff := cmp.Diff([]string{"error", "error", "error", "warning", "notice"}, names); diff != "" {
		t.Error(diff)
	}
}

// Whatever the texts, each line is one command, and nothing begins another.
func FuzzGitHub(f *testing.F) {
	f.Add("a::b\n::error::c", "a,b:c%0A d.py", "x,file=y::")
	f.Add("a", "b::c=d", "::e")
	f.Add("\r::stop-commands::x\u2028::set-env name=a::b", "\n", "%25")
	f.Fuzz(func(t *testing.T, text, path, rule string) {
		r := reviews()["again"]
		r.VerdictWhy, r.Verdict = []string{text}, report.Verdict(text)
		for i := range r.Findings {
			f := &r.Findings[i]
			f.Message, f.Why, f.Path, f.Symbol, f.Rule, f.Severity = text, text, path, text, rule, report.Severity(rule)
		}
		all := orders(t, r)
		if len(all) != 1+len(r.Findings) {
			t.Errorf("%d commands", len(all))
		}
		for _, o := range all {
			if !slices.Contains([]string{"error", "warning", "notice"}, o.name) || o.about == "" {
				t.Errorf("%+v", o)
			}
			for key, value := range o.with {
				if !slices.Contains([]string{"file", "line", "endLine", "title"}, key) || key == "file" && value != path {
					t.Errorf("%s is %q, of %q", key, value, path)
				}
			}
		}
	})
}
