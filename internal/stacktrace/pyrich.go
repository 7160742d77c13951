package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	richFrame = regexp.MustCompile(`^(\S.*?):(\d{1,9}) in (\S+)`)
	richPath  = regexp.MustCompile(`^(?:/|~|[A-Za-z]:\\)\S*$`)
	richHere  = regexp.MustCompile(`^❱\s*(\d{1,9}) [│|] (.*)$`)
)

// readRich reads the boxes that the library Rich draws, which command line tools of
// Python print.
func readRich(t *text, i int) ([]Trace, int) {
	if b := t.lines[i].body; !strings.HasPrefix(b, "╭") || !strings.Contains(b, "Traceback") {
		return nil, i
	}
	tr := Trace{Language: source.Python, Kind: Exception, Line: t.lines[i].num}
	k := i + 1
	for path := ""; !t.at(k).stop && strings.HasPrefix(t.lines[k].body, "│"); k++ {
		b := strings.TrimSpace(strings.Trim(t.lines[k].body, "│"))
		if m := richHere.FindStringSubmatch(b); m != nil && len(tr.Frames) > 0 {
			tr.Frames[len(tr.Frames)-1].Code = strings.Trim(m[2], "│ ")
			path = ""
		} else if m := richFrame.FindStringSubmatch(path + b); m != nil {
			tr.Frames = append(tr.Frames, Frame{File: m[1], Line: number(m[2]), Function: m[3]})
			path = ""
		} else if path = ""; richPath.MatchString(b) {
			path = b // a long path goes on in the next line
		}
	}
	if strings.HasPrefix(t.at(k).body, "╰") {
		k++
	}
	p := pyReader{lines: t.lines, i: k, trace: tr}
	p.failure()
	p.trace.Truncated = p.trace.Error == ""
	p.trace.End = t.lines[p.i-1].num
	innermostFirst(p.trace.Frames)
	return []Trace{p.trace}, p.i
}
