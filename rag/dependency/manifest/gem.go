package manifest

import (
	"regexp"
	"strings"
)

var (
	gemLine   = regexp.MustCompile(`^\s*gem[\s(]+["']([\w.-]+)["'](.*)$`)
	gemArg    = regexp.MustCompile(`^\s*,\s*["']([^"']+)["']`)
	gemOption = regexp.MustCompile(`(?:\b(\w+):|:(\w+)\s*=>)\s*["']([^"']+)["']`)
	gemLocked = regexp.MustCompile(`^    ([\w.-]+) \(([^()]+)\)$`)
	gemDirect = regexp.MustCompile(`^  ([\w.-]+)(!)?(?: \(([^()]+)\))?!?$`)
)

// readGemfile reads the gem lines of a Gemfile; nothing is run.
func readGemfile(w *writer, data []byte) error {
	w.lines(data, func(no int, text string) {
		m := gemLine.FindStringSubmatch(text)
		if m == nil || len(text) > 2000 {
			return
		}
		r := Requirement{Ecosystem: Gem, Name: m[1], Direct: true}
		rest := m[2]
		var all []string
		for a := gemArg.FindStringSubmatch(rest); a != nil; a = gemArg.FindStringSubmatch(rest) {
			all, rest = append(all, a[1]), rest[len(a[0]):]
		}
		r.Constraint = strings.Join(all, ", ")
		if v := strings.TrimSpace(strings.TrimPrefix(r.Constraint, "=")); plainVersion(v) {
			r.Version = v
		}
		for _, o := range gemOption.FindAllStringSubmatch(rest, -1) {
			switch o[1] + o[2] {
			case "path":
				r.URL, r.Dir = w.place(o[3])
			case "git":
				r.URL = "git+" + o[3]
			case "github":
				r.URL = "github:" + o[3]
			}
		}
		w.add(no, r)
	})
	return nil
}

// readGemfileLock reads the specs of each source and the list of what is direct.
func readGemfileLock(w *writer, data []byte) error {
	section, remote, revision := "", "", ""
	direct := map[string]bool{}
	w.lines(data, func(no int, text string) {
		if text != "" && text[0] != ' ' {
			section, remote, revision = text, "", ""
			return
		}
		if v, ok := strings.CutPrefix(text, "  remote: "); ok {
			remote = v
		} else if v, ok := strings.CutPrefix(text, "  revision: "); ok {
			revision = v
		} else if m := gemDirect.FindStringSubmatch(text); m != nil && section == "DEPENDENCIES" {
			direct[m[1]] = true
		} else if m := gemLocked.FindStringSubmatch(text); m != nil {
			r := Requirement{Ecosystem: Gem, Name: m[1]}
			r.Version, _, _ = strings.Cut(m[2], "-") // behind it is a platform
			switch section {
			case "GIT":
				r.URL = "git+" + remote + "@" + revision
			case "PATH":
				r.URL, r.Dir = w.place(remote)
			}
			w.add(no, r)
		}
	})
	for i, r := range w.Requirements {
		w.Requirements[i].Direct = direct[r.Name]
	}
	return nil
}
