package stacktrace

import (
	"regexp"
	"strings"
)

const (
	maxText = 1 << 20
	maxLine = 4 << 10
)

// text is the input as the readers see it, line by line.
type text struct {
	lines   []line
	from    int // readers do not look back past this line
	skipped int
	locs    []int // for each line, the next one that pytest prints a location in
}

// line is one line without the dress that Markdown, terminals and logs put on it.
type line struct {
	text   string // with its indentation
	body   string // without
	indent int    // in columns
	num    int    // from 1, in the whole text
	stop   bool   // a fence, or the gap of a text that was cut: no trace goes on behind it
	logged bool   // behind the prefix of a logger
}

func (l line) blank() bool { return l.body == "" }

func newLine(s string, num int) line {
	s = strings.TrimRight(s, " \t\r")
	body := strings.TrimLeft(s, " \t")
	return line{text: s, body: body, indent: columns(s[:len(s)-len(body)]), num: num}
}

// columns is the width of leading white space.
func columns(space string) int {
	n := 0
	for _, r := range space {
		if n++; r == '\t' {
			n = (n + 7) / 8 * 8
		}
	}
	return n
}

// clean splits the text and takes off what is not of the trace.
func clean(s string) *text {
	t := new(text)
	head, tail := s, ""
	if len(s) > maxText {
		head = s[:cutAt(s, maxText/2)]
		tail = s[cutAt(s, len(s)-maxText/2):]
		t.skipped = len(s) - len(head) - len(tail)
	}
	t.add(head, 1)
	if tail != "" {
		t.lines = append(t.lines, line{stop: true})
		t.add(tail, 1+strings.Count(s[:len(s)-len(tail)], "\n"))
	}
	learnPrefixes(t.lines)
	t.locs = pytestLocations(t.lines)
	return t
}

// cutAt moves a cut to the start of a line, where one is near.
func cutAt(s string, at int) int {
	if nl := strings.IndexByte(s[at:min(at+maxLine, len(s))], '\n'); nl >= 0 {
		return at + nl + 1
	}
	return at
}

func (t *text) add(s string, num int) {
	raw := strings.Split(s, "\n")
	for i, r := range raw {
		raw[i] = plain(r[:min(len(r), maxLine)])
	}
	unquote(raw)
	for i, r := range raw {
		for _, part := range unfold(r) {
			t.lines = append(t.lines, undress(part, num+i))
		}
	}
}

var (
	colours  = regexp.MustCompile(`(?:\x1b|\\x1b|\\u001b|\\033|\^\[)\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\[\d{1,3}(?:;\d{1,3})*m`)
	entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&quot;", `"`, "&#34;", `"`,
		"&#39;", "'", "&#x27;", "'", "&apos;", "'", "&#96;", "`", "&nbsp;", " ", "\u00a0", " ", "\u200b", "", "\ufeff", "")
)

// plain takes off what is not UTF-8, carriage returns, colours (also those that lost their escape
// character), and HTML entities.
func plain(s string) string {
	s = strings.TrimRight(strings.ToValidUTF8(s, "\ufffd"), "\r")
	if strings.ContainsAny(s, "[\x1b") {
		s = colours.ReplaceAllString(s, "")
	}
	return entities.Replace(s)
}

var (
	fence  = regexp.MustCompile("^(?:[ \t]*```+| {0,3}~~~+)[ \t]*(.*)$") // four spaces and ~~~ are Python's marks
	word   = regexp.MustCompile(`^[{.]*[\w+#-]*[}]?$`)
	tags   = regexp.MustCompile(`(?i)^(\s*)(?:</?(?:pre|code|details|summary|p|br|div|b|samp|kbd)(?:\s[^<>]*)?/?>\s?)+|(?:</?(?:pre|code|details|summary|p|br|div|b|samp|kbd)\s*/?>\s*)+$`)
	bullet = regexp.MustCompile(`^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+`)
)

var (
	folded = regexp.MustCompile(` +(Stack trace:|#\d{1,6} |Next |thrown in )`)
	bold   = regexp.MustCompile(`</?b>`)
)

// unfold gives the lines of a PHP trace that a browser showed in one line.
func unfold(s string) []string {
	if strings.Contains(s, "</b>") {
		s = bold.ReplaceAllString(s, "")
	}
	if !strings.Contains(s, " Stack trace: #0 ") {
		return []string{s}
	}
	return strings.Split(folded.ReplaceAllString(s, "\n$1"), "\n")
}

// undress takes off fences, tags, list markers and the prefixes of logs.
func undress(s string, num int) line {
	if m := fence.FindStringSubmatch(s); m != nil {
		if word.MatchString(m[1]) {
			return line{num: num, stop: true}
		}
		if strings.TrimLeft(s, " \t")[0] == '`' {
			s = m[1] // the trace starts on the fence's own line
		}
	}
	s = strings.TrimSuffix(strings.TrimRight(s, " \t"), "```")
	if strings.HasPrefix(s, "`") {
		s = strings.TrimSuffix(s[1:], "`") // inline code
	}
	if strings.ContainsRune(s, '<') {
		s = tags.ReplaceAllString(s, "$1")
	}
	if m := bullet.FindString(s); m != "" {
		s = strings.Repeat(" ", columns(m)) + s[len(m):]
	}
	at := logPrefix(s)
	l := newLine(s[at:], num)
	l.logged = at > 0
	return l
}

// unquote takes off up to three levels of "> ". A lonely "> " before indented code
// is how pytest marks the failing line.
func unquote(lines []string) {
	for range 3 {
		marks := make([]bool, len(lines))
		for i, s := range lines {
			s = strings.TrimLeft(s, " ")
			marks[i] = strings.HasPrefix(s, ">") && !strings.HasPrefix(s, ">>>")
		}
		for i, s := range lines {
			if !marks[i] {
				continue
			}
			s = strings.TrimLeft(s, " ")[1:]
			near := i > 0 && marks[i-1] || i+1 < len(lines) && marks[i+1]
			if near || !strings.HasPrefix(s, "   ") {
				lines[i] = strings.TrimPrefix(s, " ")
			}
		}
	}
}
