package triage

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	cve = regexp.MustCompile(`\bCVE-\d{4}-\d{4,7}\b|\bGHSA(?:-[0-9a-z]{4}){3}\b`)
	// weakness is a class of vulnerability, and attack a word that says that somebody
	// uses it. One alone is a header, a test, or a library's name.
	weakness = regexp.MustCompile(`(?i)\b(?:xss|cross[ -]site scripting|(?:sql|command|code|shell|header|crlf|template) injection|remote code execution|rce|(?:path|directory) traversal|zip slip|ssrf|csrf|xxe|buffer overflow|use[ -]after[ -]free|auth(?:entication|orization)? bypass|privilege escalation|arbitrary (?:file|code)|redos|request smuggling|open redirect|prototype pollution|insecure deserialization|vulnerabilit(?:y|ies)|security (?:hole|flaw|vulnerability))\b|漏洞|注入攻击`)
	attack   = regexp.MustCompile(`(?i)\b(?:attackers?|exploit(?:s|ed|able|ation)?|malicious(?:ly)?|untrusted (?:input|users?|data)|poc|proof[ -]of[ -]concept|responsible disclosure|hijack\w*)\b|攻击者|恶意|利用`)
	// another is a title that speaks of weaknesses, but has none: a scanner's finding in a
	// library, a wish for protection, a tool that looks for them.
	another = regexp.MustCompile(`(?i)\b(?:bump|upgrade|update|dependabot|scanner|snyk|trivy|audit|dependenc(?:y|ies)|protection|prevention|prevent|mitigat\w+|middleware|false (?:positive|negative)s?|rules?|lint\w*|detect\w*|docs?|documentation|tests?|token|how (?:to|do|can))\b|^\W*(?:feat|feature|add|support|implement|allow|provide|improve|document|question)\b`)
)

// exploit says why a text is about a weakness of this project that can be used; "" if it
// is not. A false alarm stops somebody's work, so one word is never enough.
func exploit(t text) string {
	if another.MatchString(t.title) {
		return ""
	}
	if m := weakness.FindString(t.title); m != "" && attack.MatchString(t.title+"\n"+t.prose) {
		return fmt.Sprintf("its title says %q, and the text speaks of an attack", strings.ToLower(m))
	}
	if m := cve.FindString(t.title); m != "" {
		return "its title names " + m
	}
	return ""
}
