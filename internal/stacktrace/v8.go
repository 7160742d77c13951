package stacktrace

import (
	"regexp"
	"strings"
)

var (
	v8Eval     = regexp.MustCompile(`^eval at .*?\(?([^()\s]+:\d{1,9}:\d{1,9})\)`)
	v8Alias    = regexp.MustCompile(` \[as [^\]]*\]$`)
	v8NoFile   = regexp.MustCompile(`^(?:<anonymous>|native|index \d+|unknown location|<unknown>|native code)$`)
	v8Cause    = regexp.MustCompile(`^(?:\[(?:cause|errors)\]:|Caused by:) ?(.*)$`)
	v8Matching = regexp.MustCompile(`^\.\.\. (\d{1,9}) lines matching cause stack trace \.\.\.$`)
	react      = regexp.MustCompile(`^in ([A-Z]\w*) \(at (.+):(\d{1,9})\)$`)
	devtools   = regexp.MustCompile(`^((?:async )?[\w$.<>() ]+?) @ (\S+):(\d{1,9})$`)
)

// v8Frame reads a line of Node, Chrome or Deno, or of a component stack.
func v8Frame(body string) (Frame, bool) {
	if m := react.FindStringSubmatch(body); m != nil {
		return Frame{File: m[2], Line: number(m[3]), Function: m[1]}, true
	}
	if m := devtools.FindStringSubmatch(body); m != nil {
		return Frame{File: m[2], Line: number(m[3]), Function: strings.TrimPrefix(m[1], "async ")}, true
	}
	rest, ok := after(body, "at")
	if !ok {
		return Frame{}, false
	}
	rest = strings.TrimPrefix(rest, "async ")
	if open := strings.Index(rest, " ("); open >= 0 {
		if !strings.HasSuffix(rest, ")") { // cut off, or prose
			return Frame{}, false
		}
		return v8Place(v8Name(rest[:open]), rest[open+2:len(rest)-1], false)
	}
	return v8Place("", rest, true)
}

// v8Name is a function without "new", the alias and the marks of wrappers.
func v8Name(s string) string {
	s = v8Alias.ReplaceAllString(s, "")
	return strings.TrimPrefix(strings.TrimPrefix(s, "new "), "async ")
}

func v8Place(name, place string, bare bool) (Frame, bool) {
	if m := v8Eval.FindStringSubmatch(place); m != nil {
		place = m[1] // what was evaluated is in no file, the call of eval is
	}
	if v8NoFile.MatchString(place) {
		f := Frame{Function: name}
		if strings.HasPrefix(place, "<") || name == "" {
			f.File = place
		}
		return f, true
	}
	file, ln, col, ok := splitPosition(place)
	if !ok || !pathLike(file, bare) {
		return Frame{}, false
	}
	return Frame{File: file, Line: ln, Column: col, Function: name}, true
}

// pathLike tells a place from the words of a sentence, and from a time of day.
func pathLike(s string, bare bool) bool {
	return strings.ContainsAny(s, `./\<:`) && strings.ContainsFunc(s, letter) && (!bare || !strings.Contains(s, " ") || strings.ContainsAny(s, `/\`))
}

func letter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127 }

// readV8 reads a stack and the causes that Node nests below it.
func readV8(t *text, i int) ([]Trace, int) {
	var all []Trace
	tr, next := v8Trace(t, i)
	for {
		all = append(all, tr)
		m := v8Cause.FindStringSubmatch(strings.TrimSuffix(t.at(next).body, " {"))
		if m == nil {
			return all, next
		}
		k := next + 1
		for end := k + 10; k < end && !t.at(k).stop && !v8Is(t.at(k).body); k++ {
		}
		if !v8Is(t.at(k).body) {
			return all, next
		}
		t.from = next
		all[len(all)-1].Links = append(all[len(all)-1].Links, Link{Cause, len(all)})
		tr, next = v8Trace(t, k)
	}
}

func v8Is(body string) bool {
	_, ok := v8Frame(body)
	return ok
}

func v8Trace(t *text, i int) (Trace, int) {
	at, typ, message := t.head(i)
	tr := Trace{Kind: Exception, Error: typ, Message: message, Line: t.lines[at].num, Truncated: at == i}
	for ; !t.at(i).stop; i++ {
		b := strings.TrimSuffix(t.lines[i].body, " {")
		if f, ok := v8Frame(b); ok {
			tr.Frames = append(tr.Frames, f)
		} else if m := v8Matching.FindStringSubmatch(b); m != nil {
			tr.Omitted += number(m[1])
		} else {
			break
		}
	}
	tr.End = t.lines[i-1].num
	tr.Language = script(tr.Frames)
	return tr, i
}
