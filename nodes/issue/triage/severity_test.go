package triage_test

import (
	"testing"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/issue/triage"
)

func TestSeverity(t *testing.T) {
	for _, tt := range []struct {
		title, body, label string
		kind               report.Kind
		want               report.Severity
		why                string
	}{
		{"It", "", "priority: high", report.Bug, report.High, `it is labelled "priority: high"`},
		{"It", "", "P0", report.Bug, report.Critical, `it is labelled "P0"`},
		{"A typo in the docs", "", "", report.Bug, report.Low, `it says "typo"`},
		{"Deadlock when closing", "", "", report.Bug, report.High, `it says "deadlock"`},
		{"Rows", "It corrupts the database.", "", report.Bug, report.Critical, `it says "corrupts the database"`},
		{"Rows", "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n\t/a/main.go:3 +0x1\n", "", report.Bug, report.High, "it ends in a crash"},
		{"Rows are sorted wrongly", "", "", report.Bug, report.Medium, "no sign says that it is worse, or less"},
		{"Support rows", "", "", report.Feature, report.Low, "nothing is broken"},
		{"Rows", "", "", report.Security, report.High, "it is a matter of security"},
		{"It", "", "severity/critical", report.Bug, report.Critical, `it is labelled "severity/critical"`},
		{"It", "", "P1", report.Feature, report.High, `it is labelled "P1"`},
		{"It", "", "area: high-level API", report.Bug, report.Medium, "no sign says that it is worse, or less"},
		{"It", "", "possibly critical", report.Bug, report.Medium, "no sign says that it is worse, or less"},
		{"It", "", "good first issue", report.Bug, report.Medium, "no sign says that it is worse, or less"},
		{"Misleading error message on crash", "", "", report.Bug, report.Low, `it says "misleading"`},
		{"Rows", "The process crashed twice.", "", report.Bug, report.High, `it says "process crashed"`},
		{"Rows", "I like the crash course.", "", report.Bug, report.Medium, "no sign says that it is worse, or less"},
		{"Rows", "It used to work.", "", report.Bug, report.High, `it once worked: "used to work"`},
		{"保存后数据丢失", "", "", report.Bug, report.Critical, `it says "数据丢失"`},
	} {
		is := github.Issue{Title: tt.title, Body: tt.body}
		if tt.label != "" {
			is.Labels = []string{tt.label}
		}
		if got := triage.Severity(is, tt.kind); got.Value != tt.want || got.Why != tt.why {
			t.Errorf("%q, %q: %+v, want %s, %s", tt.title, tt.body, got, tt.want, tt.why)
		}
	}
}
