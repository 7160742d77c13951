package stacktrace

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A reader tries to read traces that start at line i. It gives them, with links
// that count from the first of them, and the line behind; i where there are none.
type reader func(t *text, i int) ([]Trace, int)

// The order decides where two could read a line: Ruby heads a reversed trace with
// Python's words.
var readers = [...]reader{
	readRuby, readPython, readRich, readIPython, readPytest, readWarning,
	readRace, readGo, readGoTest, readAt, readGecko, readRust, readPHP, readNative,
}

func (t *text) read(i int) ([]Trace, int) {
	if l := t.lines[i]; l.blank() || l.stop {
		return nil, i
	}
	for _, read := range readers {
		if found, next := read(t, i); next > i {
			return found, next
		}
	}
	return nil, i
}

// at is a line, or a stop past the ends.
func (t *text) at(i int) line {
	if i < 0 || i >= len(t.lines) {
		return line{stop: true}
	}
	return t.lines[i]
}

// ahead is the first line from i on that is not blank, if it comes within n lines
// and before a stop.
func (t *text) ahead(i, n int) (int, bool) {
	for end := i + n; i <= end; i++ {
		if l := t.at(i); l.stop {
			return i, false
		} else if !l.blank() {
			return i, true
		}
	}
	return i, false
}

// join makes a message of lines, bounded.
func join(lines []string) string {
	s := strings.TrimSpace(strings.Join(lines, "\n"))
	if len(s) > maxMessage {
		s = strings.ToValidUTF8(s[:maxMessage], "") + "…"
	}
	return s
}

// number reads digits that a pattern found; what does not fit is unknown.
func number(s string) int {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	return int(n)
}

// innermostFirst turns traces whose language prints the outermost call first.
func innermostFirst(frames []Frame) { slices.Reverse(frames) }

var position = regexp.MustCompile(`^(.*?):(\d{1,9})(?::(\d{1,9}))?$`)

// splitPosition takes path:line:column or path:line apart, from the right.
func splitPosition(s string) (file string, ln, col int, ok bool) {
	m := position.FindStringSubmatch(s)
	if m == nil || m[1] == "" {
		return s, 0, 0, false
	}
	return m[1], number(m[2]), number(m[3]), true
}

const errorWords = `(?:Error|Exception|Failure|Fault|Throwable|Interrupt|Exit|Warning|Violation|Panic|Timeout)`

var errorHead = regexp.MustCompile(`(?:^|[\s(\[:"'>])((?:[A-Za-z_$][\w$]*[.$\\])*[A-Za-z_$]\w*` + errorWords + `|(?:[A-Za-z_$][\w$]*[.$\\])*` + errorWords + `)(?: \[[\w-]+\])?(?::\s?(.*))?$`)

// plainHead is a type that does not say it is one, right above the frames.
var plainHead = regexp.MustCompile(`^((?:[A-Za-z_$][\w$]*[.$])*[A-Z][\w$]*)(?:: (.*))?$`)

// head looks back from the first frame for the line that names the error, over the
// lines of its message. It gives the index of that line; i where there is none.
func (t *text) head(i int) (at int, typ, message string) {
	const reach = 12
	for at = i - 1; at >= max(t.from, i-reach); at-- {
		l := t.lines[at]
		if l.stop || l.blank() && at < i-1 {
			break
		}
		if m := errorHead.FindStringSubmatch(l.body); m != nil {
			if inner := errorHead.FindStringSubmatch(m[2]); inner != nil && strings.HasPrefix(m[1], "UnhandledPromiseRejection") {
				m = inner // Node's warning about the error
			}
			return at, m[1], join(append([]string{m[2]}, bodies(t.lines[at+1:i])...))
		}
	}
	if i-1 < t.from || t.lines[i-1].stop || t.lines[i-1].blank() {
		return i, "", ""
	}
	if m := plainHead.FindStringSubmatch(t.lines[i-1].body); m != nil {
		return i - 1, m[1], join([]string{m[2]})
	}
	if l := t.lines[i-1]; l.indent < t.lines[i].indent && !strings.HasSuffix(l.body, ":") {
		return i - 1, "", join([]string{l.body})
	}
	return i, "", ""
}

func bodies(lines []line) []string {
	var all []string
	for _, l := range lines {
		all = append(all, l.body)
	}
	return all
}
