package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	javaPlace  = regexp.MustCompile(`^(?:([\w$-]+\.(?:java|kt|kts|scala|sc|groovy|clj|cljc|cljs))(?::(-?\d{1,9}))?|Native Method|<generated>|<eval>|SourceFile(?::\d+)?|Unknown Source(?::\d+)?|[\w.-]*r8-map-id[\w.:-]*|\w+\.dex(?::\d+)?)$`)
	javaJar    = regexp.MustCompile(`\)\s*~?\[([^\]]*)\]$`)
	javaModule = regexp.MustCompile(`^(?:[\w.-]+(?:@[\w.+-]+)?)?/+`)
	javaMore   = regexp.MustCompile(`^\.\.\. (\d{1,9}) (?:more|common frames omitted)`)
	javaOther  = regexp.MustCompile(`^(Caused by|Suppressed|Wrapped by): ?(.*)$`)
)

// javaFrame reads at module/pkg.Class.method(File.java:12).
func javaFrame(body string) (Frame, bool) {
	rest, ok := after(body, "at")
	if !ok {
		return Frame{}, false
	}
	f := Frame{}
	if m := javaJar.FindStringSubmatchIndex(rest); m != nil {
		f.Module, rest = rest[m[2]:m[3]], rest[:m[0]+1]
	}
	open := strings.LastIndexByte(rest, '(')
	if open < 1 || !strings.HasSuffix(rest, ")") || rest[open-1] == ' ' {
		return Frame{}, false
	}
	m := javaPlace.FindStringSubmatch(rest[open+1 : len(rest)-1])
	if m == nil {
		return Frame{}, false
	}
	f.File, f.Line, f.Function = m[1], number(m[2]), rest[:open]
	if lambda := strings.Index(f.Function, "$$Lambda"); lambda < 0 || strings.Contains(f.Function[:lambda], "/") {
		f.javaUnqualify()
	}
	return f, true
}

// javaUnqualify takes the class loader and the module off, app//java.base@17/.
func (f *Frame) javaUnqualify() {
	for {
		m := javaModule.FindString(f.Function)
		if m == "" || len(m) == len(f.Function) {
			return
		}
		f.Function = f.Function[len(m):]
		if name := strings.TrimRight(m, "/"); name != "" && name != "app" && name != "platform" {
			f.Module = name
		}
	}
}

// readJava reads an exception of the JVM with its causes and what it suppressed.
func readJava(t *text, i int) ([]Trace, int) {
	r := javaReader{t: t}
	at, typ, message := t.head(i)
	first := Trace{Error: typ, Message: message, Line: t.lines[at].num, Truncated: at == i}
	if m := javaOther.FindStringSubmatch(t.lines[at].body); m != nil && at < i {
		first.Truncated = true // its own head is missing
	}
	next := r.stack(first, t.lines[at].indent, i)
	for {
		m := javaOther.FindStringSubmatch(t.at(next).body)
		if m == nil {
			return r.all, next
		}
		relation := Cause
		if m[1] == "Suppressed" {
			relation = Suppressed
		}
		k, tr := r.other(next, m[2])
		if k == next {
			return r.all, next
		}
		if m[1] == "Wrapped by" { // the root cause comes first
			tr.Links = []Link{{Cause, len(r.all) - 1}}
		} else {
			r.link(relation, t.lines[next].indent)
		}
		next = r.stack(tr, t.lines[next].indent, k)
	}
}

type javaReader struct {
	t      *text
	all    []Trace
	indent []int // of the head of each trace
}

// other reads the head of a cause, up to its first frame.
func (r *javaReader) other(i int, says string) (int, Trace) {
	typ, message, _ := strings.Cut(says, ": ")
	lines := []string{message}
	k := i + 1
	for end := k + 20; k < end; k++ {
		l := r.t.at(k)
		if l.stop || javaOther.MatchString(l.body) || javaMore.MatchString(l.body) {
			break
		}
		if _, ok := javaFrame(l.body); ok {
			break
		}
		lines = append(lines, l.body)
	}
	tr := Trace{Error: strings.TrimSuffix(typ, ":"), Line: r.t.lines[i].num, Message: join(lines)}
	return k, tr
}

// link ties the trace that comes next to the one it is printed under: the last one
// whose head is not deeper, or for what was suppressed, less deep.
func (r *javaReader) link(relation Relation, indent int) {
	first := max(0, len(r.all)-maxTraces)
	for k := len(r.all) - 1; k >= first; k-- {
		if r.indent[k] < indent || r.indent[k] == indent && relation == Cause || k == first {
			r.all[k].Links = append(r.all[k].Links, Link{relation, len(r.all)})
			return
		}
	}
}

// stack reads the frames of a trace.
func (r *javaReader) stack(tr Trace, indent, i int) int {
	tr.Language, tr.Kind = source.Java, Exception
	for ; !r.t.at(i).stop; i++ {
		b := r.t.lines[i].body
		if f, ok := javaFrame(b); ok {
			tr.Frames = append(tr.Frames, f)
		} else if m := javaMore.FindStringSubmatch(b); m != nil {
			tr.Omitted += number(m[1])
		} else if strings.Trim(b, ".") == "" && strings.HasPrefix(b, "...") {
			tr.Truncated = true
		} else {
			break
		}
	}
	for _, f := range tr.Frames {
		if lang := source.LanguageOf(f.File, nil); lang == source.Kotlin || lang == source.Scala {
			tr.Language = lang
			break
		}
	}
	tr.End = r.t.lines[i-1].num
	r.all, r.indent = append(r.all, tr), append(r.indent, indent)
	return i
}
