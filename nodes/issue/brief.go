package issue

import (
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/nodes/snip"
)

// brief is the issue as a prompt shows it.
type brief struct {
	Rule     string
	Title    string
	Body     string
	Labels   string
	Comments []comment
	Images   []Picture
	Left     string // what was left out, "" for nothing
	Chinese  bool   // the answer is to be in Chinese
}

type comment struct{ Origin, Text string }

// brief cuts the issue to about that many tokens: two thirds for the body, a third for
// the comments, those of maintainers and the reporter first.
func (s State) brief(f prompt.Fence, tokens int) brief {
	rule, _ := f.Rule() // a zero fence fails at the first text anyway
	b := brief{Rule: rule, Title: snip.Clip(s.Issue.Title, 1000), Labels: f.Inline(strings.Join(s.Issue.Labels, ", ")), Chinese: s.Lang == "zh"}
	share := tokens
	if len(s.Issue.Comments) > 0 {
		share = tokens * 2 / 3
	}
	b.Body = snip.Middle(s.Issue.Body, share*bytesPerToken)
	for _, p := range s.Images {
		p.Text = snip.Clip(p.Text, 3000)
		b.Images = append(b.Images, p)
	}
	left := tokens*bytesPerToken - len(b.Body)
	for _, c := range ordered(s.Issue) {
		text := snip.Middle(c.Body, 4000)
		if left -= len(text); left < 0 {
			continue
		}
		b.Comments = append(b.Comments, comment{"comment by " + author(c.Author, s.Issue), text})
	}
	if n := len(s.Issue.Comments) - len(b.Comments); n > 0 {
		b.Left = fmt.Sprintf("%d of %d comments are left out.", n, len(s.Issue.Comments))
	}
	return b
}

// bytesPerToken is a safe guess for prose with code.
const bytesPerToken = 3

// ordered puts the comments of those who know first, each group in its order.
func ordered(is github.Issue) []github.Comment {
	var first, rest []github.Comment
	for _, c := range is.Comments {
		switch {
		case c.Author.Bot:
		case weighty(c.Author, is):
			first = append(first, c)
		default:
			rest = append(rest, c)
		}
	}
	return append(first, rest...)
}

func author(a github.Author, is github.Issue) string {
	switch {
	case a.Login == is.Author.Login:
		return a.Login + ", who reported it"
	case maintainer(a):
		return a.Login + ", a maintainer"
	}
	return a.Login
}
