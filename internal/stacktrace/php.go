package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	phpHead   = regexp.MustCompile(`^(?:.*?\bUncaught |Next |)(?:exception ')?((?:[\w\\]+\\)?\w+)'?(?:: | with message ')(.*)$`)
	phpPlace  = regexp.MustCompile(`(?s)^(.*?)'? in (\S.*?)(?: ?:| on line )(\d{1,9})$`)
	phpThrown = regexp.MustCompile(`^thrown in (\S.*) on line (\d{1,9})$`)
	phpCall   = regexp.MustCompile(`^#\d{1,6} (?:(\S.*?)\((\d{1,9})\)|(\[internal function\])): (.+)$`)
	phpMain   = regexp.MustCompile(`^#\d{1,6} \{main\}$`)
	phpFatal  = regexp.MustCompile(`^(?:PHP )?((?:Fatal|Parse|Recoverable fatal) error): +(.*) in (\S.*?)(?: on line | ?:)(\d{1,9})$`)
	phpLogged = regexp.MustCompile(`\(([\w\\]+)\(code: \w+\): (.*) at (\S.*):(\d{1,9})\)$`)
	phpArgs   = regexp.MustCompile(`\(.*$`)
)

// readPHP reads an uncaught exception, the stacks of loggers, and a fatal error
// that has no stack.
func readPHP(t *text, i int) ([]Trace, int) {
	b := t.lines[i].body
	switch {
	case strings.HasPrefix(b, "#") && phpCall.MatchString(b), b == "Stack trace:" || b == "[stacktrace]":
		return readPHPStacks(t, i)
	case !strings.Contains(b, " error: ") || strings.HasPrefix(t.at(i+1).body, "Stack trace:"):
		return nil, i
	}
	m := phpFatal.FindStringSubmatch(b)
	if m == nil {
		return nil, i
	}
	tr := Trace{Language: source.PHP, Kind: Exception, Error: m[1], Message: m[2], Line: t.lines[i].num, End: t.lines[i].num,
		Frames: []Frame{{File: m[3], Line: number(m[4])}}}
	if u := phpHead.FindStringSubmatch(m[2]); u != nil && strings.HasPrefix(m[2], "Uncaught ") {
		tr.Error, tr.Message, tr.Truncated = u[1], u[2], true
	}
	return []Trace{tr}, i + 1
}

// readPHPStacks reads exceptions below each other: "Next" was raised from the one
// above.
func readPHPStacks(t *text, i int) ([]Trace, int) {
	var all []Trace
	for {
		tr, next := phpStack(t, i)
		if len(tr.Frames) == 0 {
			return all, i
		}
		if len(all) > 0 {
			tr.Links = []Link{{Cause, len(all) - 1}}
		}
		all = append(all, tr)
		i = next
		k, ok := t.ahead(next, 2)
		if !ok || !strings.HasPrefix(t.lines[k].body, "Next ") {
			return all, i
		}
		t.from = next
		for end := k + 8; k < end && t.at(k).body != "Stack trace:"; k++ {
		}
		if t.at(k).body != "Stack trace:" {
			return all, i
		}
		i = k
	}
}

// phpStack reads one list. PHP prints a function beside the place that called it;
// here each frame has the function that the place is in.
func phpStack(t *text, i int) (Trace, int) {
	tr := Trace{Language: source.PHP, Kind: Exception}
	start, spot := t.phpError(i, &tr)
	tr.Line, tr.Truncated = t.lines[start].num, tr.Error == ""
	if b := t.lines[i].body; b == "Stack trace:" || b == "[stacktrace]" {
		i++
	}
	place, known := spot, spot.File != ""
	for ; !t.at(i).stop; i++ {
		m := phpCall.FindStringSubmatch(t.lines[i].body)
		if m == nil {
			break
		}
		if place.Function = strings.ReplaceAll(phpArgs.ReplaceAllString(m[4], ""), "->", "::"); known {
			tr.Frames = append(tr.Frames, place)
		} else {
			tr.Frames = append(tr.Frames, Frame{Function: place.Function})
		}
		place, known = Frame{File: m[1] + m[3], Line: number(m[2])}, true
	}
	if phpMain.MatchString(t.at(i).body) {
		place.Function = "{main}"
		i++
	} else {
		tr.Truncated = true
	}
	if known {
		tr.Frames = append(tr.Frames, place)
	}
	if phpThrown.MatchString(t.at(i).body) {
		i++
	}
	tr.End = t.lines[max(i-1, start)].num
	return tr, i
}

// phpError looks back for the head, which ends with the place of the throw.
func (t *text) phpError(i int, tr *Trace) (start int, spot Frame) {
	for at := i - 1; at >= max(t.from, i-8) && !t.lines[at].stop; at-- {
		if m := phpLogged.FindStringSubmatch(t.lines[at].body); m != nil {
			tr.Error, tr.Message = m[1], m[2]
			return at, Frame{File: m[3], Line: number(m[4])}
		}
		m := phpHead.FindStringSubmatch(t.lines[at].body)
		if m == nil {
			continue
		}
		says := join(append([]string{m[2]}, bodies(t.lines[at+1:i])...))
		if p := phpPlace.FindStringSubmatch(says); p != nil {
			tr.Error, tr.Message = m[1], p[1]
			return at, Frame{File: p[2], Line: number(p[3])}
		}
	}
	at, typ, message := t.head(i)
	tr.Error, tr.Message = typ, message
	return at, Frame{}
}
