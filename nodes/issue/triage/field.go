package triage

import (
	"regexp"
	"strings"
)

var (
	// versionWord is what makes a line a field of a form.
	versionWord = regexp.MustCompile(`(?i)\bversions?\b|\bver\b|版本号?`)
	example     = regexp.MustCompile(`(?i)[\[(]?\b(?:e\.?g\.?|i\.e\.|for example|such as)[^\])\n]*[\])]?`)
	endOfLabel  = regexp.MustCompile(`[:：=|?？]`)
)

// fieldIn finds the field of a form that gives the project's version: "**Celery
// version**: 5.3.4", "Version: 3.2", or a heading with the number below it. A field that
// names the project goes before one that names nothing. line is the field as it stands.
func fieldIn(part string, n names) (version, line string) {
	var lines []string
	for l := range strings.Lines(part) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, clip(l, 300))
		}
	}
	unnamed, where := "", ""
	for i, l := range lines {
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		v, why, whose := readField(l, next, n)
		if whose == ours {
			return v, why
		}
		if v != "" && unnamed == "" {
			unnamed, where = v, why
		}
	}
	return unnamed, where
}

// readField reads a line and, if it holds no number, the next one. v is "" if it is no
// field of the project's version.
func readField(line, next string, n names) (v, why string, whose claim) {
	bare := example.ReplaceAllString(line, " ")
	at := versionWord.FindStringIndex(bare)
	if at == nil || at[0] > 80 {
		return "", "", nobody
	}
	rest := bare[at[1]:]
	v, start, end := firstNumber(rest)
	if end > 0 && start < 80 && !limit.MatchString(rest[:start]) {
		label, value := cutLabel(bare[:at[0]], rest[:start])
		whose, ok := n.field(label, value)
		if !ok || whose == nobody && (sentence(rest[end:]) || strings.ContainsAny(value, `'"`)) {
			return "", "", nobody
		}
		return v, line, whose
	}
	if end > 0 || sentence(next) && !strings.HasPrefix(next, "v") {
		return "", "", nobody
	}
	return below(bare[:at[0]]+" "+rest, line, next, n)
}

// limit are bounds that are no version anybody runs.
var limit = regexp.MustCompile(`(?:^|[^-=])[<>]\s*$|!=\s*$`)

// below reads the number under a heading.
func below(label, line, next string, n names) (v, why string, whose claim) {
	v, start, end := firstNumber(next)
	if end == 0 || start > 60 || limit.MatchString(next[:start]) {
		return "", "", nobody
	}
	whose, ok := n.field(label, next[:start])
	if !ok {
		return "", "", nobody
	}
	return v, line + " " + next, whose
}

// cutLabel moves what stands before the colon to the label.
func cutLabel(label, value string) (string, string) {
	if at := endOfLabel.FindStringIndex(value); at != nil {
		return label + " " + value[:at[0]], value[at[1]:]
	}
	return label + " " + value, ""
}

// field says whose a field is. In a field of ours the value may use other words, as
// sphinx-build 3.1.1; in one without a name it may not.
func (n names) field(label, value string) (claim, bool) {
	whose, of := n.claim(label), n.claim(value)
	switch {
	case whose == theirs, whose == nobody && of == theirs:
		return theirs, false
	case whose == ours:
		return ours, of != theirs || !others.MatchString(value)
	}
	return of, true
}

// sentence says whether text goes on like one; then a number in it is no field.
func sentence(s string) bool { return len(tokens.FindAllString(clip(s, 300), 9)) > 8 }
