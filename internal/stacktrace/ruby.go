package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	rubyFrom  = regexp.MustCompile("^(?:\\d{1,6}: )?from (\\S.*?):(\\d{1,9})(?::in [`'](.+?)')?$")
	rubyHead  = regexp.MustCompile("^(?:\\S+: )?(\\S[^:]*?|\\S:[^:]*?):(\\d{1,9}):in [`'](.+?)'(?:: (.*))?$")
	rubySpec  = regexp.MustCompile("^# (\\S.*?):(\\d{1,9})(?::in [`'](.+?)')?$")
	rubyRails = regexp.MustCompile(`^([A-Z]\w*(?:::\w+)*) \((.*)\):?$`)
	rubyType  = regexp.MustCompile(`(?s)^(.*?)\s*\(([A-Z]\w*(?:::\w+)*)\)(.*)$`)
)

// readRuby reads Ruby's own print in both orders, and lists of frames as loggers
// and RSpec give them.
func readRuby(t *text, i int) ([]Trace, int) {
	b := t.lines[i].body
	switch {
	case strings.HasSuffix(b, pyHead) && rubyFrom.MatchString(t.at(i+1).body):
		return readRubyReversed(t, i, i+1)
	case strings.HasPrefix(b, "from "), strings.Contains(b, ": from ") && rubyFrom.MatchString(b):
		if b[0] != 'f' {
			return readRubyReversed(t, i, i)
		}
	case strings.HasPrefix(b, "# "):
		return readRubyList(t, i, rubySpec)
	case strings.Contains(b, ":in ") && rubyHead.MatchString(b):
		return readRubyErrors(t, i)
	}
	if rubyFrom.MatchString(b) {
		return readRubyList(t, i, rubyFrom)
	}
	return nil, i
}

// readRubyErrors reads errors below each other: each one is the cause of the one
// above.
func readRubyErrors(t *text, i int) ([]Trace, int) {
	if m := rubyHead.FindStringSubmatch(t.lines[i].body); m[4] == "" {
		if k := rubyFirst(t, i); k == 0 {
			return readRubyList(t, i, rubyHead)
		}
	}
	var all []Trace
	for {
		tr, next := rubyError(t, i)
		if len(all) > 0 {
			all[len(all)-1].Links = []Link{{Cause, len(all)}}
		}
		all = append(all, tr)
		if m := rubyHead.FindStringSubmatch(t.at(next).body); m == nil || m[4] == "" || next == i {
			return all, next
		}
		i = next
	}
}

// rubyFirst finds the first "from" below a head, over the lines of the message.
func rubyFirst(t *text, i int) int {
	for k := i + 1; k < i+10 && !t.at(k).stop; k++ {
		if rubyFrom.MatchString(t.lines[k].body) {
			return k
		}
		if rubyHead.MatchString(t.lines[k].body) {
			return 0
		}
	}
	return 0
}

func rubyError(t *text, i int) (Trace, int) {
	m := rubyHead.FindStringSubmatch(t.lines[i].body)
	tr := Trace{Language: source.Ruby, Kind: Exception, Line: t.lines[i].num}
	tr.Frames = []Frame{{File: m[1], Line: number(m[2]), Function: m[3]}}
	says := []string{m[4]}
	next := i + 1
	if k := rubyFirst(t, i); k > 0 {
		says = append(says, bodies(t.lines[i+1:k])...)
		for next = k; ; next++ {
			f := rubyFrom.FindStringSubmatch(t.at(next).body)
			if f == nil {
				break
			}
			tr.Frames = append(tr.Frames, Frame{File: f[1], Line: number(f[2]), Function: f[3]})
		}
	}
	tr.rubySays(join(says))
	tr.End = t.lines[next-1].num
	return tr, next
}

// rubySays takes the type from the end of the message.
func (t *Trace) rubySays(s string) {
	t.Message = s
	if m := rubyType.FindStringSubmatch(s); m != nil {
		t.Error, t.Message = m[2], join([]string{m[1], strings.TrimSpace(m[3])})
	}
	t.Truncated = t.Error == ""
}

// readRubyReversed reads the order of Ruby 2.5 to 2.7, numbered, the error last.
func readRubyReversed(t *text, head, i int) ([]Trace, int) {
	tr := Trace{Language: source.Ruby, Kind: Exception, Line: t.lines[head].num, Truncated: head == i}
	for ; ; i++ {
		m := rubyFrom.FindStringSubmatch(t.at(i).body)
		if m == nil {
			break
		}
		tr.Frames = append(tr.Frames, Frame{File: m[1], Line: number(m[2]), Function: m[3]})
	}
	if m := rubyHead.FindStringSubmatch(t.at(i).body); m != nil {
		tr.Frames = append(tr.Frames, Frame{File: m[1], Line: number(m[2]), Function: m[3]})
		tr.rubySays(m[4])
		i++
	} else {
		tr.Truncated = true
	}
	innermostFirst(tr.Frames)
	tr.End = t.lines[i-1].num
	return []Trace{tr}, i
}

// rubyHead looks for the head of Rails' log before the usual ones.
func (t *text) rubyHead(i int) (at int, typ, message string) {
	for at = i - 1; at >= max(t.from, i-2) && !t.lines[at].stop; at-- {
		if m := rubyRails.FindStringSubmatch(t.lines[at].body); m != nil {
			return at, m[1], m[2]
		}
	}
	return t.head(i)
}

// readRubyList reads frames of one pattern below whatever names the error.
func readRubyList(t *text, i int, frame *regexp.Regexp) ([]Trace, int) {
	at, typ, message := t.rubyHead(i)
	tr := Trace{Language: source.Ruby, Kind: Exception, Error: typ, Message: message, Line: t.lines[at].num, Truncated: at == i}
	for ; ; i++ {
		m := frame.FindStringSubmatch(t.at(i).body)
		if m == nil || !strings.ContainsAny(m[1], "./<(") {
			break
		}
		tr.Frames = append(tr.Frames, Frame{File: m[1], Line: number(m[2]), Function: m[3]})
	}
	if len(tr.Frames) == 0 || len(tr.Frames) == 1 && tr.Frames[0].Function == "" && tr.Error == "" {
		return nil, i
	}
	tr.End = t.lines[i-1].num
	return []Trace{tr}, i
}
