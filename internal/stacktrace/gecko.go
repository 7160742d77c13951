package stacktrace

import (
	"regexp"
	"strings"
)

var geckoFrame = regexp.MustCompile(`^([^@\s]*?|(?:global|module|eval) code)@((?:\w[\w+.-]*://|/|\w:[/\\]|\.{0,2}/)?[^\s@]*?|\[native code\]|debugger eval code):(\d{1,9}):(\d{1,9})$`)

// geckoFile tells a script without a directory from the host of a mail address.
var geckoFile = regexp.MustCompile(`\.(?:[cm]?[jt]sx?|vue|svelte|html?)$|^debugger eval code$`)

// readGecko reads the stacks of Firefox and Safari, function@url:line:column.
func readGecko(t *text, i int) ([]Trace, int) {
	if _, ok := gecko(t.lines[i].body); !ok {
		return nil, i
	}
	at, typ, message := t.head(i)
	tr := Trace{Kind: Exception, Error: typ, Message: message, Line: t.lines[at].num, Truncated: at == i}
	for ; !t.at(i).stop; i++ {
		f, ok := gecko(t.lines[i].body)
		if !ok {
			break
		}
		tr.Frames = append(tr.Frames, f)
	}
	tr.End = t.lines[i-1].num
	tr.Language = script(tr.Frames)
	return []Trace{tr}, i
}

// gecko reads one line. Firefox marks inner functions with / and <, and awaits
// with async*.
func gecko(body string) (Frame, bool) {
	if !strings.Contains(body, "@") {
		return Frame{}, false
	}
	name, native := strings.CutSuffix(body, "@[native code]")
	if native && !strings.ContainsAny(name, " \t@") {
		return Frame{File: "[native code]", Function: name}, true
	}
	m := geckoFrame.FindStringSubmatch(body)
	if m == nil || !strings.Contains(m[2], "/") && !geckoFile.MatchString(m[2]) {
		return Frame{}, false
	}
	if at := strings.Index(m[2], " line "); at >= 0 { // > eval
		m[2] = m[2][:at]
	}
	name = strings.TrimRight(m[1], "/<")
	for _, mark := range []string{"async*", "promise callback*", "setTimeout handler*"} {
		name = strings.TrimPrefix(name, mark)
	}
	return Frame{File: m[2], Line: number(m[3]), Column: number(m[4]), Function: name}, true
}
