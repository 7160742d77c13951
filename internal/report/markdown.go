package report

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"net/url"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// writeMarkdown writes a report that can be pasted into an issue.
func writeMarkdown(w io.Writer, a Analysis, _ Options) error {
	words := wordsOf(a.Lang)
	return compose(a, words, &markdownCanvas{w: bufio.NewWriter(w), words: words, base: a.Subject.Base, web: a.Subject.Web})
}

type markdownCanvas struct {
	w     *bufio.Writer
	words words
	base  source.Commit
	web   string   // where the files of base are
	of    Compared // of a review
	fold  bool     // a folded part is open
	items bool     // the last block is a list
	room  room
}

// block writes a block, with a free line before it.
func (c *markdownCanvas) block(text string) {
	c.items = false
	fmt.Fprintf(c.w, "\n%s\n", text)
}

func (c *markdownCanvas) title(result, sure, title string) {
	fmt.Fprintf(c.w, "## %s: %s\n", inline(oneLine(result), false), inline(oneLine(title), false))
	if sure != "" {
		c.item(sure)
	}
}

func (c *markdownCanvas) fact(text string) { c.item(text) }

func (c *markdownCanvas) section(name string, minor bool) {
	c.unfold()
	if c.room.full(c.w.Buffered()) { // as it will be for all that comes
		return
	}
	if minor {
		c.details(html.EscapeString(name))
		return
	}
	c.block("### " + name)
}

// details begins a part that is folded away; its name is HTML.
func (c *markdownCanvas) details(name string) {
	c.unfold()
	c.block("<details><summary>" + name + "</summary>")
	c.fold = true
}

func (c *markdownCanvas) unfold() {
	if c.fold {
		c.block("</details>")
		c.fold = false
	}
}

func (c *markdownCanvas) para(text string) {
	if strings.TrimSpace(text) != "" {
		c.block(neutral(text))
	}
}

func (c *markdownCanvas) item(text string) {
	if !c.room.take(c.w.Buffered()) {
		return
	}
	if !c.items {
		fmt.Fprintln(c.w)
	}
	c.items = true
	fmt.Fprintf(c.w, "- %s\n", neutralLine(oneLine(text)))
}

// table writes rows whose cells are ready.
func (c *markdownCanvas) table(rows [][]string) {
	var lines []string
	for i, row := range rows {
		lines = append(lines, "| "+strings.Join(row, " | ")+" |")
		if i == 0 {
			lines = append(lines, "|"+strings.Repeat(" --- |", len(row)))
		}
	}
	c.block(strings.Join(lines, "\n"))
}

func (c *markdownCanvas) places(all []Location) {
	rows := [][]string{{"", c.words.Place, "", c.words.Reason}}
	for _, l := range all {
		at := c.link(c.base, l.Path, l.Start, l.End, cellCode(l.Span().String()))
		if l.Start == 0 {
			at += " (" + c.words.WholeFile + ")"
		}
		rows = append(rows, []string{fmt.Sprint(l.Rank), at, cellCode(l.Symbol), cell(l.Why)})
	}
	c.table(rows)
}

func (c *markdownCanvas) hypotheses(all []Hypothesis) {
	rows := [][]string{{c.words.State, c.words.Statement, c.words.For, c.words.Against}}
	for _, h := range all {
		rows = append(rows, []string{
			cell(c.words.say(string(h.State))), cell(join(" — ", h.Statement, h.Reason)),
			cell(strings.Join(h.Supporting, ", ")), cell(strings.Join(h.Refuting, ", ")),
		})
	}
	c.table(rows)
}

// link leads to the lines at the commit, where the web has them and the commit is known.
func (c *markdownCanvas) link(at source.Commit, p string, start, end int, shown string) string {
	if c.web == "" || at == "" {
		return shown
	}
	parts := strings.Split(p, "/")
	for i, s := range parts {
		parts[i] = url.PathEscape(s)
	}
	to := strings.TrimSuffix(c.web, string(c.base)) + string(at) + "/" + strings.Join(parts, "/")
	switch {
	case start > 0 && end > start:
		to += fmt.Sprintf("#L%d-L%d", start, end)
	case start > 0:
		to += fmt.Sprintf("#L%d", start)
	}
	return fmt.Sprintf("[%s](%s)", shown, destination.Replace(to))
}

// destination keeps an address inside its link, and the link inside its cell.
var destination = strings.NewReplacer("(", "%28", ")", "%29", "|", "%7C", "\\", "%5C", "<", "%3C", ">", "%3E", " ", "%20", "\n", "%0A")

// The most of a quote that an issue is shown.
const (
	blockLines = 40
	blockWidth = 400
)

func (c *markdownCanvas) quote(e Evidence) {
	at := c.link(e.SHA, e.Path, e.Start, e.End, code(e.Span().String()))
	if e.SHA != c.base {
		at = fmt.Sprintf(c.words.AtCommit, at, e.SHA.Short())
	}
	c.block(join(": ", fmt.Sprintf("**%s** %s", inline(oneLine(e.ID), false), at), inline(oneLine(e.Shows), false)))
	lines, left := cutLines(e.Quote, blockLines)
	for i := range lines {
		lines[i] = cut(lines[i], blockWidth)
	}
	c.code(tag(e.Path), lines, left)
}

// code writes a block of code, and how many lines of it are left out.
func (c *markdownCanvas) code(language string, lines []string, left int) {
	c.block(block(language, strings.Join(lines, "\n")))
	if left > 0 {
		c.block(fmt.Sprintf(c.words.More, left))
	}
}

func (c *markdownCanvas) end(foot string) error {
	c.unfold()
	if c.room.left > 0 {
		c.block(fmt.Sprintf(c.words.TooLong, c.room.left))
	}
	c.block("<sub>" + inline(oneLine(foot), false) + "</sub>")
	return c.w.Flush()
}
