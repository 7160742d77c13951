package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	ipythonHead = regexp.MustCompile(`^([A-Za-z_][\w.]*)\s{2,}Traceback \(most recent call last\)$`)
	ipythonFile = regexp.MustCompile(`^(?:File )?(\S.*?):(\d{1,9}), in (\S.*)$`)
	ipythonCell = regexp.MustCompile(`^((?:Input In|Cell In) ?\[\d+\])(?:, line (\d{1,9}))?(?:, in (\S.*))?$`)
	ipythonOld  = regexp.MustCompile(`^(<ipython-input[^>]*>|[~/.\w].*?\.(?:py|pyx|pxd|so|pyc)|[~/\w].*ipykernel.*?) in (\S.*)$`)
	ipythonHere = regexp.MustCompile(`^-+>\s*(\d{1,9})(?:\s(.*))?$`)
	ipythonCode = regexp.MustCompile(`^(?:\d+(?:\s|$)|\(\.\.\.\)$|\.\.\.$)`)
)

// readIPython reads the traces of IPython and Jupyter, which show numbered source
// with an arrow at the failing line.
func readIPython(t *text, i int) ([]Trace, int) {
	var all []Trace
	for relation := Relation(""); ; {
		p := ipythonReader{lines: t.lines, i: i}
		if !p.read() {
			return all, i
		}
		if relation != "" {
			p.trace.Links = []Link{{relation, len(all) - 1}}
		}
		all, i = append(all, p.trace), p.i
		next := 0
		if relation, next = pyConnector(t.lines, i); relation == "" {
			return all, i
		}
		k, ok := t.ahead(next, 3)
		if !ok {
			return all, i
		}
		i = k
	}
}

type ipythonReader struct {
	lines []line
	i     int
	trace Trace
	arrow bool
}

func (p *ipythonReader) read() bool {
	p.trace = Trace{Language: source.Python, Kind: Exception, Line: p.lines[p.i].num}
	head := ipythonHead.FindStringSubmatch(p.lines[p.i].body)
	if head != nil {
		p.trace.Error = head[1]
		p.i++
	} else if _, ok := ipythonFrame(p.lines[p.i].body); !ok {
		return false
	}
	end := p.i
	for ; p.i < len(p.lines) && !p.lines[p.i].stop && p.i-end < 60; p.i++ {
		if head == nil && !p.arrow && len(p.trace.Frames) > 8 {
			return false // a list of something else
		}
		if p.frame(p.lines[p.i].body) {
			end = p.i + 1
		} else if b := p.lines[p.i].body; b != "" && !ipythonCode.MatchString(b) {
			break
		}
	}
	closed := p.message()
	if !closed {
		p.i = end
	}
	p.trace.Truncated = head == nil || !closed
	if len(p.trace.Frames) == 0 || head == nil && !p.arrow {
		return false
	}
	p.trace.End = p.lines[p.i-1].num
	innermostFirst(p.trace.Frames)
	return true
}

// frame takes a line that starts a frame or points into its source.
func (p *ipythonReader) frame(body string) bool {
	if m := ipythonHere.FindStringSubmatch(body); m != nil && len(p.trace.Frames) > 0 {
		f := &p.trace.Frames[len(p.trace.Frames)-1]
		f.Code, p.arrow = strings.TrimSpace(m[2]), true
		if f.Line == 0 || strings.HasPrefix(f.File, "Input In") {
			f.Line = number(m[1])
		}
		return true
	}
	f, ok := ipythonFrame(body)
	if ok {
		p.trace.Frames = append(p.trace.Frames, f)
	}
	return ok
}

func ipythonFrame(body string) (Frame, bool) {
	cell := strings.HasPrefix(body, "Cell In") || strings.HasPrefix(body, "Input In")
	if !cell && !strings.Contains(body, " in ") || ipythonCode.MatchString(body) {
		return Frame{}, false
	}
	if m := ipythonCell.FindStringSubmatch(body); m != nil {
		return Frame{File: m[1], Line: number(m[2]), Function: pyFunction(m[3])}, true
	}
	if m := ipythonFile.FindStringSubmatch(body); m != nil {
		return Frame{File: m[1], Line: number(m[2]), Function: pyFunction(m[3])}, true
	}
	if m := ipythonOld.FindStringSubmatch(body); m != nil {
		return Frame{File: m[1], Function: pyFunction(m[2])}, true
	}
	return Frame{}, false
}

// message reads the error below the frames.
func (p *ipythonReader) message() bool {
	if p.i >= len(p.lines) || !pyFailure(p.lines[p.i].body) {
		return false
	}
	m := pyError.FindStringSubmatch(p.lines[p.i].body)
	r := pyReader{}
	says := []string{m[2]}
	first := p.lines[p.i]
	for p.i++; p.i < len(p.lines) && len(says) < 20 && r.says(p.lines[p.i], first); p.i++ {
		says = append(says, p.lines[p.i].body)
	}
	p.trace.Error, p.trace.Message = m[1], join(says)
	return true
}
