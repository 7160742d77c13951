package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	goTestLine = regexp.MustCompile(`^([\w./\\:-]*\w+\.go):(\d{1,9}): (.*)$`)
	goTestName = regexp.MustCompile(`^(?:--- FAIL:|=== (?:RUN|CONT|NAME|PAUSE))\s+(\S+)`)
	goTrace    = regexp.MustCompile(`^Error Trace:\s+(\S+\.go):(\d{1,9})$`)
	goTraceOn  = regexp.MustCompile(`^(\S+\.go):(\d{1,9})$`)
)

// readGoTest reads what t.Error prints, x_test.go:12: and the message, and the
// traces of testify.
func readGoTest(t *text, i int) ([]Trace, int) {
	l := t.lines[i]
	if m := goTrace.FindStringSubmatch(l.body); m != nil {
		return readTestify(t, i, m)
	}
	m := goTestLine.FindStringSubmatch(l.body)
	if m == nil {
		return nil, i
	}
	name := t.testName(i)
	if name == "" && (!strings.HasSuffix(m[1], "_test.go") || l.indent == 0) {
		return nil, i
	}
	says, k := []string{m[3]}, i+1
	for ; k < len(t.lines) && len(says) < 20 && !t.lines[k].stop && t.lines[k].indent > l.indent; k++ {
		if goTrace.MatchString(t.lines[k].body) {
			break
		}
		says = append(says, t.lines[k].body)
	}
	return []Trace{{Language: source.Go, Kind: TestFailure, Message: join(says), Line: l.num, End: t.lines[k-1].num,
		Frames: []Frame{{File: m[1], Line: number(m[2]), Function: name}}}}, k
}

// testName looks back for the test that a line of output is of.
func (t *text) testName(i int) string {
	for k := i - 1; k >= max(0, i-30) && !t.lines[k].stop; k-- {
		if m := goTestName.FindStringSubmatch(t.lines[k].body); m != nil {
			return m[1]
		}
	}
	return ""
}

func readTestify(t *text, i int, m []string) ([]Trace, int) {
	tr := Trace{Language: source.Go, Kind: TestFailure, Line: t.lines[i].num}
	for ; m != nil; m = goTraceOn.FindStringSubmatch(t.at(i).body) {
		tr.Frames = append(tr.Frames, Frame{File: m[1], Line: number(m[2])})
		i++
	}
	tr.Frames[len(tr.Frames)-1].Function = t.testName(i)
	var says []string
	for ; len(says) < 20; i++ {
		l := t.at(i)
		if l.stop || l.blank() || strings.HasPrefix(l.body, "Test:") || goTestName.MatchString(l.body) {
			break
		}
		says = append(says, strings.TrimSpace(strings.TrimPrefix(l.body, "Error:")))
	}
	tr.Message, tr.End = join(says), t.lines[i-1].num
	return []Trace{tr}, i
}
