package triage_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/issue/triage"
)

func TestKind(t *testing.T) {
	for _, tt := range []struct {
		title, body string
		labels      string // with commas between
		want        report.Kind
		why         string
		sure        bool
	}{
		{"It", "", "Type: Bug", report.Bug, `it is labelled "Type: Bug"`, true},
		{"It crashes", "", "kind/feature", report.Feature, `it is labelled "kind/feature"`, true},
		{"It crashes", "", "T-enhancement,needs triage", report.Feature, `it is labelled "T-enhancement"`, true},
		{"It crashes", "", "Question ❓", report.Question, `it is labelled "Question ❓"`, true},
		{"It crashes", "", "bug,SECURITY", report.Security, `it is labelled "SECURITY"`, true},
		{"It crashes", "", "not a bug,needs security review", report.Bug, `it says "crashes"`, false},
		{"It", "", "", report.Bug, "nothing says that it is something else", false},
		{"", "", "", report.Bug, "nothing says that it is something else", false},
		{"[BUG] add() loses items", "", "", report.Bug, `it says "[bug", "bug"`, false},
		{"Feature request: units in the overview", "", "", report.Feature, `it says "feature", "feature request"`, false},
		{"Support YAML", "It would be great to have it.", "", report.Feature, `it says "support", "it would be great"`, false},
		{"How do I set a timeout?", "", "", report.Question, `it says "how do", "?"`, false},
		{"Crash on start", "## Steps to reproduce\nRun it.\n## Expected behavior\nNone.", "", report.Bug, `it says "crash", "steps to reproduce", "expected behavior"`, false},
		{"Cookies", "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\n    g()\nValueError: no\n", "", report.Bug, `it says "traceback", it has a traceback`, false},
		{"Cookies", "<!-- Is this a feature request? How do I ... -->\nThey are lost, unexpectedly.", "", report.Bug, `it says "unexpectedly"`, false},
		{"Cookies", "```\nfeature request: it would be nice to have\n```\n", "", report.Bug, "nothing says that it is something else", false},
		{"SQL injection in filter()", "An attacker can send a crafted name.", "", report.Security, `its title says "sql injection", and the text speaks of an attack`, true},
		{"CVE-2024-12345 affects us", "", "", report.Security, "its title names CVE-2024-12345", true},
		{"Bump urllib3 for CVE-2024-12345", "", "", report.Bug, "nothing says that it is something else", false},
		{"OAuth2 security scheme is ignored", "The securityContext has a Content-Security-Policy.", "", report.Bug, `it says "ignored"`, false},
		{"调用后崩溃", "复现步骤：运行它。", "", report.Bug, `it says "崩溃", "复现"`, false},
		{"希望支持流式输出", "", "", report.Feature, `it says "希望"`, false},
		{"请问如何设置超时", "", "", report.Question, `it says "请问"`, false},
	} {
		is := github.Issue{Title: tt.title, Body: tt.body}
		if tt.labels != "" {
			is.Labels = strings.Split(tt.labels, ",")
		}
		want := triage.Verdict[report.Kind]{Value: tt.want, Why: tt.why, Sure: tt.sure}
		if diff := cmp.Diff(want, triage.Kind(is)); diff != "" {
			t.Errorf("%q, %q (-want +got):\n%s", tt.title, tt.body, diff)
		}
	}
}

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
	} {
		if diff := cmp.Diff(tt.want, triage.Regression(github.Issue{Title: tt.title, Body: tt.body})); diff != "" {
			t.Errorf("%q, %q (-want +got):\n%s", tt.title, tt.body, diff)
		}
	}
}

func TestVersion(t *testing.T) {
	for _, tt := range []struct{ repo, title, body, want string }{
		{"celery", "", "**Celery version**: 5.3.4\n**Python version**: 3.11.2", "5.3.4"},
		{"gin", "", "- go version: 1.21.0\n- gin version (or commit ref): v1.9.1\n- operating system: x", "1.9.1"},
		{"mypy", "", "* Mypy version used: 1.2.0\n* Python version used: 3.10.1", "1.2.0"},
		{"mypy", "", "I use mypy 0.940 with Python 3.10.2", "0.940"},
		{"marked", "", "**Marked version:** 4.0.16", "4.0.16"},
		{"axios", "", "### Axios Version\n\n1.5.0\n", "1.5.0"},
		{"requests", "", "```\npip freeze\ncertifi==2022.1.1\nrequests==2.28.0\nurllib3==1.26.9\n```", "2.28.0"},
		{"Chart.js", "", "* Chart.js version: v3.0.0-rc.2\n* Browser version: 91.0", "3.0.0-rc.2"},
		{"flask", "", "- Python version: 3.9.1\n- Flask version: 2.0.1", "2.0.1"},
		{"flask", "", "Python 3.9.1, Werkzeug 2.0.0", ""},
		{"nodes", "", "Node version: 18.0.1", ""},
		{"thing", "", "Version: 1.4.2", "1.4.2"},
		{"thing", "", "<!-- Version: 1.4.2 -->", ""},
		{"celery", "", "After upgrading from celery 4.4.0 to 4.4.1 it fails", "4.4.1"},
		{"", "", "no version", ""},
	} {
		is := github.Issue{Title: tt.title, Body: tt.body, Target: github.Target{Repo: source.Repo{Owner: "o", Name: tt.repo}}}
		if got, why := triage.Version(is, ""); got != tt.want {
			t.Errorf("%s, %q: %q (%s), want %q", tt.repo, tt.body, got, why, tt.want)
		}
	}
}

func TestTag(t *testing.T) {
	for _, tt := range []struct {
		version, tags, project, want string
	}{
		{"1.9.1", "v1.9.0 v1.9.1 v1.9.10", "gin", "v1.9.1"},
		{"v1.9.1", "1.9.1", "gin", "1.9.1"},
		{"1.4.0", "rel_1_4_0 rel_1_4_1", "sqlalchemy", "rel_1_4_0"},
		{"3.5.0", "release-3.5.0", "x", "release-3.5.0"},
		{"3.5", "v3.5.0", "x", "v3.5.0"},
		{"3.5.0", "v3.5", "x", "v3.5"},
		{"1.37.0", "tokio-1.37.0 tokio-util-1.37.0", "tokio", "tokio-1.37.0"},
		{"1.37.0", "macros-1.37.0 util-1.37.0", "tokio", ""},
		{"2.0.0", "v2.0.0-rc.1 v2.0.0b2", "x", ""},
		{"2.0.0-rc.1", "v2.0.0 v2.0.0rc.1", "x", "v2.0.0rc.1"},
		{"2.0.0", "2.0.0.Final", "x", "2.0.0.Final"},
		{"latest", "v1.0.0", "x", ""},
		{"", "v1.0.0", "x", ""},
		{"1.0.0", "", "x", ""},
	} {
		got, ok := triage.Tag(tt.version, strings.Fields(tt.tags), tt.project)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s of %s: %q, %v, want %q", tt.version, tt.tags, got, ok, tt.want)
		}
	}
}

func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"It crashes": "en", "购物车会丢失数量": "zh", "Cart.add 会丢失数量": "zh", "": "en",
		"It fails for 中文 names in the list of users": "en", "バグがあります": "en", "제목 버그": "en",
	} {
		if got := triage.Language(github.Issue{Title: text, Body: "```\n日志日志日志日志\n```"}); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
