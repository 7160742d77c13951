package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// writeText writes a report for a terminal.
func writeText(w io.Writer, a Analysis, o Options) error {
	words := wordsOf(a.Lang)
	return compose(a, words, newText(w, words, a.Subject.Base, o))
}

func newText(w io.Writer, words words, base source.Commit, o Options) *textCanvas {
	return &textCanvas{w: bufio.NewWriter(w), words: words, base: base, color: o.Color, width: max(40, cmp.Or(o.Width, 100))}
}

type textCanvas struct {
	w     *bufio.Writer
	words words
	base  source.Commit
	color bool
	width int
	last  string // the kind of what was written last
}

// The colours of a terminal that are used.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	cyan   = "36"
)

func (c *textCanvas) paint(code, s string) string {
	if !c.color || s == "" || code == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// begin leaves a line free where something of another kind follows.
func (c *textCanvas) begin(kind string) {
	if c.last != kind && c.last != "" && c.last != "section" || kind == "section" {
		fmt.Fprintln(c.w)
	}
	c.last = kind
}

// title is one line if it fits.
func (c *textCanvas) title(result, sure, title string) {
	result, title = oneLine(result), oneLine(title)
	end := "  "
	if columns(result+sure+title)+4 > c.width {
		end = "\n"
	}
	fmt.Fprint(c.w, join("  ", c.paint(bold, result), sure), end)
	for _, line := range wrap(title, c.width) {
		fmt.Fprintln(c.w, c.paint(bold, line))
	}
	c.last = "fact"
}

func (c *textCanvas) fact(text string) {
	for _, line := range wrap(oneLine(text), c.width) {
		fmt.Fprintln(c.w, c.paint(dim, line))
	}
}

func (c *textCanvas) section(name string, _ bool) {
	c.begin("section")
	fmt.Fprintln(c.w, c.paint(bold, strings.ToUpper(name)))
}

// para wraps prose, and leaves code that stands in it as it is.
func (c *textCanvas) para(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	c.begin("")
	c.last = "para"
	code := false
	for _, line := range strings.Split(strings.TrimSpace(clean(text)), "\n") {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " ")
		fenced := strings.HasPrefix(strings.TrimSpace(line), "```")
		if code = code != fenced; code || fenced {
			fmt.Fprintln(c.w, strings.TrimRight("  "+line, " "))
			continue
		}
		for _, part := range wrap(line, c.width) {
			fmt.Fprintln(c.w, part)
		}
	}
}

func (c *textCanvas) item(text string) {
	c.begin("item")
	c.hang("  - ", text)
}

// hang writes a text behind a mark, with its other lines below its beginning.
func (c *textCanvas) hang(mark, text string) {
	indent := strings.Repeat(" ", columns(mark))
	for _, line := range wrap(oneLine(text), c.width-len(indent)) {
		fmt.Fprintln(c.w, strings.TrimRight(mark+line, " "))
		mark = indent
	}
}

func (c *textCanvas) places(all []Location) {
	c.begin("place")
	for _, l := range all {
		at := l.Span().String()
		if l.Start == 0 {
			at += " (" + c.words.WholeFile + ")"
		}
		line := fmt.Sprintf("%3d. %s  %s", l.Rank, c.paint(cyan, at), c.paint(bold, oneLine(l.Symbol)))
		fmt.Fprintln(c.w, strings.TrimRight(line, " "))
		if l.Why != "" {
			c.hang("     ", l.Why)
		}
	}
}

// shownLines is how much of a quote a terminal is shown.
const shownLines = 6

func (c *textCanvas) quote(e Evidence) {
	c.begin("quote")
	at := e.Span().String()
	if e.SHA != c.base {
		at = fmt.Sprintf(c.words.AtCommit, at, e.SHA.Short())
	}
	c.hang("  "+oneLine(e.ID)+" ", join(": ", at, e.Shows))
	lines, left := cutLines(e.Quote, shownLines)
	for i, line := range lines {
		c.code(change{' ', e.Start + i, line}, false)
	}
	c.more(left)
}

// tints are the colours of the signs of a change.
var tints = map[byte]string{'-': red, '+': green}

// code writes a line with its number, and with its sign if others have one.
func (c *textCanvas) code(l change, signed bool) {
	number, text := "", cut(strings.ReplaceAll(l.text, "\t", "    "), 2*c.width)
	if l.number > 0 {
		number = fmt.Sprint(l.number)
	}
	if signed {
		text = string(l.sign) + " " + text
	}
	line := c.paint(dim, fmt.Sprintf("%8s |", number)) + " " + c.paint(tints[l.sign], text)
	fmt.Fprintln(c.w, strings.TrimRight(line, " "))
}

func (c *textCanvas) more(left int) {
	if left > 0 {
		fmt.Fprintf(c.w, "         | "+c.words.More+"\n", left)
	}
}

func (c *textCanvas) hypotheses(all []Hypothesis) {
	c.begin("hypothesis")
	wide := 0
	for _, h := range all {
		wide = max(wide, columns(c.words.say(string(h.State))))
	}
	for _, h := range all {
		state := pad(c.words.say(string(h.State)), wide)
		c.hang("  "+state+"  ", join(" — ", h.Statement, h.Reason)+c.words.sides(h))
	}
}

// end leaves the last line to whoever shows the text: it has the cost as well.
func (c *textCanvas) end(string) error { return c.w.Flush() }
