package rule

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/report"
)

var (
	uses      = regexp.MustCompile(`^\s*(?:-\s*)?uses:\s*["']?([\w./-]+)@([\w./-]+)`)
	hashed    = regexp.MustCompile(`^[0-9a-f]{40}$`)
	writeAll  = regexp.MustCompile(`^\s*permissions:\s*["']?write-all\b`)
	writeOne  = regexp.MustCompile(`^\s*(contents|actions|packages|pull-requests|issues|deployments|id-token|checks|statuses|security-events):\s*["']?write\b`)
	onTarget  = regexp.MustCompile(`^\s*(?:-\s*)?pull_request_target\b|^on:.*\bpull_request_target\b`)
	workflowD = ".github/workflows"
)

// workflows finds rights that a workflow of GitHub Actions did not have before.
func workflows(f File) (out []report.Finding) {
	isAction := path.Base(f.Path) == "action.yml" || path.Base(f.Path) == "action.yaml"
	if path.Dir(f.Path) != workflowD && !isAction {
		return nil
	}
	pinned := map[string]Line{} // by action: a line that went, with a hash
	var had strings.Builder
	for _, line := range f.Removed {
		had.WriteString(strings.TrimSpace(line.Text) + "\n")
		if m := uses.FindStringSubmatch(line.Text); m != nil && hashed.MatchString(m[2]) {
			pinned[m[1]] = line
		}
	}
	for _, line := range f.Added {
		if strings.Contains(had.String(), strings.TrimSpace(line.Text)+"\n") {
			continue // it was only moved
		}
		if m := uses.FindStringSubmatch(line.Text); m != nil && !hashed.MatchString(m[2]) && pinned[m[1]].Number > 0 {
			out = append(out, f.finding("action-unpinned", report.High, line, fmt.Sprintf("%s was pinned to a commit and now follows %s.", m[1], short(m[2])),
				"A tag or branch can be moved: whoever can write to that repository runs code in this workflow, with its token."))
		}
		switch m := writeOne.FindStringSubmatch(line.Text); {
		case writeAll.MatchString(line.Text):
			out = append(out, f.finding("workflow-permissions", report.High, line, "The workflow's token may now write everything.",
				"Every step, and every action that a step uses, has that token."))
		case m != nil && f.Status != "added":
			out = append(out, f.finding("workflow-permissions", report.Medium, line, fmt.Sprintf("The workflow's token may now write %s.", m[1]),
				"Every step, and every action that a step uses, has that token."))
		case onTarget.MatchString(line.Text):
			out = append(out, f.finding("workflow-permissions", report.High, line, "The workflow now runs on pull_request_target.",
				"It runs with the secrets and the write token of this repository when a stranger opens a pull request; checking out or running the code of that pull request gives them away."))
		}
	}
	return out
}
