package dataset

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// idForm lets an id be a file's name and a word on a command line.
var idForm = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,199}$`)

// maxPath is the longest path that the common systems take.
const maxPath = 4096

// maxLine is the highest line number; source.Span reads no more digits.
const maxLine = 999_999_999

func commit(field, s string, optional bool) (source.Commit, error) {
	if s == "" && optional {
		return "", nil
	}
	c, err := source.ParseCommit(s)
	if err != nil {
		return "", fmt.Errorf("%s: %q is not a full commit hash", field, clip(s))
	}
	return c, nil
}

func checkPath(field, p string) error {
	clean, err := source.CleanPath(p)
	if err != nil || clean != p || p == "" || len(p) > maxPath {
		return fmt.Errorf("%s: %q is not a clean path from the root", field, clip(p))
	}
	return nil
}

// paths gives the set of all, which must be clean and differ.
func paths(field string, all []string) (map[string]bool, error) {
	seen := make(map[string]bool, len(all))
	for _, p := range all {
		if err := checkPath(field, p); err != nil {
			return nil, err
		}
		if seen[p] {
			return nil, fmt.Errorf("%s: %q is there twice", field, clip(p))
		}
		seen[p] = true
	}
	return seen, nil
}

// functions checks names of the form path:Qualified whose path is one of files.
func functions(field string, all []string, files map[string]bool) error {
	seen := make(map[string]bool, len(all))
	for _, f := range all {
		if !hasPath(f, files) {
			return fmt.Errorf("%s: %q is not a gold file, a colon and a name", field, clip(f))
		}
		if seen[f] {
			return fmt.Errorf("%s: %q is there twice", field, clip(f))
		}
		seen[f] = true
	}
	return nil
}

// hasPath tries each colon, for a path may hold some as well as a name.
func hasPath(f string, files map[string]bool) bool {
	if len(f) > 2*maxPath {
		return false
	}
	for i := range len(f) - 1 {
		if f[i] == ':' && files[f[:i]] {
			return true
		}
	}
	return false
}

// spans reads pairs of first and last line of the file at path.
func spans(field, path string, ranges [][]int) ([]source.Span, error) {
	if err := checkPath(field, path); err != nil {
		return nil, err
	}
	var all []source.Span
	for _, r := range ranges {
		if len(r) != 2 || r[0] < 1 || r[1] < r[0] || r[1] > maxLine {
			return nil, fmt.Errorf("%s: %s is not [first, last] in %s", field, clip(fmt.Sprint(r)), clip(source.Quote(path)))
		}
		all = append(all, source.Span{Path: path, Start: r[0], End: r[1]})
	}
	return all, nil
}

// clip keeps a message readable whatever the file holds.
func clip(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
