package triage_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
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
		{"log: add a JSON encoder", "", "", report.Feature, `it says "log: add"`, false},
		{"Bar", "### Is your feature request related to a problem?\n\nYes.\n\n### Proposal\nDo it.", "", report.Feature, `it says "feature request"`, false},
		{"Bar", "### Proposal\n\n_No response_\n\n### Alternatives considered\nN/A\n", "", report.Bug, "nothing says that it is something else", false},
		{"Bar", "A clear and concise description of what the bug is.\nIt would be nice to have this.", "", report.Feature, `it says "it would be nice"`, false},
		{"RFC: a new parser", "", "", report.Feature, `it says "rfc"`, false},
		{"Is this possible?", "Is there a way to set the timeout?", "", report.Question, `it says "is this possible?", "?", "is there a way to"`, false},
		{"能否支持流式输出？", "目前不支持。", "", report.Feature, `it says "能否", "目前不支持"`, false},
		{"升级后报错", "", "", report.Bug, `it says "报错"`, false},
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

func TestMaintainersAnswerIsAHint(t *testing.T) {
	for _, tt := range []struct {
		title, body, association string
		bot                      bool
		want                     report.Kind
		why                      string
	}{
		{"Why is the list empty?", "", "MEMBER", false, report.Question, `it says "why is the list empty?", "?", a maintainer says "this is expected"`},
		{"It fails", "Is this a bug?", "OWNER", false, report.Question, `it says "is this a bug", a maintainer says "this is expected"`},
		{"It fails", "Is this a bug?", "OWNER", true, report.Bug, `it says "fails"`},
		{"It fails", "Is this a bug?", "NONE", false, report.Bug, `it says "fails"`},
		{"Cookies", "", "OWNER", false, report.Bug, "nothing says that it is something else"},
		{"It fails", "", "OWNER", false, report.Bug, `it says "fails"`},
	} {
		is := github.Issue{Title: tt.title, Body: tt.body, Comments: []github.Comment{
			{Author: github.Author{Login: "a", Association: tt.association, Bot: tt.bot}, Body: "This is expected behaviour, closing."},
		}}
		if got := triage.Kind(is); got.Value != tt.want || got.Why != tt.why || got.Sure {
			t.Errorf("%q, %q, %s: %+v, want %s, %s", tt.title, tt.body, tt.association, got, tt.want, tt.why)
		}
	}
}

func TestSecurityIsNoFalseAlarm(t *testing.T) {
	for _, tt := range []struct {
		title, body string
		want        report.Kind
	}{
		{"Path traversal in archive extraction", "A malicious archive writes outside of the folder.", report.Security},
		{"ReDoS in the header parser", "Proof of concept below; an attacker can hang the server.", report.Security},
		{"GHSA-abcd-1234-wxyz is not fixed in 2.x", "", report.Security},
		{"登录接口存在注入攻击漏洞", "攻击者可以构造请求。", report.Security},

		{"Path traversal in archive extraction", "It is slow.", report.Bug},
		{"Crash in csrf middleware", "An attacker is not involved.", report.Bug},
		{"Add CSRF protection", "Otherwise attackers can post.", report.Feature},
		{"S608 SQL injection false positive", "There is no attacker-controlled input.", report.Bug},
		{"Update lodash because of CVE-2021-23337", "", report.Bug},
		{"npm audit reports vulnerabilities", "It says that they can be exploited.", report.Bug},
		{"Vulnerability page renders wrong", "The vulnerability is listed twice.", report.Bug},
		{"securityContext is ignored", "The exploit-protection header X-XSS-Protection is there.", report.Bug},
		{"Login fails", "SecurityError: attacker\n\nSee CVE-2020-0001 for the reason of the change.", report.Bug},
	} {
		if got := triage.Kind(github.Issue{Title: tt.title, Body: tt.body}); got.Value != tt.want {
			t.Errorf("%q, %q: %+v, want %s", tt.title, tt.body, got, tt.want)
		}
	}
}
