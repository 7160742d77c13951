package triage

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/report"
)

// labels are what the words of a label mean. The first row that fits is taken, so that
// "security bug" is security.
var labels = []struct {
	kind report.Kind
	re   *regexp.Regexp
}{
	{report.Security, regexp.MustCompile(`\b(?:security|vulnerability|cve)\b`)},
	{report.Question, regexp.MustCompile(`\b(?:question|support|how to|usage|discussion)\b`)},
	{report.Feature, regexp.MustCompile(`\b(?:feature|features|enhancement|improvement|proposal|rfe|wishlist|feature request|new feature)\b`)},
	{report.Bug, regexp.MustCompile(`\b(?:bug|bugs|defect|regression|crash|incorrect behavior|false positive|false negative)\b|^(?:kind|type|t|c)? ?bug\b`)},
}

// separators are what teams put between the words of labels.
var separators = regexp.MustCompile(`[^\pL\pN]+`)

// byLabel gives what the labels say. "not a bug" and "needs security review" say nothing.
func byLabel(all []string) (Verdict[report.Kind], bool) {
	for _, row := range labels {
		for _, l := range all {
			words := strings.TrimSpace(separators.ReplaceAllString(strings.ToLower(l), " "))
			if row.re.MatchString(words) && !unsaid.MatchString(words) {
				return Verdict[report.Kind]{row.kind, fmt.Sprintf("it is labelled %q", clip(l, 60)), true}, true
			}
		}
	}
	return Verdict[report.Kind]{}, false
}

var unsaid = regexp.MustCompile(`\b(?:not|no|needs|maybe|possible|potential|possibly|triage|unconfirmed)\b`)

var (
	cve = regexp.MustCompile(`\bCVE-\d{4}-\d{4,7}\b|\bGHSA(?:-[0-9a-z]{4}){3}\b`)
	// weakness is a class of vulnerability, and attack a word that says that somebody
	// uses it. One alone is a header, a test, or a library's name.
	weakness = regexp.MustCompile(`(?i)\b(?:xss|cross[ -]site scripting|sql injection|command injection|code injection|remote code execution|rce|path traversal|directory traversal|ssrf|csrf|xxe|buffer overflow|use[ -]after[ -]free|authentication bypass|auth(?:orization)? bypass|privilege escalation|arbitrary (?:file|code)|redos|request smuggling|open redirect|prototype pollution|vulnerabilit(?:y|ies)|security (?:hole|issue|flaw|bug|vulnerability))\b|漏洞`)
	attack   = regexp.MustCompile(`(?i)\b(?:attackers?|exploit(?:s|ed|able|ation)?|malicious(?:ly)?|vulnerab\w+|untrusted input|poc|proof of concept|responsible disclosure)\b|攻击者`)
	fixes    = regexp.MustCompile(`(?i)\b(?:bump|upgrade|update|dependabot|scanner|snyk|trivy|audit)\b`)
)

// exploit says why a text is about a weakness of this project that can be used; "" if it
// is not, as where a scanner found one in a library.
func exploit(t text) string {
	if m := weakness.FindString(t.title); m != "" && attack.MatchString(t.title+"\n"+t.prose) && !fixes.MatchString(t.title) {
		return fmt.Sprintf("its title says %q, and the text speaks of an attack", strings.ToLower(m))
	}
	if m := cve.FindString(t.title); m != "" && !fixes.MatchString(t.title) {
		return "its title names " + m
	}
	return ""
}
