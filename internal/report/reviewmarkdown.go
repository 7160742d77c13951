package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// writeReviewMarkdown writes a review that can be posted below a change.
func writeReviewMarkdown(w io.Writer, r Review, _ Options) error {
	words := wordsOf(r.Lang)
	c := &markdownCanvas{w: bufio.NewWriter(w), words: words, base: r.Subject.Base, web: r.Subject.Web, of: r.Subject}
	return composeReview(r, words, c)
}

// findings are a table, and below it what each rests on, folded away.
func (c *markdownCanvas) findings(all []Finding) {
	rows := [][]string{{"", c.words.Grade, c.words.Place, c.words.Finding}}
	for _, f := range all {
		grade := "**" + cell(c.words.say(string(f.Severity))) + "** " + cell(c.words.found(f))
		rows = append(rows, []string{cell(f.ID), grade, c.place(f), cell(f.says())})
	}
	c.table(rows)
	for _, f := range all {
		c.detail(f)
	}
	c.unfold()
}

func (c *markdownCanvas) place(f Finding) string {
	at := c.link(c.of.commit(f), f.Path, f.Start, f.End, cellCode(f.Span().String()))
	if f.Start == 0 {
		at += " (" + c.words.WholeFile + ")"
	}
	if f.Side == Left {
		at = fmt.Sprintf(c.words.OldSide, at)
	}
	return join(" ", at, cellCode(f.Symbol))
}

// detail is why it is so, and the code. Its name is code: GitHub looks for mentions and
// references in other text even inside of HTML.
func (c *markdownCanvas) detail(f Finding) {
	lines := f.hunk()
	if strings.TrimSpace(f.Why) == "" && len(lines) == 0 {
		return
	}
	c.details(htmlCode(join(" ", oneLine(f.ID), f.Span().String())))
	c.para(f.Why)
	if len(lines) > 0 {
		c.hunk(tag(f.Path), lines)
	}
}

// hunk writes code, as a difference if a suggestion changes it.
func (c *markdownCanvas) hunk(language string, all []change) {
	signed := suggested(all)
	if signed {
		language = "diff"
	}
	var lines []string
	for _, l := range all[:min(blockLines, len(all))] {
		text := cut(l.text, blockWidth)
		if signed {
			text = string(l.sign) + text
		}
		lines = append(lines, text)
	}
	c.code(language, lines, len(all)-len(lines))
}
