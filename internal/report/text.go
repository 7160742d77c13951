package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// writeText writes a report for a terminal.
func writeText(w io.Writer, a Analysis, o Options) error {
	c := &textCanvas{w: bufio.NewWriter(w), color: o.Color, width: cmp.Or(o.Width, 100)}
	return compose(a, c)
}

type textCanvas struct {
	w     *bufio.Writer
	color bool
	width int
	begun bool // a section has begun, and nothing stands in it yet
}

func (c *textCanvas) paint(code, s string) string {
	if !c.color {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (c *textCanvas) title(result, sure, title string) {
	fmt.Fprintf(c.w, "%s  %s\n%s\n", c.paint("1", printable(result)), sure, c.paint("1", oneLine(title)))
}

func (c *textCanvas) fact(text string) {
	fmt.Fprintln(c.w, c.paint("2", strings.Join(wrap(oneLine(text), c.width), "\n")))
}

func (c *textCanvas) section(name string, _ bool) {
	fmt.Fprintf(c.w, "\n%s\n", c.paint("1", strings.ToUpper(name)))
	c.begun = true
}

// para wraps prose, and leaves code that stands in it as it is.
func (c *textCanvas) para(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if !c.begun {
		fmt.Fprintln(c.w)
	}
	c.begun = false
	code := false
	for line := range strings.Lines(printable(strings.TrimSpace(text))) {
		line = strings.TrimRight(line, " \n")
		fenced := strings.HasPrefix(strings.TrimSpace(line), "```")
		if code = code != fenced; code || fenced {
			fmt.Fprintln(c.w, "  "+line)
			continue
		}
		for _, part := range wrap(line, c.width) {
			fmt.Fprintln(c.w, part)
		}
	}
}

func (c *textCanvas) item(text string) { c.hang("  - ", text) }

// hang writes a text behind a mark, with the other lines below its beginning.
func (c *textCanvas) hang(mark, text string) {
	c.begun = false
	indent := strings.Repeat(" ", utf8.RuneCountInString(mark))
	for i, line := range wrap(oneLine(text), c.width-len(indent)) {
		if i > 0 {
			mark = indent
		}
		fmt.Fprintln(c.w, mark+line)
	}
}

func (c *textCanvas) place(l Location, whole string) {
	at := l.Span().String()
	if l.Start == 0 {
		at += " (" + whole + ")"
	}
	fmt.Fprintf(c.w, "%3d. %s", l.Rank, c.paint("36", at))
	if l.Symbol != "" {
		fmt.Fprintf(c.w, "  %s", c.paint("1", oneLine(l.Symbol)))
	}
	fmt.Fprintln(c.w)
	if l.Why != "" {
		c.hang("     ", l.Why)
	}
}

// shownLines is how much of a quote a terminal is shown.
const shownLines = 8

func (c *textCanvas) quote(e Evidence, more string) {
	fmt.Fprintf(c.w, "  %s %s", c.paint("1", e.ID), c.paint("36", e.Span().String()))
	if e.Shows != "" {
		fmt.Fprintf(c.w, ": %s", oneLine(e.Shows))
	}
	fmt.Fprintln(c.w)
	lines := strings.Split(e.Quote, "\n")
	for i, line := range lines[:min(len(lines), shownLines)] {
		fmt.Fprintf(c.w, "  %s %s\n", c.paint("2", fmt.Sprintf("%6d |", e.Start+i)), head(printable(strings.ReplaceAll(line, "\t", "    ")), 2*c.width))
	}
	if left := len(lines) - shownLines; left > 0 {
		fmt.Fprintf(c.w, "         | "+more+"\n", left)
	}
}

func (c *textCanvas) end() error { return c.w.Flush() }

// wrap cuts a line between words. Chinese is cut anywhere.
func wrap(line string, width int) (out []string) {
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	current, used := "", 0
	for _, word := range strings.Fields(line) {
		n := columns(word)
		if used > 0 && used+1+n > width {
			out, current, used = append(out, current), "", 0
		}
		if used == 0 {
			current, used = indent+word, len(indent)+n
		} else {
			current, used = current+" "+word, used+1+n
		}
		for used > width && columns(current) != utf8.RuneCountInString(current) {
			first, rest := cutColumns(current, width)
			out, current, used = append(out, first), rest, columns(rest)
		}
	}
	return append(out, current)
}

// columns is how wide a text is on a terminal: Chinese signs take two.
func columns(s string) (n int) {
	for _, r := range s {
		n++
		if wide(r) {
			n++
		}
	}
	return n
}

func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xff60
}

func cutColumns(s string, width int) (first, rest string) {
	n := 0
	for i, r := range s {
		n++
		if wide(r) {
			n++
		}
		if n > width && i > 0 {
			return s[:i], s[i:]
		}
	}
	return s, ""
}

// printable makes text of strangers safe for a terminal: what is no line end, no tab and
// cannot be printed becomes a mark.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t':
			return ' '
		case unicode.IsPrint(r), unicode.Is(unicode.Mn, r):
			return r
		}
		return unicode.ReplacementChar
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// oneLine is printable text without line ends.
func oneLine(s string) string { return printable(strings.Join(strings.Fields(s), " ")) }

func head(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
