package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	nativeFrame  = regexp.MustCompile(`^(?:\* )?(?:frame )?#(\d{1,6}):? +(.+)$`)
	nativeAddr   = regexp.MustCompile(`^0x[0-9a-f]+ +(?:in +)?`)
	nativeAt     = regexp.MustCompile(`^(.+?) at (\S.*?):(\d{1,9})(?::(\d{1,9}))?$`)
	nativeFrom   = regexp.MustCompile(`^(.+?) from (\S.*)$`)
	nativeBin    = regexp.MustCompile(`\s*\(([^()\s]+)\+0x[0-9a-f]+\)(?: \(BuildId: [0-9a-f]+\))?$`)
	nativePlace  = regexp.MustCompile(`^(.*?)\s*(\S*[/\\.]\S*?):(\d{1,9})(?::(\d{1,9}))?(?:, \w+=\S+)?$`)
	valgrind     = regexp.MustCompile(`^==\d+==\s+(at|by) 0x[0-9A-Fa-f]+: (.+?) \((?:in )?(.+?)(?::(\d{1,9}))?\)$`)
	nativeOffset = regexp.MustCompile(`\+0x[0-9a-f]+$`)
	valgrindPID  = regexp.MustCompile(`^==\d+==\s*`)
	undefined    = regexp.MustCompile(`^(\S.*?\.\w+):(\d{1,9}):(\d{1,9}): runtime error: (.+)$`)
	sanitizer    = regexp.MustCompile(`^(?:==\d+==\s*)?(?:(?:ERROR|WARNING): )?(\w+Sanitizer): (.+)$`)
	nativeCause  = regexp.MustCompile(`(?i)(?:allocated|freed|created|stored|located|read|write|leak)\b.*:$`)
)

// readNative reads what sanitizers, gdb, lldb and valgrind print of C and C++.
func readNative(t *text, i int) ([]Trace, int) {
	b := t.lines[i].body
	if m := undefined.FindStringSubmatch(b); m != nil {
		return readUndefined(t, i, m)
	}
	f, n := nativeCall(b)
	if f == (Frame{}) || n == 1<<30 || n > 0 && (f.File == "" || !strings.Contains(b, " 0x")) {
		return nil, i
	}
	var all []Trace
	for {
		tr, next := nativeStack(t, i)
		all, i = append(all, tr), next
		k, ok := nativeNext(t, next)
		if !ok || tr.Kind != Sanitizer {
			return all, next
		}
		t.from = next
		all[0].Links = append(all[0].Links, Link{Related, len(all)})
		i = k
	}
}

// readUndefined reads a report of UBSan, which has a stack only when asked for.
func readUndefined(t *text, i int, m []string) ([]Trace, int) {
	tr := Trace{Kind: Sanitizer, Error: "UndefinedBehaviorSanitizer", Message: m[4], Line: t.lines[i].num}
	next := i + 1
	k := i + 1
	for ; k < i+6 && !t.at(k).stop && !strings.HasPrefix(t.lines[k].body, "#0 "); k++ {
	}
	if strings.HasPrefix(t.at(k).body, "#0 ") {
		next = nativeFrames(t, k, &tr)
	}
	spot := Frame{File: m[1], Line: number(m[2]), Column: number(m[3])}
	if !has(tr.Frames, spot) {
		tr.Frames = append([]Frame{spot}, tr.Frames...)
	}
	tr.Language, tr.End = nativeLanguage(tr.Frames), t.lines[next-1].num
	return []Trace{tr}, next
}

// nativeStack reads the frames from #0 on and the head above them.
func nativeStack(t *text, i int) (Trace, int) {
	tr := Trace{Kind: Backtrace, Line: t.lines[i].num}
	for at := i - 1; at >= max(t.from, i-10) && !t.lines[at].stop; at-- {
		b := t.lines[at].body
		if m := sanitizer.FindStringSubmatch(b); m != nil {
			tr.Kind, tr.Error, tr.Message, tr.Line = Sanitizer, m[1], m[2], t.lines[at].num
			break
		}
		if nativeCause.MatchString(b) && tr.Message == "" {
			tr.Kind, tr.Message, tr.Line = Sanitizer, strings.TrimSuffix(b, ":"), t.lines[at].num
		}
		if m := valgrindPID.FindString(b); m != "" && tr.Message == "" && len(m) < len(b) && tr.Kind != Sanitizer {
			tr.Message, tr.Line = b[len(m):], t.lines[at].num
		}
		if tr.Message == "" && at == i-1 {
			tr.Message = signal(b)
		}
	}
	_, n := nativeCall(t.lines[i].body)
	tr.Truncated = n > 0
	next := nativeFrames(t, i, &tr)
	tr.Language, tr.End = nativeLanguage(tr.Frames), t.lines[next-1].num
	return tr, next
}

// signal is the line of a debugger that says why the program stopped.
func signal(body string) string {
	if strings.Contains(body, "signal SIG") || strings.Contains(body, "stop reason") {
		return strings.TrimPrefix(body, "* ") // lldb's mark of the chosen thread
	}
	return ""
}

// nativeNext finds the next stack of the same report.
func nativeNext(t *text, i int) (int, bool) {
	for k := i; k < i+8 && !t.at(k).stop; k++ {
		b := t.lines[k].body
		if sanitizer.MatchString(b) {
			return k, false
		}
		if f, n := nativeCall(b); n == 0 && f != (Frame{}) {
			return k, true
		}
	}
	return i, false
}

// nativeFrames reads frames as long as their numbers rise.
func nativeFrames(t *text, i int, tr *Trace) int {
	last := -1
	for ; !t.at(i).stop; i++ {
		f, n := nativeCall(t.lines[i].body)
		if f == (Frame{}) || n <= last {
			break
		}
		tr.Frames = append(tr.Frames, f)
		if last = n; n == 1<<30 {
			last-- // valgrind does not number them
		}
	}
	return i
}

// nativeCall reads a frame and its number.
func nativeCall(body string) (Frame, int) {
	if m := valgrind.FindStringSubmatch(body); m != nil {
		f, n := Frame{Function: callee(m[2]), File: m[3], Line: number(m[4])}, 1<<30
		if m[4] == "" {
			f.Module, f.File = m[3], ""
		}
		if m[1] == "at" {
			n = 0
		}
		return f, n
	}
	m := nativeFrame.FindStringSubmatch(body)
	if m == nil {
		return Frame{}, -1
	}
	addr := nativeAddr.FindString(m[2])
	rest := m[2][len(addr):]
	f := nativeSymbol(body, rest, addr)
	if f == (Frame{}) {
		return f, -1
	}
	return f, number(m[1])
}

// nativeSymbol reads what follows the number and the address.
func nativeSymbol(body, rest, addr string) Frame {
	f := Frame{}
	if b := nativeBin.FindStringSubmatchIndex(rest); b != nil {
		f.Module, rest = rest[b[2]:b[3]], rest[:b[0]]
	}
	if at := strings.IndexByte(rest, '`'); at >= 0 && strings.HasPrefix(strings.TrimPrefix(body, "* "), "frame") {
		f.Module, rest = rest[:at], rest[at+1:]
	}
	if at := nativeAt.FindStringSubmatch(rest); at != nil {
		f.Function, f.File, f.Line, f.Column = callee(at[1]), at[2], number(at[3]), number(at[4])
	} else if at := nativeFrom.FindStringSubmatch(rest); at != nil {
		f.Function, f.Module = callee(at[1]), at[2]
	} else if at := nativePlace.FindStringSubmatch(rest); at != nil && at[1] != "" {
		f.Function, f.File, f.Line, f.Column = callee(at[1]), at[2], number(at[3]), number(at[4])
	} else if addr != "" || f.Module != "" || strings.HasSuffix(rest, ")") && strings.Contains(rest, " (") {
		f.Function = callee(rest)
	} else {
		return Frame{}
	}
	if f.Function == "" && f.File == "" {
		f.Function = strings.TrimSpace(addr)
	}
	return f
}

// callee is a function without its parameters, qualifiers and offset.
func callee(s string) string {
	s = nativeOffset.ReplaceAllString(strings.TrimSpace(s), "")
	if s == "(anonymous namespace)" {
		return s
	}
	for at, depth := 0, 0; at < len(s); at++ {
		switch s[at] {
		case '<':
			depth++
		case '>':
			depth--
		case '(':
			if strings.HasPrefix(s[at:], "(anonymous namespace)") || depth > 0 || at == 0 || strings.HasSuffix(s[:at], "operator") {
				continue
			}
			return strings.TrimSpace(s[:at])
		}
	}
	return s
}

func nativeLanguage(frames []Frame) source.Language {
	for _, f := range frames {
		if lang := source.LanguageOf(f.File, nil); lang == source.CPP || lang == source.Rust || lang == source.Swift || strings.Contains(f.Function, "::") {
			if lang != source.Rust && lang != source.Swift {
				lang = source.CPP
			}
			return lang
		}
	}
	return source.C
}
