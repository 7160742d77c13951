package issue

import (
	"fmt"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/nodes/steer"
)

// steers tells of each text of the issue that tries to steer the analysis.
func steers(is github.Issue) (out []string) {
	look := func(where, text string) {
		if found := steer.Find(text); found != "" {
			out = append(out, fmt.Sprintf("%s tries to steer the analysis, which was not followed: %q", where, found))
		}
	}
	look("the issue's title", is.Title)
	look("the issue's text", is.Body)
	for _, c := range is.Comments {
		look("a comment by "+c.Author.Login, c.Body)
	}
	const most = 5
	return out[:min(len(out), most)]
}
