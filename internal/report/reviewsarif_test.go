package report_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/report"
)

func reviewLog(t *testing.T, r report.Review) log {
	t.Helper()
	var l log
	if err := json.Unmarshal(writeReview(t, report.SARIF, r), &l); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestReviewSARIFHasWhatItRequires(t *testing.T) {
	for name, r := range reviews() {
		run := reviewLog(t, r).Runs[0]
		if run.Tool.Driver.Name == "" || run.Tool.Driver.Rules == nil || run.AutomationDetails.ID != "repomind/review/" || run.Results == nil {
			t.Errorf("%s: %+v", name, run)
		}
		rules := map[string]bool{}
		for _, rule := range run.Tool.Driver.Rules {
			if rules[rule.ID] || rule.ShortDescription.Text == "" {
				t.Errorf("%s has %+v, perhaps twice", name, rule)
			}
			rules[rule.ID] = true
		}
		prints := map[string]report.Finding{}
		for _, f := range r.Findings {
			if f.Side == report.Left {
				f.Start = 0 // the head does not have its lines
			}
			prints[f.Fingerprint] = f
		}
		for _, res := range run.Results {
			f := prints[res.PartialFingerprints["repomind/v1"]]
			required(t, report.Location{Path: f.Path, Start: f.Start, End: f.End}, res)
			if !rules[res.RuleID] || f.Progress == report.Resolved {
				t.Errorf("%s has %+v", name, res)
			}
		}
	}
}

// The score of a rule is that of its worst finding.
func TestReviewSARIFGradesWeaknesses(t *testing.T) {
	r := reviews()["changes"]
	r.Findings = []report.Finding{
		{Lens: report.LensSecurity, Rule: "injection", Severity: report.Low, Path: "a"},
		{Lens: report.LensSecurity, Rule: "injection", Severity: report.Critical, Path: "b"},
		{Lens: report.LensLogic, Rule: "logic", Severity: report.High, Path: "c"},
	}
	got := map[string]any{}
	for _, rule := range reviewLog(t, r).Runs[0].Tool.Driver.Rules {
		got[rule.ID] = rule.Properties
	}
	want := map[string]any{"security/injection": map[string]any{"tags": []any{"security"}, "security-severity": "9.5"}, "logic/logic": map[string]any(nil)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReviewSARIFHasNoMoreThanGitHubTakes(t *testing.T) {
	r := reviews()["changes"]
	r.Findings = []report.Finding{{Path: "worst", Severity: report.Critical, Lens: report.LensLogic}}
	for i := range 6000 {
		r.Findings = append(r.Findings, report.Finding{Path: fmt.Sprint(i), Severity: report.Low, Lens: report.LensLogic})
	}
	got := reviewLog(t, r).Runs[0].Results
	if len(got) != 5000 || got[0].Level != "error" {
		t.Errorf("%d results, the first is %+v", len(got), got[0])
	}
}
