package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	sharpPlace = regexp.MustCompile(`^(.+?)(\s?)\(([^()]*(?:\([^()]*\)[^()]*)*)\)(?: \[0x[0-9a-f]+\])?(?: (?:in|dans|en|в|位置|場所) (.+?):(?:(?:line|Zeile|ligne|línea|строка|行号?) ?)?(\d{1,9})\.?)?\s*$`)
	sharpName  = regexp.MustCompile("^[\\w.<>|`+$@,\\[\\]:&*]+$")
	sharpInner = "--- End of inner exception stack trace"
	sharpAsync = regexp.MustCompile(`\.?<(\w+)>d__\d+(?:` + "`" + `\d+)?\.MoveNext$`)
)

// sharpFrame reads at A.B.C(String s) in /x/y.cs:line 12, with or without the file.
func sharpFrame(body string) (Frame, bool) {
	rest, ok := after(body, "at", "bei", "à", "в", "场所", "场", "在", "場所")
	if !ok {
		return Frame{}, false
	}
	m := sharpPlace.FindStringSubmatch(rest)
	if m == nil || !sharpName.MatchString(m[1]) || !strings.Contains(m[1], ".") {
		return Frame{}, false
	}
	if m[4] == "" && (m[2] != "" && !strings.HasSuffix(rest, "]") || strings.ContainsAny(m[3], ":/\\") || v8NoFile.MatchString(m[3])) {
		return Frame{}, false
	}
	f := Frame{Function: sharpAsync.ReplaceAllString(m[1], ".$1"), File: m[4], Line: number(m[5])}
	if strings.HasPrefix(f.File, "<") { // Mono without symbols prints a hash and :0
		f.File, f.Line = "", 0
	}
	return f, true
}

// readSharp reads an exception of .NET. The inner one is printed first, behind
// ---> in the head.
func readSharp(t *text, i int) ([]Trace, int) {
	all, open := sharpHeads(t, i)
	for ; !t.at(i).stop; i++ {
		b := t.lines[i].body
		tr := &all[open[len(open)-1]]
		if f, ok := sharpFrame(b); ok {
			tr.Frames = append(tr.Frames, f)
		} else if strings.HasPrefix(b, sharpInner) {
			if len(open) > 1 {
				open = open[:len(open)-1]
			}
		} else if !strings.HasPrefix(b, "--- End of stack trace") {
			break
		}
		tr.End = t.lines[i].num
	}
	return all, i
}

// sharpHeads reads the errors above the first frame, and gives them with the order
// in which their frames come, from the back.
func sharpHeads(t *text, i int) ([]Trace, []int) {
	at, typ, message := t.head(i)
	for at < i && strings.HasPrefix(t.lines[at].body, "--->") && at-1 >= t.from && !t.lines[at-1].stop && !t.lines[at-1].blank() {
		at-- // an outer exception above
	}
	first := Trace{Language: source.CSharp, Kind: Exception, Error: typ, Message: message, Line: t.lines[at].num, End: t.lines[i].num}
	if at == i {
		first.Truncated = true
		return []Trace{first}, []int{0}
	}
	var all []Trace
	var open []int
	whole := join(bodies(t.lines[at:i]))
	for n, part := range strings.Split(whole, "--->") {
		tr := first
		tr.Error, tr.Message = "", strings.TrimSpace(part)
		if m := sharpType.FindStringSubmatch(tr.Message); m != nil {
			tr.Error, tr.Message = m[1], strings.TrimSpace(m[2])
		}
		if n > 0 {
			all[n-1].Links = []Link{{Cause, n}}
		}
		all, open = append(all, tr), append(open, n)
	}
	return all, open
}

var sharpType = regexp.MustCompile(`(?s)^(?:.*?\s|\()?((?:\w+\.)*\w*` + errorWords + `)(?: \(0x[0-9A-Fa-f]+\))?(?::\s?(.*))?$`)
