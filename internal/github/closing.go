package github

import "regexp"

// The keywords are those that GitHub documents under "Linking a pull request to an
// issue".
var closingKeyword = regexp.MustCompile(`(?i)\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t]+(?:(https?://[^\s<>()\[\],;]+)|([a-z0-9][a-z0-9_-]*/[a-z0-9._-]+)?(#[0-9]{1,10}))\b`)

// closes gives the issues of the same host that texts written on t say it closes.
func closes(t Target, texts ...string) []Target {
	var all []Target
	seen := map[Target]bool{}
	for _, text := range texts {
		for _, m := range closingKeyword.FindAllStringSubmatch(visible(text), -1) {
			if issue, ok := closed(t, m[1], m[2], m[3]); ok && !seen[issue] {
				seen[issue] = true
				all = append(all, issue)
			}
		}
	}
	return all
}

// closed is false for the address of something else than an issue on t's host.
func closed(t Target, address, repo, number string) (Target, bool) {
	if address == "" {
		if repo == "" {
			repo = t.Repo.Owner + "/" + t.Repo.Name
		}
		address = t.Repo.HostName() + "/" + repo + number
	}
	issue, err := ParseTarget(address, t.Repo.HostName())
	ok := err == nil && issue.Repo.Host == t.Repo.Host && issue.Kind != KindPull
	issue.Kind = KindIssue
	return issue, ok
}
