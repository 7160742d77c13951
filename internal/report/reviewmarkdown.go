package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// mostPosted is where a review ends. GitHub takes 65,536 signs, and the last part may be
// long. The end of it is kept for what is not a finding.
const (
	mostPosted = 40_000
	kept       = 8_000
)

// writeReviewMarkdown writes a review that can be posted below a change. If there is
// more than may be posted, it says how much.
func writeReviewMarkdown(w io.Writer, r Review, _ Options) error {
	c := &markdownCanvas{words: wordsOf(r.Lang), base: r.Subject.Base, web: r.Subject.Web, of: r.Subject, room: room{most: mostPosted}}
	c.w = bufio.NewWriter(c.room.through(w))
	return composeReview(r, c.words, c)
}

// findings are a table, and below it what each rests on, folded away.
func (c *markdownCanvas) findings(all []Finding) {
	rows := [][]string{{"", c.words.Grade, c.words.Place, c.words.Finding}}
	ahead := kept + c.w.Buffered()
	for _, f := range all {
		if c.room.take(ahead) {
			row := c.row(f)
			rows, ahead = append(rows, row), ahead+len(strings.Join(row, " | "))
		}
	}
	if len(rows) > 1 {
		c.table(rows)
	}
	for _, f := range all {
		c.detail(f)
	}
	c.unfold()
}

func (c *markdownCanvas) row(f Finding) []string {
	grade := "**" + cell(c.words.say(string(f.Severity))) + "** " + cell(c.words.found(f))
	return []string{cell(f.ID), grade, c.place(f), cell(f.says())}
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
	if strings.TrimSpace(f.Why) == "" && len(lines) == 0 || !c.room.take(kept+c.w.Buffered()) {
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
