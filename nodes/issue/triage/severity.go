package triage

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
)

// ranks are what labels say of severity. A number counts only behind a word that says
// what it is of, or alone.
var ranks = []struct {
	severity report.Severity
	re       *regexp.Regexp
}{
	{report.Critical, regexp.MustCompile(`\b(?:critical|blocker|urgent|data loss|data corruption|(?:sev|severity|priority|prio) ?0)\b|^(?:p0|s0|sev ?1|s1|severity 1)\b|紧急|严重`)},
	{report.High, regexp.MustCompile(`\b(?:high|major|important|crash(?:es)?|regressions?|memory leak|deadlock|(?:priority|prio) ?1)\b|^(?:p1|sev ?2|s2|severity 2)\b|高优先级`)},
	{report.Medium, regexp.MustCompile(`\b(?:medium|moderate|normal|(?:priority|prio) ?2)\b|^(?:p2|sev ?3|s3|severity 3)\b`)},
	{report.Low, regexp.MustCompile(`\b(?:low|minor|trivial|cosmetic|typos?|documentation|docs|nice to have|(?:priority|prio) ?[3-5])\b|^(?:p[3-5]|sev ?4|s4|severity 4)\b`)},
}

// grave are wordings of bugs, those that outdo others first.
var grave = []struct {
	severity report.Severity
	in       part
	re       *regexp.Regexp
}{
	{report.Critical, inProse, regexp.MustCompile(`(?i)\b(?:data ?loss|data corruption|corrupt(?:s|ed|ing)? (?:the |my |our |all )?(?:data|database|files?|index)|los(?:es|ing) (?:\w+ )?data|deletes? (?:all|my|the user[’']?s) (?:data|files))\b|数据(?:丢失|损坏)`)},
	{report.Low, inTitle, regexp.MustCompile(`(?i)^\W*(?:docs?|documentation)\b|\b(?:typos?|spelling|misspell\w*|docstring|readme|cosmetic|wording|(?:error|warning|log|help|exception) messages?|log(?:ging)? (?:level|line)|changelog|misleading|confusing|colou?rs?)\b|错别字|文档`)},
	{report.High, inTitle, regexp.MustCompile(`(?i)\b(?:crash(?:es|ed|ing)?|panics?|segfaults?|sigsegv|sigbus|dead ?locks?|hangs?|freezes?|memory leak|leaks? (?:memory|goroutines?|connections?|file descriptors)|out of memory|oom|infinite (?:loop|recursion)|stack overflow|internal error|regression|race condition|data race|nil pointer|null ?pointer|unusable|no longer works?)\b|崩溃|死锁|泄漏|泄露|卡死|闪退`)},
	{report.High, inProse, regexp.MustCompile(`(?i)\b(?:(?:it|this|which|that|then|and|server|worker|process|app|application|program) (?:\w+ )?(?:crash(?:es|ed)|panics|hangs|deadlocks)|segmentation fault|segfaults?|core dumped|hangs? (?:forever|indefinitely)|dead ?locks?|memory leak|internal error|(?:breaks?|broken|crash(?:es)?|fail(?:s|ing)?)(?: \w+)? (?:in|all|every|our) (?:production|users|builds?)|unusable|blocks? (?:us|our) from)\b|崩溃|死锁|内存泄漏|生产环境`)},
}

// Severity says how bad an issue of a kind is: high and critical is what stops people or
// costs them data, low is what they read past.
func Severity(is github.Issue, k report.Kind) Verdict[report.Severity] {
	if v, ok := ranked(is.Labels); ok {
		return v
	}
	switch k {
	case report.Security:
		return Verdict[report.Severity]{report.High, "it is a matter of security", false}
	case report.Feature, report.Question:
		return Verdict[report.Severity]{report.Low, "nothing is broken", false}
	}
	t := read(is)
	if v, ok := worded(t); ok {
		return v
	}
	if t.fatal {
		return Verdict[report.Severity]{report.High, "it ends in a crash", false}
	}
	if r := t.regression(namesOf(is.Target.Repo, "")); r.Is {
		return Verdict[report.Severity]{report.High, fmt.Sprintf("it once worked: %q", quote(r.Why)), false}
	}
	return Verdict[report.Severity]{report.Medium, "no sign says that it is worse, or less", false}
}

// ranked gives the worst that labels say.
func ranked(labels []string) (Verdict[report.Severity], bool) {
	for _, row := range ranks {
		for _, l := range labels[:min(len(labels), 100)] {
			words := labelWords(l)
			if row.re.MatchString(words) && !unsaid.MatchString(words) && !placed.MatchString(words) {
				return Verdict[report.Severity]{row.severity, fmt.Sprintf("it is labelled %q", quote(l)), true}, true
			}
		}
	}
	return Verdict[report.Severity]{}, false
}

func worded(t text) (Verdict[report.Severity], bool) {
	for _, row := range grave {
		where := t.title
		if row.in == inProse {
			where += "\n" + t.prose
		}
		if m := row.re.FindString(where); m != "" {
			return Verdict[report.Severity]{row.severity, fmt.Sprintf("it says %q", quote(strings.ToLower(m))), false}, true
		}
	}
	return Verdict[report.Severity]{}, false
}
