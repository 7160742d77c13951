package settings

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of a file of settings. The parser takes time by the square of some of them:
// 60 KB of brackets, or of empty lines in a folded text, cost it ten seconds and gigabytes.
const (
	maxFile     = 64 << 10 // bytes
	maxLines    = 1000
	maxLine     = 4096 // bytes
	maxBrackets = 1000 // that open, wherever they are
	maxWrong    = 10   // sentences about one file
)

// text is what the file holds, if it is small enough to be parsed.
func (f File) text() (string, error) {
	if len(f.Data) > maxFile {
		return "", fmt.Errorf("%s: %w: more than %d KB", f.Name, ErrFile, maxFile>>10)
	}
	text := breaks.Replace(strings.TrimPrefix(string(f.Data), "\ufeff"))
	n := 0
	for line := range strings.Lines(text) {
		n++
		switch {
		case n > maxLines:
			return "", fmt.Errorf("%s: %w: more than %d lines", f.Name, ErrFile, maxLines)
		case len(line) > maxLine:
			return "", fmt.Errorf("%s:%d: %w: a line of more than %d bytes", f.Name, n, ErrFile, maxLine)
		case !utf8.ValidString(line):
			return "", fmt.Errorf("%s:%d: %w: not UTF-8", f.Name, n, ErrFile)
		}
	}
	if strings.Count(text, "[")+strings.Count(text, "{") > maxBrackets {
		return "", fmt.Errorf("%s: %w: more than %d brackets", f.Name, ErrFile, maxBrackets)
	}
	return text, nil
}

// breaks makes all ends of lines one, so that what is counted here is what is parsed.
var breaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// printable is what a parser says of a file of strangers: one line of bounded length.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return fmt.Sprintf("%.200s", b.String())
}
