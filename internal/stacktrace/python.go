package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	pyFrame    = regexp.MustCompile(`^(?:> )?File "([^"]+)", line (\d{1,9})(?:, in (.+))?$`)
	pyRepeated = regexp.MustCompile(`^\[Previous line repeated (\d{1,9}) more times?\]$`)
	pyError    = regexp.MustCompile(`^([A-Za-z_]\w*(?:\.(?:<locals>|\w+))*)(?:: (.*)|:)?$`)
	pyKnown    = regexp.MustCompile(`(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Group|Failure|Fault|Failed|Timeout|Stop|Retry|Ignore)$`)
	pyMarkers  = regexp.MustCompile(`^[~^ ]+$`)
)

// readPython reads what CPython prints, with the errors that it was raised from.
func readPython(t *text, i int) ([]Trace, int) {
	l := t.lines[i]
	if strings.HasSuffix(l.body, pyHead) || pyFrame.MatchString(l.body) {
		return pyChain(t.lines, i)
	}
	return nil, i
}

// pyChain reads traces one after the other as long as one says that it was raised
// from the one above.
func pyChain(lines []line, i int) ([]Trace, int) {
	var all []Trace
	relation, last := Relation(""), 0
	for {
		found, next := pyOne(lines, i)
		if next == i {
			return all, i
		}
		if len(found) == 0 {
			return all, next
		}
		for k := range found {
			found[k].Links = shift(found[k].Links, len(all))
		}
		if relation != "" {
			found[0].Links = append(found[0].Links, Link{relation, last})
		}
		last = len(all)
		all, i = append(all, found...), next
		if relation, next = pyConnector(lines, i); relation == "" {
			return all, i
		}
		t := text{lines: lines}
		if k, ok := t.ahead(next, 3); !ok || !strings.HasSuffix(lines[k].body, pyHead) {
			return all, i
		} else {
			i = k
		}
	}
}

// pyConnector looks for the words between an error and the one raised from it.
func pyConnector(lines []line, i int) (Relation, int) {
	for end := min(i+5, len(lines)); i < end && !lines[i].stop; i++ {
		switch b := lines[i].body; {
		case strings.HasPrefix(b, "During handling of the above exception"):
			return Context, i + 1
		case strings.HasPrefix(b, "The above exception was the direct cause"):
			return Cause, i + 1
		case b != "" && b != `"""`:
			return "", i
		}
	}
	return "", i
}

// pyOne reads one error, which is several if it is a group.
func pyOne(lines []line, i int) ([]Trace, int) {
	if i+1 < len(lines) && strings.Contains(lines[i].body, "Exception Group "+pyHead) && strings.HasPrefix(lines[i+1].body, "|") {
		return pyGroup(lines, i)
	}
	p := pyReader{lines: lines, i: i, depth: lines[i].indent, trace: Trace{Language: source.Python, Kind: Exception, Line: lines[i].num}}
	if strings.HasSuffix(lines[i].body, pyHead) {
		p.i++
	} else {
		p.trace.Truncated = true
	}
	p.frames()
	p.failure()
	if len(p.trace.Frames) == 0 && p.trace.Error == "" {
		return nil, i
	}
	p.trace.Truncated = p.trace.Truncated || p.trace.Error == ""
	p.trace.End = lines[p.i-1].num
	innermostFirst(p.trace.Frames)
	return []Trace{p.trace}, p.i
}

type pyReader struct {
	lines []line
	i     int
	trace Trace
	depth int // how far the File lines, or the head, are indented
}

func (p *pyReader) frames() {
	for ; p.i < len(p.lines); p.i++ {
		l := p.lines[p.i]
		switch m := pyFrame.FindStringSubmatch(l.body); {
		case l.stop:
			return
		case m != nil:
			p.trace.Frames = append(p.trace.Frames, Frame{File: m[1], Line: number(m[2]), Function: pyFunction(m[3])})
			p.depth = l.indent
		case l.blank():
			if !p.goesOn(p.i + 1) {
				return
			}
		case p.repeated(l.body):
		case l.body == "...", l.body == "[...]", l.body == "…":
			p.trace.Truncated = true
		case !p.code(l):
			return
		}
	}
}

func pyFunction(s string) string {
	name, _, _ := strings.Cut(s, "(")
	return strings.TrimSpace(name)
}

// goesOn says whether frames follow a blank line.
func (p *pyReader) goesOn(i int) bool {
	t := text{lines: p.lines}
	k, ok := t.ahead(i, 1)
	return ok && (pyFrame.MatchString(p.lines[k].body) || len(p.trace.Frames) > 0 && p.lines[k].indent > p.depth)
}

func (p *pyReader) repeated(body string) bool {
	m := pyRepeated.FindStringSubmatch(body)
	if m != nil {
		p.trace.Omitted += number(m[1])
	}
	return m != nil
}

// code takes a line below a File line: the source, its markers, or locals that some
// loggers print. It is false where the frames are over.
func (p *pyReader) code(l line) bool {
	if len(p.trace.Frames) == 0 {
		return l.indent > p.depth
	}
	last := &p.trace.Frames[len(p.trace.Frames)-1]
	flat := l.indent == p.depth && last.Code == "" && !pyFailure(l.body) // an issue that lost its indentation
	if l.indent <= p.depth && !flat {
		return false
	}
	if last.Code == "" && !pyMarkers.MatchString(l.body) {
		last.Code = l.body
	}
	return true
}

// pyFailure says whether a line can be the last one of a trace.
func pyFailure(body string) bool {
	m := pyError.FindStringSubmatch(body)
	if m == nil {
		return false
	}
	name := m[1]
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
		name = name[dot+1:]
	}
	if pyKnown.MatchString(name) {
		return true
	}
	capital := name != "" && name[0] >= 'A' && name[0] <= 'Z'
	if dotted := strings.Contains(m[1], "."); !capital {
		return dotted && (m[2] != "" || strings.HasSuffix(name, "error")) // re.error, socket.timeout
	} else {
		return dotted || strings.Contains(body, ": ")
	}
}

// failure reads the error below the frames, and its message.
func (p *pyReader) failure() {
	i := p.i
	if i < len(p.lines) && p.lines[i].blank() {
		t := text{lines: p.lines}
		k, ok := t.ahead(i, 1)
		if !ok || !pyKnown.MatchString(strings.SplitN(p.lines[k].body, ":", 2)[0]) {
			return
		}
		i = k
	}
	if i >= len(p.lines) || p.lines[i].stop || !pyFailure(p.lines[i].body) {
		return
	}
	m := pyError.FindStringSubmatch(p.lines[i].body)
	message := []string{m[2]}
	for p.i = i + 1; p.i < len(p.lines) && len(message) < 20 && p.says(p.lines[p.i], p.lines[i]); p.i++ {
		message = append(message, p.lines[p.i].body)
	}
	p.trace.Error, p.trace.Message = m[1], join(message)
}

var pyOther = regexp.MustCompile(`^(?:>>>|\.\.\. |\$ |\S+:\d+: |={4,}|-{4,}|""")`)

// says tells whether a line belongs to the message of an error.
func (p *pyReader) says(l, first line) bool {
	return !l.stop && !l.blank() && (!l.logged || first.logged) && !pyOther.MatchString(l.body) &&
		!strings.HasSuffix(l.body, pyHead) && !pyFrame.MatchString(l.body)
}
