package settings

import (
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Variable is the variable of the environment for a setting: REPOMIND_MAX_COST.
func Variable(name string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

const prefix = "REPOMIND_"

// nearest is the setting that a wrong name was likely meant to be, "" if there is none.
// A third of a name may be wrong: of three letters, any word is near.
func nearest(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	best, distance := "", min(len(name)/3, 3)+1
	for _, t := range table {
		if d := source.Edits(name, t.name, distance); d < distance {
			best, distance = t.name, d
		}
	}
	return best
}

// meant proposes another name for one that is not known.
func meant(name string) string {
	if best := nearest(name); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}

// secret says whether a name asks for what no file may hold. One that is a setting of ours,
// or a slip of the pen away from it, does not.
func secret(name string) bool {
	return confidential(name) && !confidential(nearest(name))
}

func confidential(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"key", "token", "secret", "password"}, func(s string) bool { return strings.Contains(name, s) })
}
