package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	pytestLocation = regexp.MustCompile(`^((?:[A-Za-z]:)?[^\s:][^:]*?\.pyx?|<[^>]+>):(\d{1,9}):(?: in (\S.*)| ([A-Za-z_][\w.]*)(?:: (.*))?)?$`)
	pytestTitle    = regexp.MustCompile(`^_{2,} .+ _{2,}$|^_ ERROR .+ _$`)
	pytestEnd      = regexp.MustCompile(`^(?:={4,} .+ ={4,}$|-{4,} Captured |!{4,} |FAILED |ERROR )`)
	pytestRule     = regexp.MustCompile(`^(?:_ ){4,}_?$`)
	pytestSays     = regexp.MustCompile(`^E(?:    *(.*))?$`)
	pytestError    = regexp.MustCompile(`^([A-Za-z_][\w.]*` + errorWords + `)(?:: ?(.*))?$`)
	pytestDef      = regexp.MustCompile(`^(?:async )?def (\w+)\(`)
)

const pytestReach = 300 // lines of source that pytest prints for one frame

// pytestLocations finds, for each line, the next one that is a location.
func pytestLocations(lines []line) []int {
	next := make([]int, len(lines))
	at := len(lines) + pytestReach
	for i := len(lines) - 1; i >= 0; i-- {
		b := lines[i].body
		if (strings.Contains(b, ".py") || strings.HasPrefix(b, "<")) && pytestLocation.MatchString(b) {
			at = i
		}
		next[i] = at
	}
	return next
}

// readPytest reads the frames that pytest draws by itself: source with a > at the
// failing line, E before the error, and path:line: below.
func readPytest(t *text, i int) ([]Trace, int) {
	if !pytestStarts(t.lines[i].body) && t.locs[i] != i || t.locs[i]-i > pytestReach {
		return nil, i
	}
	var all []Trace
	relation := Relation("")
	for {
		p := pytestReader{t: t, i: i, last: i, def: t.defAbove(i)}
		if !p.read() {
			return all, i
		}
		if relation != "" {
			p.trace.Links = []Link{{relation, len(all) - 1}}
		}
		all, i = append(all, p.trace), p.last+1
		next := 0
		if relation, next = pyConnector(t.lines, i); relation == "" {
			return all, i
		}
		k, ok := t.ahead(next, 3)
		if !ok || t.locs[k]-k > pytestReach {
			return all, i
		}
		i = k
	}
}

// defAbove looks back for the function of a > line that comes first.
func (t *text) defAbove(i int) string {
	for k := i - 1; k >= max(t.from, i-60) && !t.lines[k].stop && strings.HasPrefix(t.lines[i].body, ">"); k-- {
		if m := pytestDef.FindStringSubmatch(t.lines[k].body); m != nil && t.lines[k].indent <= t.lines[i].indent+4 {
			return m[1]
		}
	}
	return ""
}

func pytestStarts(s string) bool {
	switch {
	case s == "":
		return false
	case s[0] == '>', s[0] == 'E':
		return strings.HasPrefix(s[1:], "   ")
	}
	return s[0] == '_' && pytestTitle.MatchString(s)
}

type pytestReader struct {
	t       *text
	i, last int // the line at hand, and the last one that is surely of the trace
	trace   Trace
	margin  int    // of pytest's own columns
	code    string // behind the last >
	def     string // the function whose source is shown
	below   bool   // the last frame's code comes below its location
	says    []string
	named   bool // some frame has a function
	over    bool
}

// read reads one error, and says whether there was one.
func (p *pytestReader) read() bool {
	p.trace = Trace{Language: source.Python, Kind: Exception, Line: p.t.lines[p.i].num}
	if l := p.t.lines[p.i]; !pytestStarts(l.body) && p.t.locs[p.i] != p.i {
		p.margin = max(0, l.indent-4) // source, after "During handling of"
	} else {
		p.margin = l.indent
	}
	for start := p.i; p.i < len(p.t.lines) && p.i-p.last <= pytestReach && !p.over; p.i++ {
		l := p.t.lines[p.i]
		if !p.sure() && len(p.trace.Frames) > 8 {
			return false // a list of something else
		}
		if l.stop || p.i > start && (pytestTitle.MatchString(l.body) || pytestEnd.MatchString(l.body)) {
			break
		}
		p.line(l)
	}
	p.error()
	if !p.believable() {
		return false
	}
	p.trace.End = p.t.lines[p.last].num
	p.trace.Truncated = p.trace.Error == ""
	innermostFirst(p.trace.Frames)
	return true
}

// believable wants more than a compiler's path:line: Word.
func (p *pytestReader) believable() bool {
	return len(p.trace.Frames) > 0 && (p.sure() || p.trace.Error != "" && !strings.HasSuffix(p.trace.Error, "Warning"))
}

func (p *pytestReader) sure() bool { return p.named || len(p.says) > 0 }

func (p *pytestReader) line(l line) {
	if m := pytestSays.FindStringSubmatch(l.body); m != nil {
		p.says = append(p.says, m[1])
		p.last, p.below = p.i, false
		return
	}
	if p.t.locs[p.i] == p.i && p.location(l) {
		return
	}
	switch m := pytestDef.FindStringSubmatch(l.body); {
	case strings.HasPrefix(l.body, ">   "):
		p.code, p.last = strings.TrimSpace(l.body[1:]), p.i
	case pytestRule.MatchString(l.body):
		p.def, p.last = "", p.i
	case p.below && l.indent > p.margin:
		p.trace.Frames[len(p.trace.Frames)-1].Code = l.body
		p.below, p.last = false, p.i
	case len(p.says) > 0 && p.code == "":
		p.over = true // the short style ends with the message
	case m != nil && l.indent <= p.margin+4:
		p.def = m[1]
	}
}

// location reads the line below a frame's source, or above it in the short style.
func (p *pytestReader) location(l line) bool {
	m := pytestLocation.FindStringSubmatch(l.body)
	if m[4] != "" && !pytestError.MatchString(m[4]) && len(p.says) == 0 {
		return false
	}
	f := Frame{File: m[1], Line: number(m[2]), Function: pyFunction(m[3]), Code: p.code}
	if f.Function == "" {
		f.Function = p.def
	}
	p.trace.Frames = append(p.trace.Frames, f)
	p.named = p.named || f.Function != ""
	p.below = m[3] != ""
	p.code, p.last = "", p.i
	if m[4] != "" {
		p.trace.Error, p.trace.Message, p.over = m[4], m[5], true
	}
	return true
}

// error takes the type and the message from the E lines.
func (p *pytestReader) error() {
	if len(p.says) == 0 {
		return
	}
	if m := pytestError.FindStringSubmatch(p.says[0]); m != nil {
		p.trace.Error, p.says[0] = m[1], m[2]
	} else if p.trace.Error == "" && strings.HasPrefix(p.says[0], "assert ") {
		p.trace.Error = "AssertionError" // the short style leaves the type out
	}
	p.says[0] = strings.TrimPrefix(p.says[0], p.trace.Error+": ")
	p.trace.Message = join(p.says)
}
