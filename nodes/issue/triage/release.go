package triage

import (
	"regexp"
	"strings"
)

var (
	releaseWord = regexp.MustCompile(`[\pL]+|\d[\w.+-]*|#\d+`)
	releasing   = wordSet(`bump bumped bumping version versions number to for the a new release released releases releasing prepare
		prepared preparing update updated set cut tag chore build ci from of in v patch minor major next final stable package json docs`)
)

// Release says whether the subject of a commit announces a version and nothing else:
// "Bump version to 3.4.1 (#9466)", "v3.4.1", "chore(release): 3.4.1". project is the
// repository's name, which may stand in it. Many projects that push no tags have these.
func Release(subject, version, project string) bool {
	last := ""
	own := wordSet(strings.Join(releaseWord.FindAllString(strings.ToLower(project), -1), " "))
	for _, w := range releaseWord.FindAllString(strings.ToLower(subject), 20) {
		switch {
		case w[0] >= '0' && w[0] <= '9':
			last = strings.TrimRight(w, ".")
		case w[0] != '#' && !releasing[w] && !own[w]:
			return false
		}
	}
	return last != "" && last == strings.TrimPrefix(strings.ToLower(strings.TrimSpace(version)), "v")
}
