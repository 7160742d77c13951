package report

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// writeMarkdown writes a report that can be pasted into an issue.
func writeMarkdown(w io.Writer, a Analysis, _ Options) error {
	return compose(a, &markdownCanvas{w: bufio.NewWriter(w), web: a.Subject.Web})
}

type markdownCanvas struct {
	w    *bufio.Writer
	web  string
	fold bool // a folded part is open
	rows bool // a table is open
}

func (c *markdownCanvas) title(result, sure, title string) {
	fmt.Fprintf(c.w, "## %s: %s\n\n*%s*\n", result, neutral(title), sure)
}

func (c *markdownCanvas) fact(text string) {
	c.flow()
	fmt.Fprintf(c.w, "\n%s\n", neutral(text))
}

// flow ends a table.
func (c *markdownCanvas) flow() { c.rows = false }

func (c *markdownCanvas) section(name string, minor bool) {
	c.flow()
	c.unfold()
	if minor {
		fmt.Fprintf(c.w, "\n<details><summary>%s</summary>\n\n", html.EscapeString(name))
		c.fold = true
		return
	}
	fmt.Fprintf(c.w, "\n### %s\n\n", name)
}

func (c *markdownCanvas) unfold() {
	if c.fold {
		fmt.Fprint(c.w, "\n</details>\n")
		c.fold = false
	}
}

func (c *markdownCanvas) para(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	c.flow()
	fmt.Fprintf(c.w, "\n%s\n", neutral(text))
}

func (c *markdownCanvas) item(text string) {
	c.flow()
	fmt.Fprintf(c.w, "- %s\n", neutral(strings.Join(strings.Fields(text), " ")))
}

func (c *markdownCanvas) place(l Location, whole string) {
	if !c.rows {
		fmt.Fprint(c.w, "| | | |\n| --- | --- | --- |\n")
		c.rows = true
	}
	at := l.Span().String()
	if l.Start == 0 {
		at += " (" + whole + ")"
	}
	fmt.Fprintf(c.w, "| %d | %s %s | %s |\n", l.Rank, c.link(l.Path, l.Start, l.End, at), cell(code(l.Symbol)), cell(neutral(l.Why)))
}

// link leads to the lines at the commit, where the web has them.
func (c *markdownCanvas) link(p string, start, end int, text string) string {
	shown := cell(code(text))
	if c.web == "" {
		return shown
	}
	parts := strings.Split(p, "/")
	for i, s := range parts {
		parts[i] = url.PathEscape(s)
	}
	to := c.web + "/" + strings.Join(parts, "/")
	switch {
	case start > 0 && end > start:
		to += fmt.Sprintf("#L%d-L%d", start, end)
	case start > 0:
		to += fmt.Sprintf("#L%d", start)
	}
	return fmt.Sprintf("[%s](%s)", shown, strings.NewReplacer("(", "%28", ")", "%29", "|", "%7C").Replace(to))
}

func (c *markdownCanvas) quote(e Evidence, _ string) {
	c.flow()
	shows := ""
	if e.Shows != "" {
		shows = ": " + neutral(strings.Join(strings.Fields(e.Shows), " "))
	}
	text := printable(e.Quote)
	fence := strings.Repeat("`", max(3, longest(text, '`')+1))
	fmt.Fprintf(c.w, "\n**%s** %s%s\n\n%s%s\n%s\n%s\n", e.ID, c.link(e.Path, e.Start, e.End, e.Span().String()), shows, fence, tag(e.Path), text, fence)
}

func (c *markdownCanvas) end() error {
	c.unfold()
	return c.w.Flush()
}

// tag names the language of a block by the file's extension.
func tag(p string) string {
	ext := strings.TrimPrefix(path.Ext(p), ".")
	if isWord.MatchString(ext) {
		return ext
	}
	return ""
}

var isWord = regexp.MustCompile(`^[A-Za-z0-9]{1,10}$`)

// longest is the length of the longest run of a sign.
func longest(s string, sign rune) (most int) {
	n := 0
	for _, r := range s {
		if r != sign {
			n = 0
			continue
		}
		n++
		most = max(most, n)
	}
	return most
}

// code is a text between backticks, as many as it needs; "" stays.
func code(s string) string {
	if s = oneLine(s); s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longest(s, '`')+1)
	pad := ""
	if len(ticks) > 1 || strings.HasPrefix(s, "`") {
		pad = " "
	}
	return ticks + pad + s + pad + ticks
}

// cell keeps a text inside its cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "\\|")
}
