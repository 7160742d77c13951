package triage_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/issue/triage"
)

func TestKindByLabel(t *testing.T) {
	for _, tt := range []struct {
		labels string // with commas between
		want   report.Kind
		why    string
		sure   bool
	}{
		{"kind/bug", report.Bug, `it is labelled "kind/bug"`, true},
		{"C-Bug,P-high", report.Bug, `it is labelled "C-Bug"`, true},
		{"Issue Type: Bug Report", report.Bug, `it is labelled "Issue Type: Bug Report"`, true},
		{"🐛 BUG", report.Bug, `it is labelled "🐛 BUG"`, true},
		{"confirmed bug", report.Bug, `it is labelled "confirmed bug"`, true},
		{"缺陷", report.Bug, `it is labelled "缺陷"`, true},
		{"False Positive 🦟", report.Bug, `it is labelled "False Positive 🦟"`, true},
		{"type: feature request", report.Feature, `it is labelled "type: feature request"`, true},
		{"Enhancement ✨", report.Feature, `it is labelled "Enhancement ✨"`, true},
		{"kind/new-feature", report.Feature, `it is labelled "kind/new-feature"`, true},
		{"功能请求", report.Feature, `it is labelled "功能请求"`, true},
		{"status: support", report.Question, `it is labelled "status: support"`, true},
		{"提问", report.Question, `it is labelled "提问"`, true},
		{"type:security", report.Security, `it is labelled "type:security"`, true},
		{"bug,vulnerability", report.Security, `it is labelled "vulnerability"`, true},

		{"area/security,component: bug tracker", report.Bug, "nothing says that it is something else", false},
		{"needs-triage,help wanted,good first issue", report.Bug, "nothing says that it is something else", false},
		{"Python 3.12 support", report.Bug, "nothing says that it is something else", false},
		{"security review needed", report.Bug, "nothing says that it is something else", false},
		{"documentation", report.Bug, "nothing says that it is something else", false},
		{"not a bug", report.Question, `it is labelled "not a bug"`, false},
		{"works as intended", report.Question, `it is labelled "works as intended"`, false},
		{"possible bug", report.Bug, `it is labelled "possible bug"`, false},
		{"discussion 💬", report.Question, `it is labelled "discussion 💬"`, false},
		{"bug,enhancement", report.Bug, `it is labelled "bug"`, false},
		{"question,enhancement", report.Feature, `it is labelled "enhancement"`, false},
		{"\xff", report.Bug, "nothing says that it is something else", false},
	} {
		is := github.Issue{Title: "Cookies", Labels: strings.Split(tt.labels, ",")}
		want := triage.Verdict[report.Kind]{Value: tt.want, Why: tt.why, Sure: tt.sure}
		if diff := cmp.Diff(want, triage.Kind(is)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.labels, diff)
		}
	}
}

func TestLabelsThatDisagreeLeaveItToTheWording(t *testing.T) {
	is := github.Issue{Title: "Support YAML", Body: "How do I do this?", Labels: []string{"bug", "enhancement"}}
	want := triage.Verdict[report.Kind]{Value: report.Feature, Why: `it is labelled "enhancement", it says "support"`}
	if diff := cmp.Diff(want, triage.Kind(is)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
