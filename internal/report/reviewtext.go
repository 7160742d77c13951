package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
)

// writeReviewText writes a review for a terminal.
func writeReviewText(w io.Writer, r Review, o Options) error {
	words := wordsOf(r.Lang)
	return composeReview(r, words, newText(w, words, r.Subject.Base, o))
}

// hues are the colours of severities; a low one has none.
var hues = map[Severity]string{Critical: red, High: red, Medium: yellow}

func (c *textCanvas) findings(all []Finding) {
	for _, f := range all {
		c.begin("finding " + f.ID) // each has a line free before it
		c.heading(f)
		c.hang(margin, f.says())
		if f.Why != "" {
			c.hang(margin, f.Why)
		}
		c.hunk(f.hunk())
	}
}

// margin is what stands left of the texts of a finding.
const margin = "      "

// heading is one line if it fits: how bad it is, who found it, and where.
func (c *textCanvas) heading(f Finding) {
	grade := strings.ToUpper(oneLine(c.words.say(string(f.Severity))))
	found, at, id := oneLine(c.words.found(f)), c.place(f), oneLine(f.ID)
	gap := "  "
	if columns(grade+found+at+id)+8 > c.width {
		gap = "\n" + margin
	}
	line := c.paint(bold, c.paint(cmp.Or(hues[f.Severity], dim), grade))
	fmt.Fprintln(c.w, "  "+join("  ", line, found)+gap+join("  ", c.paint(cyan, at), c.paint(dim, id)))
}

func (c *textCanvas) place(f Finding) string {
	at := c.words.at(f)
	if f.Start == 0 {
		at += " (" + c.words.WholeFile + ")"
	}
	return at + optional(" (%s)", oneLine(f.Symbol))
}

// shownChanges is how much of a suggestion a terminal is shown.
const shownChanges = 3 * shownLines

func (c *textCanvas) hunk(all []change) {
	most, signed := shownLines, suggested(all)
	if signed {
		most = shownChanges
	}
	for _, l := range all[:min(most, len(all))] {
		c.code(l, signed)
	}
	c.more(len(all) - most)
}
