package triage

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/report"
)

var severityLabels = []struct {
	severity report.Severity
	re       *regexp.Regexp
}{
	{report.Critical, regexp.MustCompile(`\b(?:critical|blocker|p0|urgent|severity 1|sev1|s1)\b`)},
	{report.High, regexp.MustCompile(`\b(?:high|p1|major|important|severity 2|sev2|s2|crash|regression|release blocker)\b`)},
	{report.Medium, regexp.MustCompile(`\b(?:medium|p2|moderate|severity 3|normal priority)\b`)},
	{report.Low, regexp.MustCompile(`\b(?:low|minor|trivial|p3|p4|cosmetic|typo|documentation|docs|good first issue)\b`)},
}

// severe are wordings, the worst first.
var severe = []struct {
	severity report.Severity
	titled   bool // only the title counts
	re       *regexp.Regexp
}{
	{report.Critical, false, regexp.MustCompile(`(?i)\b(?:data (?:loss|corruption)|corrupts? (?:the |my )?(?:data|database|files?)|loses? data|deletes? (?:all|my|the user'?s) (?:data|files))\b|数据丢失`)},
	{report.High, true, regexp.MustCompile(`(?i)\b(?:crash(?:es|ed|ing)?|panics?|segfault|sigsegv|sigbus|deadlocks?|hangs?|freez(?:es|e)|memory leak|leaks? memory|out of memory|oom|infinite (?:loop|recursion)|stack overflow|internal error|regression|race condition|data race|makeslice|nil pointer|null ?pointer)\b|崩溃|死锁|泄漏|卡死`)},
	{report.Low, true, regexp.MustCompile(`(?i)\b(?:typo|spelling|misspell\w*|docs?|documentation|docstring|readme|cosmetic|colou?rs?|wording|(?:error |warning )?messages?|log(?:ging)? (?:level|line)|deprecat\w+ warning|changelog|alignment|misleading|confusing)\b`)},
	{report.High, false, regexp.MustCompile(`(?i)\b(?:crash(?:es|ed|ing)?|segmentation fault|segfault|core dumped|deadlocks?|hangs (?:forever|indefinitely)|memory leak|internal error|used to work|stopped working|no longer works?|breaks (?:all|every|production)|unusable)\b|崩溃|死锁`)},
}

// Severity says how bad an issue of a kind is.
func Severity(is github.Issue, k report.Kind) Verdict[report.Severity] {
	for _, row := range severityLabels {
		for _, l := range is.Labels {
			words := strings.TrimSpace(separators.ReplaceAllString(strings.ToLower(l), " "))
			if row.re.MatchString(words) && !unsaid.MatchString(words) {
				return Verdict[report.Severity]{row.severity, fmt.Sprintf("it is labelled %q", clip(l, 60)), true}
			}
		}
	}
	t := read(is)
	switch k {
	case report.Security:
		return Verdict[report.Severity]{report.High, "it is a matter of security", false}
	case report.Feature, report.Question:
		return Verdict[report.Severity]{report.Low, "nothing is broken", false}
	}
	for _, row := range severe {
		where := t.title
		if !row.titled {
			where += "\n" + t.prose
		}
		if m := row.re.FindString(where); m != "" {
			return Verdict[report.Severity]{row.severity, fmt.Sprintf("it says %q", strings.ToLower(m)), false}
		}
	}
	if t.trace && fatal.MatchString(clip(is.Body, maxText)) {
		return Verdict[report.Severity]{report.High, "it ends in a crash", false}
	}
	return Verdict[report.Severity]{report.Medium, "no sign says that it is worse, or less", false}
}

var fatal = regexp.MustCompile(`(?m)INTERNAL ERROR|^panic: |^fatal error: |Segmentation fault|SIGSEGV|SIGBUS|SIGABRT`)
