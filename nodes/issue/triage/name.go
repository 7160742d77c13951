package triage

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/repomind/repomind/internal/source"
)

// names are what people call a project.
type names []string

var (
	// tongue is what repositories add to the name of a project.
	tongue = regexp.MustCompile(`(?i)^(?:python|py|go|node|js|rust)[-_.]|[-_.](?:python|py|go|golang|js|node|ts|rs|rust|java|net|dotnet|cpp|ruby|php|swift)$`)
	// plain are names of repositories that say nothing; the owner's is then the project's.
	plain = []string{"core", "main", "app", "framework", "project", "monorepo", "server", "src", "repo"}
)

// namesOf gives the names of a repository; project is one that the caller knows, or "".
func namesOf(r source.Repo, project string) names {
	name := strings.ToValidUTF8(clip(cmp.Or(project, r.Name), 100), "")
	if canonical(name) == "" {
		return nil
	}
	if slices.Contains(plain, strings.ToLower(name)) && canonical(r.Owner) != "" {
		return namesOf(source.Repo{}, strings.TrimSuffix(strings.ToLower(r.Owner), "js"))
	}
	out := names{name}
	if short := tongue.ReplaceAllString(name, ""); short != name && len(short) > 1 {
		out = append(out, short)
	}
	return out
}

// has says whether a word is one of the names, however it is written: Chart.js is chartjs.
func (n names) has(word string) bool {
	word = canonical(word)
	return word != "" && slices.ContainsFunc(n, func(name string) bool { return canonical(name) == word })
}

// canonical is a name without what people write otherwise.
func canonical(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}
