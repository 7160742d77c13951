package triage_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/issue/triage"
)

func TestRegression(t *testing.T) {
	for _, tt := range []struct {
		title, body string
		want        report.Regression
	}{
		{"Slow", "After upgrading Celery from 4.4.0 to 4.4.1 it is slow.", report.Regression{Is: true, Why: "upgrading Celery from 4.4.0 to 4.4.1", Good: "4.4.0", Bad: "4.4.1"}},
		{"Slow", "It works with 2.8.1, but not now.", report.Regression{Is: true, Why: "works with 2.8.1", Good: "2.8.1"}},
		{"Thicker border in 3.5.0+", "Since version 3.5.0 it is thick.", report.Regression{Is: true, Why: "Since version 3.5.0", Bad: "3.5.0"}},
		{"Slow", "This used to work.", report.Regression{Is: true, Why: "used to work"}},
		{"Regression: slow", "", report.Regression{Is: true, Why: "Regression: slow"}},
		{"Slow", "It is slow in 2.0.1.", report.Regression{}},
		{"Slow", "It fails since Python 3.12.1.", report.Regression{}},
		{"变慢", "升级后变慢。", report.Regression{Is: true, Why: "升级后"}},
		{"", "", report.Regression{}},
		{"Slow", "This works as expected with v0.122.0, but fails with v0.123.0.", report.Regression{Is: true, Why: "works as expected with v0.122.0", Good: "v0.122.0", Bad: "v0.123.0"}},
		{"Slow", "I updated from version 1.2 to version 1.3 and it is slow.", report.Regression{Is: true, Why: "updated from version 1.2 to version 1.3", Good: "1.2", Bad: "1.3"}},
		{"Slow", "5.1.1 works fine. It broke in 5.1.2.", report.Regression{Is: true, Why: "5.1.1 works fine", Good: "5.1.1", Bad: "5.1.2"}},
		{"Slow", "0.12.1 and earlier are unaffected.", report.Regression{Is: true, Why: "0.12.1 and earlier are unaffected", Good: "0.12.1"}},
		{"Slow", "It used to pass prior to 3.2.0.", report.Regression{Is: true, Why: "used to pass prior to 3.2.0", Bad: "3.2.0"}},
		{"变慢", "从 1.2.0 升级到 1.3.0 之后变慢。", report.Regression{Is: true, Why: "从 1.2.0 升级到 1.3.0", Good: "1.2.0", Bad: "1.3.0"}},

		{"Slow", "The flag is used to return rows.", report.Regression{}},
		{"Slow", "This option has been available since 1.3.0.", report.Regression{}},
		{"Slow", "It stops after 1.5 seconds.", report.Regression{}},
		{"Slow", "It fails with 2.0.1 and with 2.0.2.", report.Regression{}},
		{"Slow", "After upgrading Python from 3.11.1 to 3.12.0 it is slow.", report.Regression{}},
		{"Slow", "It worked once but failed in 3.2.0.", report.Regression{}},
		{"Slow", "It does not work in 3.2.0.", report.Regression{}},
		{"Slow", "```\nIt used to work.\n```", report.Regression{}},
		{"Linear regression is slow", "Run the regression tests.", report.Regression{}},
		{"Remove a helper that is no longer used", "", report.Regression{}},
		{"逻辑回归结果不对", "", report.Regression{}},
		{"希望升级到 2.0.0", "", report.Regression{}},
	} {
		if diff := cmp.Diff(tt.want, triage.Regression(github.Issue{Title: tt.title, Body: tt.body})); diff != "" {
			t.Errorf("%q, %q (-want +got):\n%s", tt.title, tt.body, diff)
		}
	}
}

func TestRegressionByLabel(t *testing.T) {
	is := github.Issue{Title: "Slow", Body: "Since 1.3.0 it is slow.", Labels: []string{"type: Regression"}}
	want := report.Regression{Is: true, Why: `it is labelled "type: Regression"`, Bad: "1.3.0"}
	if diff := cmp.Diff(want, triage.Regression(is)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	is = github.Issue{Title: "Slow", Labels: []string{"linear regression", "needs regression test"}}
	if diff := cmp.Diff(report.Regression{}, triage.Regression(is)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
