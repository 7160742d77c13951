package issue

import (
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/prompt"
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
	b := brief{Rule: rule, Title: clip(s.Issue.Title, 1000), Labels: f.Inline(strings.Join(s.Issue.Labels, ", ")), Chinese: s.Lang == "zh"}
	share := tokens
	if len(s.Issue.Comments) > 0 {
		share = tokens * 2 / 3
	}
	b.Body = middle(s.Issue.Body, share*bytesPerToken)
	for _, p := range s.Images {
		p.Text = clip(p.Text, 3000)
		b.Images = append(b.Images, p)
	}
	left := tokens*bytesPerToken - len(b.Body)
	for _, c := range ordered(s.Issue) {
		text := middle(c.Body, 4000)
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

// middle leaves out the middle of a text that is too long, at lines where it can: what
// went wrong stands at the beginning, and the end of a trace at its end.
func middle(text string, most int) string {
	if len(text) <= most {
		return text
	}
	head, tail := text[:most*2/3], text[len(text)-most/3:]
	if i := strings.LastIndexByte(head, '\n'); i > most/2 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/2 {
		tail = tail[i+1:]
	}
	return fmt.Sprintf("%s\n[… %d bytes left out …]\n%s", strings.ToValidUTF8(head, ""), len(text)-len(head)-len(tail), strings.ToValidUTF8(tail, ""))
}

// clip cuts a text at the end.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
