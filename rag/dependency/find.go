package dependency

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// Find gives the library of a name: as a registry has it, or as the code imports it.
// The error is ErrUnknown with names that are near, or else with direct libraries.
func (l *Libraries) Find(name string) (Library, error) {
	name = strings.TrimSpace(name)
	for _, eco := range []manifest.Ecosystem{manifest.PyPI, manifest.Go, manifest.NPM, manifest.Cargo, manifest.Maven, manifest.Gem, manifest.Composer} {
		if lib, ok := l.first(eco, []string{name}); ok {
			return lib, nil
		}
	}
	for _, lang := range []source.Language{source.Python, source.Go, source.JavaScript, source.Rust, source.Java, source.Ruby, source.PHP} {
		if lib, ok := l.Importing(lang, name); ok {
			return lib, nil
		}
	}
	if lib, ok := l.byEnd(name); ok {
		return lib, nil
	}
	return Library{}, l.unknown(name)
}

// byEnd gives the one library whose name ends in a name: cobra is that of
// github.com/spf13/cobra, guava that of com.google.guava:guava.
func (l *Libraries) byEnd(name string) (Library, bool) {
	var found []Library
	for _, lib := range l.all {
		end := majorSuffix.ReplaceAllString(lib.Name, "")
		if at := strings.LastIndexAny(end, "/:"); at >= 0 && end[at+1:] == name {
			found = append(found, lib)
		}
	}
	if len(found) != 1 {
		return Library{}, false
	}
	return found[0], true
}

func (l *Libraries) unknown(name string) error {
	near := l.near(name)
	switch {
	case len(l.all) == 0:
		return fmt.Errorf("%w as %s; no manifest or lock file names any", ErrUnknown, source.Quote(name))
	case len(near) > 0:
		return fmt.Errorf("%w as %s; near to it are %s", ErrUnknown, source.Quote(name), strings.Join(near, ", "))
	}
	var some []string
	for _, lib := range l.all[:min(len(l.all), 40)] {
		some = append(some, source.Quote(lib.Name))
	}
	text := strings.Join(some, ", ")
	if more := len(l.all) - len(some); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Errorf("%w as %s; there are %s", ErrUnknown, source.Quote(name), text)
}

// near are up to five names that have the name in them, or are few letters away.
func (l *Libraries) near(name string) []string {
	type scored struct {
		name string
		away int
	}
	low := strings.ToLower(name)
	var found []scored
	for _, lib := range l.all {
		have := strings.ToLower(lib.Name)
		limit := max(1, min(len(low)/3, 3))
		switch away := source.Edits(low, have, limit); {
		case low == "":
		case away <= limit:
			found = append(found, scored{lib.Name, away})
		case len(low) > 2 && strings.Contains(have, low):
			found = append(found, scored{lib.Name, limit + len(have) - len(low)})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(a.away, b.away) })
	var out []string
	for _, s := range found {
		if q := source.Quote(s.name); len(out) < 5 && !slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}
