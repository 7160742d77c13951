package source

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Span is a run of whole lines in a file. Lines count from 1 and End is the last
// one; Start 0 means the whole file, End 0 means Start.
type Span struct {
	Path  string `json:"path"`
	Start int    `json:"start,omitempty"`
	End   int    `json:"end,omitempty"`
}

// String is path, path:12 or path:12-15. A path that would break a line or a
// terminal, or that could be taken for another span, is quoted as in Go, and
// ParseSpan takes all of these back.
func (s Span) String() string {
	p := Quote(s.Path)
	switch {
	case s.Start == 0:
		return p
	case s.End <= s.Start:
		return fmt.Sprintf("%s:%d", p, s.Start)
	}
	return fmt.Sprintf("%s:%d-%d", p, s.Start, s.End)
}

// Lines is how many lines the span has, 0 for a whole file.
func (s Span) Lines() int {
	if s.Start == 0 {
		return 0
	}
	return max(s.End, s.Start) - s.Start + 1
}

// Quote gives a path in one printable line: as it is where that is safe, else in
// double quotes with Go's escapes.
func Quote(path string) string {
	if path == "" || strings.ContainsFunc(path, needsQuotes) || strings.TrimSpace(path) != path || lines.MatchString(path) {
		return strconv.Quote(path)
	}
	return path
}

func needsQuotes(r rune) bool {
	return r == '"' || r == unicode.ReplacementChar || !unicode.IsPrint(r)
}

var lines = regexp.MustCompile(`:(\d{1,9})(?:-(\d{1,9}))?$`)

// ParseSpan is the inverse of Span.String.
func ParseSpan(s string) (Span, error) {
	span := Span{Path: s}
	if strings.HasPrefix(s, `"`) {
		quoted, err := strconv.QuotedPrefix(s)
		if err != nil {
			return Span{}, fmt.Errorf("%q is not path:line: the quotes do not close", s)
		}
		span.Path, _ = strconv.Unquote(quoted)
		if s = s[len(quoted):]; s == "" {
			return span, nil
		}
		if !lines.MatchString(s) || !strings.HasPrefix(s, lines.FindString(s)) {
			return Span{}, fmt.Errorf("%q is not :line or :line-line", s)
		}
	} else if at := lines.FindStringIndex(s); at == nil {
		return span, nil
	} else {
		span.Path = s[:at[0]]
	}
	m := lines.FindStringSubmatch(s)
	span.Start, _ = strconv.Atoi(m[1])
	span.End = span.Start
	if m[2] != "" {
		span.End, _ = strconv.Atoi(m[2])
	}
	if span.Start < 1 || span.End < span.Start || span.Path == "" {
		return Span{}, fmt.Errorf("%q is not a range of lines", s)
	}
	return span, nil
}
