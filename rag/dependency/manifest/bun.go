package manifest

import (
	"bytes"
	"strings"
)

// readBunLock reads Bun's lock file, which is JSON with commas before closing brackets.
// A package of the lock file is a list that begins with its name and version. Where one
// is there more than once, the copy that the project itself gets has the plain name.
func readBunLock(w *writer, data []byte) error {
	root, err := readJSON(withoutLastCommas(data))
	if err != nil {
		return err
	}
	direct := map[string]bool{}
	for _, project := range root.get("workspaces").members() {
		for _, group := range npmGroups {
			for _, d := range project.get(group).members() {
				direct[d.name] = true
			}
		}
	}
	var nested []*node
	for _, p := range root.get("packages").members() {
		if name, _ := bunPackage(p); name == p.name || direct[p.name] {
			w.bunLocked(p, direct[p.name])
		} else {
			nested = append(nested, p)
		}
	}
	for _, p := range nested {
		w.bunLocked(p, false)
	}
	return nil
}

func (w *writer) bunLocked(p *node, direct bool) {
	name, version := bunPackage(p)
	r := Requirement{Ecosystem: NPM, Name: name, Direct: direct}
	switch scheme, rest, other := strings.Cut(version, ":"); {
	case scheme == "workspace":
		return // a project of the repository itself
	case scheme == "file" || scheme == "link":
		r.URL, r.Dir = w.place(rest)
	case other:
		r.URL = version
	default:
		r.Version = version
	}
	if direct && name != p.name {
		r.As = p.name
	}
	w.add(p.line, r)
}

func bunPackage(p *node) (name, version string) {
	if p.kind != list || len(p.kids) == 0 {
		return "", ""
	}
	return yarnSplit(p.kids[0].string())
}

// withoutLastCommas puts blanks in the place of commas that a bracket follows.
func withoutLastCommas(data []byte) []byte {
	out := bytes.Clone(data)
	comma, quoted := -1, false
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted, comma = !quoted, -1
		case quoted || c == ' ' || c == '\t' || c == '\r' || c == '\n':
		case c == ',':
			comma = i
		default:
			if comma >= 0 && (c == ']' || c == '}') {
				out[comma] = ' '
			}
			comma = -1
		}
	}
	return out
}
