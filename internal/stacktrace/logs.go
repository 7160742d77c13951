package stacktrace

import (
	"regexp"
	"strings"
	"unicode"
)

const (
	levels = `(?:DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|CRIT|TRACE|SEVERE|debug|info|warn|warning|error|stderr|stdout)`
	clock  = `\d\d:\d\d:\d\d(?:[.,]\d+)?`
)

var (
	// What a logger writes first: the name of a container, a time, a bracket.
	logStart = regexp.MustCompile(`^[ \t]*(?:` + strings.Join([]string{
		`[A-Za-z][\w.@/-]*[ \t]*\|(?:[ \t]|$)`,
		`\d{4}[-/.]\d\d[-/.]\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?:?`,
		`\d\d-\d\d ` + clock + ` +\d+ +\d+ [VDIWEF] [\w.]+ *:`,
		clock + `(?:[ \t:|]|$)`,
		`(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d ` + clock + ` [\w.-]+ [\w./-]+(?:\[\d+\])?:`,
		`[IWEF]\d{4} ` + clock + ` +\d+ [\w./-]+:\d+\]`,
		`\[[^\]]{0,60}\d\d:\d\d[^\]]{0,60}\]`,
		`\[[ \t]*` + levels + `[ \t]*\]`,
		`\[\d{1,3}\][ \t]`,
		`[VDIWEF]/[\w.-]+ ?\( *\d+\):`,
		`INTERNALERROR>`,
		`#\d+ \d+\.\d+(?: |$)`,
		`(?:stderr|stdout)[ \t]*[:|>]`,
	}, "|") + `)`)
	// What follows a time, and means nothing without one.
	logMore = regexp.MustCompile(`^(?:` + strings.Join([]string{
		` ?\[[^\]]{0,80}\]:?`,
		`[ \t]*` + levels + `(?:[:|]|[ \t]|$)`,
		`[ \t]*(?:app|heroku)\[[\w.]+\]:`,
		` ?[-|:](?:[ \t]|$)`,
		`[ \t]*\d+ +---(?:[ \t]|$)`,
	}, "|") + `)`)
)

// logPrefix is the length of what a logger put before a line. The indentation of
// the line itself stays.
func logPrefix(s string) int {
	if !strings.ContainsAny(s[:min(len(s), 80)], "|:]>.") {
		return 0
	}
	at := len(logStart.FindString(s))
	if at == 0 {
		return 0
	}
	for range 6 {
		m := len(logMore.FindString(s[at:]))
		if m == 0 {
			m = len(logStart.FindString(s[at:]))
		}
		if m == 0 {
			break
		}
		at += m
	}
	return at
}

const pyHead = "Traceback (most recent call last):"

// learnPrefixes takes off prefixes that no pattern knows: what stands before the
// head of a Python traceback stands, but for its digits, before the other lines.
func learnPrefixes(lines []line) {
	for i := 0; i < len(lines); i++ {
		at := strings.Index(lines[i].text, pyHead)
		if at <= 0 {
			continue
		}
		prefix := lines[i].text[:at]
		if strings.Trim(prefix, " \t|+") == "" || strings.HasSuffix(prefix, "Exception Group ") {
			continue
		}
		want := shape(prefix)
		lines[i] = newLine(pyHead, lines[i].num)
		for i+1 < len(lines) && len(lines[i+1].text) >= at && shape(lines[i+1].text[:at]) == want {
			i++
			lines[i] = newLine(lines[i].text[at:], lines[i].num)
		}
	}
}

// shape makes prefixes equal that differ in digits only.
func shape(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return r
	}, s)
}
