package manifest

import (
	"errors"
	"regexp"
	"strings"
)

// A requirement by PEP 508: name, extras, version, marker. Extras and markers say
// when it is wanted, which does not matter here.
var pep508 = regexp.MustCompile(`^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(.*)$`)

var versionSet = regexp.MustCompile(`^(?:(?:===|==|~=|!=|<=|>=|<|>)\s*[A-Za-z0-9.*+!_-]+\s*,?\s*)*$`)

var errRequirement = errors.New("no requirement by PEP 508")

// parsePEP508 reads a requirement without comment and options.
func parsePEP508(s string) (Requirement, error) {
	m := pep508.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return Requirement{}, errRequirement
	}
	r := Requirement{Ecosystem: PyPI, Name: m[1], Direct: true}
	rest := m[2]
	if url, ok := strings.CutPrefix(rest, "@"); ok {
		url, _, _ = strings.Cut(strings.TrimSpace(url), " ;")
		r.URL = strings.TrimSpace(url)
		if r.URL == "" {
			return Requirement{}, errRequirement
		}
		return r, nil
	}
	rest, _, _ = strings.Cut(rest, ";")
	rest = strings.TrimSpace(rest)
	if inner, ok := strings.CutPrefix(rest, "("); ok && strings.HasSuffix(inner, ")") {
		rest = strings.TrimSuffix(inner, ")")
	}
	if !versionSet.MatchString(rest) {
		return Requirement{}, errRequirement
	}
	r.Constraint = rest
	r.Version = exact(rest)
	return r, nil
}

// exact is the version of a constraint that allows one only.
func exact(constraint string) string {
	v, ok := strings.CutPrefix(constraint, "==")
	if v = strings.TrimSpace(strings.TrimPrefix(v, "=")); !ok || strings.ContainsAny(v, "*, ") {
		return ""
	}
	return v
}

// addPEP508 adds the requirement of a line, or lists the line as unreadable.
func (w *writer) addPEP508(line int, s string) {
	r, err := parsePEP508(s)
	if err != nil {
		w.skip(line, "%v", err)
		return
	}
	if dir, ok := strings.CutPrefix(r.URL, "file:"); ok {
		r.URL, r.Dir = w.place(dir)
	}
	w.add(line, r)
}
