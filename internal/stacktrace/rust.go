package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	rustPanic  = regexp.MustCompile(`^(?:.*?\bthread |thread )(?:'[^']*'|<[^>]*>)(?: \(\d+\))? (?:has )?(?:panicked|overflowed) at (.*)$`)
	rustAt     = regexp.MustCompile(`^(\S.*?):(\d{1,9}):(\d{1,9}):?$`)
	rustOld    = regexp.MustCompile(`(?s)^'(.*)', (\S[^']*?):(\d{1,9})(?::(\d{1,9}))?$`)
	rustOldEnd = regexp.MustCompile(`', \S[^']*:\d{1,9}$`)
	rustEntry  = regexp.MustCompile(`^(\d{1,4}): (?: *0x[0-9a-f]+ - )?(.+)$`)
	rustPlace  = regexp.MustCompile(`^at (\S.*?):(\d{1,9})(?::(\d{1,9}))?$`)
	rustHash   = regexp.MustCompile(`::h[0-9a-f]{16}$`)
	rustTypes  = regexp.MustCompile(`::<.*>$`)
)

// readRust reads a panic in the old or the new format, and a backtrace.
func readRust(t *text, i int) ([]Trace, int) {
	b := t.lines[i].body
	if strings.Contains(b, " at ") {
		if m := rustPanic.FindStringSubmatch(b); m != nil {
			return readRustPanic(t, i, m[1])
		}
	}
	if !strings.EqualFold(b, "stack backtrace:") && !rustFirst(t, i) {
		return nil, i
	}
	at, typ, message := t.head(i)
	tr := Trace{Language: source.Rust, Kind: Backtrace, Error: typ, Message: message, Line: t.lines[at].num, Truncated: at == i}
	next := rustFrames(t, i, &tr)
	if len(tr.Frames) == 0 {
		return nil, i
	}
	tr.End = t.lines[next-1].num
	return []Trace{tr}, next
}

// rustFirst says whether a list of frames starts here, without a head.
func rustFirst(t *text, i int) bool {
	m := rustEntry.FindStringSubmatch(t.lines[i].body)
	return m != nil && strings.Contains(m[2], "::") && rustPlace.MatchString(t.at(i+1).body)
}

func readRustPanic(t *text, i int, rest string) ([]Trace, int) {
	tr := Trace{Language: source.Rust, Kind: Panic, Line: t.lines[i].num}
	var spot Frame
	k := i + 1
	if strings.HasPrefix(rest, "'") {
		for end := rest; !rustOldEnd.MatchString(end) && k < i+12 && !t.at(k).stop; k++ {
			end = t.lines[k].body
			rest += "\n" + end
		}
		m := rustOld.FindStringSubmatch(rest)
		if m == nil {
			return nil, i
		}
		tr.Message, spot = join([]string{m[1]}), Frame{File: m[2], Line: number(m[3]), Column: number(m[4])}
	} else {
		m := rustAt.FindStringSubmatch(rest)
		if m == nil {
			return nil, i
		}
		spot = Frame{File: m[1], Line: number(m[2]), Column: number(m[3])}
		k = rustMessage(t, k, &tr)
	}
	next := rustFrames(t, k, &tr)
	if !has(tr.Frames, spot) {
		tr.Frames = append([]Frame{spot}, tr.Frames...)
	}
	tr.End = t.lines[next-1].num
	return []Trace{tr}, next
}

// rustMessage reads the lines below the new format's head.
func rustMessage(t *text, k int, tr *Trace) int {
	var says []string
	for ; len(says) < 20; k++ {
		l := t.at(k)
		if l.stop || l.blank() || strings.HasPrefix(l.body, "note: ") || strings.EqualFold(l.body, "stack backtrace:") || rustPanic.MatchString(l.body) {
			break
		}
		says = append(says, l.body)
	}
	tr.Message = join(says)
	return k
}

// has says whether the backtrace shows the place of the panic.
func has(frames []Frame, spot Frame) bool {
	for _, f := range frames {
		if f.Line == spot.Line && (f.File == spot.File || strings.HasSuffix(f.File, "/"+spot.File)) {
			return true
		}
	}
	return false
}

// rustFrames reads the numbered list, if there is one from i on, and gives the line
// behind it; i where there is none.
func rustFrames(t *text, i int, tr *Trace) int {
	end := i
	for k := i; !t.at(k).stop && k < end+4; k++ {
		b := t.lines[k].body
		if strings.EqualFold(b, "stack backtrace:") || strings.HasPrefix(b, "note: ") {
			end = k + 1
			continue
		}
		m := rustEntry.FindStringSubmatch(b)
		if m == nil {
			if !strings.HasPrefix(b, "[... omitted") && b != "" {
				break
			}
			continue
		}
		f := Frame{Function: rustName(m[2])}
		if p := rustPlace.FindStringSubmatch(t.at(k + 1).body); p != nil {
			f.File, f.Line, f.Column = p[1], number(p[2]), number(p[3])
			k++
		}
		tr.Frames = append(tr.Frames, f)
		end = k + 1
	}
	return end
}

// rustName is a path without the hash of the compiler and closing type arguments.
func rustName(s string) string {
	return rustTypes.ReplaceAllString(rustHash.ReplaceAllString(s, ""), "")
}
