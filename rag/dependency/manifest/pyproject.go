package manifest

import "strings"

// readPyproject reads PEP 621, PEP 735 groups, the build's own requirements, and the
// tables of Poetry, PDM, Hatch and uv.
func readPyproject(w *writer, data []byte) error {
	root, err := readTOML(data)
	if err != nil {
		return err
	}
	w.pep508s(root.get("project", "dependencies"))
	tool := root.get("tool")
	for _, groups := range []*node{
		root.get("project", "optional-dependencies"), root.get("dependency-groups"), tool.get("pdm", "dev-dependencies"),
	} {
		for _, g := range groups.members() {
			w.pep508s(g)
		}
	}
	w.pep508s(root.get("build-system", "requires"))
	w.pep508s(tool.get("uv", "dev-dependencies"))
	for _, env := range tool.get("hatch", "envs").members() {
		w.pep508s(env.get("dependencies"))
	}
	poetry := tool.get("poetry")
	w.poetry(poetry.get("dependencies"))
	w.poetry(poetry.get("dev-dependencies"))
	for _, g := range poetry.get("group").members() {
		w.poetry(g.get("dependencies"))
	}
	w.uvSources(tool.get("uv", "sources"))
	return nil
}

func (w *writer) pep508s(n *node) {
	for _, s := range n.strings() {
		w.addPEP508(s.line, s.text)
	}
}

// poetry reads a table of Poetry or of a Pipfile: a version, a table, or a list of
// tables for several platforms, of which the first counts.
func (w *writer) poetry(n *node) {
	for _, d := range n.members() {
		if d.name == "python" {
			continue
		}
		v := d
		if v.kind == list && len(v.kids) > 0 {
			v = v.kids[0]
		}
		r := Requirement{Ecosystem: PyPI, Name: d.name, Direct: true, Constraint: v.string()}
		if v.kind == table {
			r.Constraint = v.get("version").string()
			r.URL, r.Dir = w.origin(v)
		}
		if r.Constraint == "*" {
			r.Constraint = ""
		}
		if r.Version = exact(r.Constraint); r.Version == "" && plainVersion(r.Constraint) {
			r.Version = r.Constraint
		}
		w.add(d.line, r)
	}
}

// plainVersion says whether a constraint is a bare number, which is exact for Poetry.
func plainVersion(s string) bool {
	return s != "" && s[0] >= '0' && s[0] <= '9' && !strings.ContainsAny(s, "*, <>=|^~")
}

// origin reads where a library comes from, as the tables of Poetry, uv and Cargo have
// it, if not from a registry.
func (w *writer) origin(v *node) (url, dir string) {
	if git := v.get("git").string(); git != "" {
		for _, key := range []string{"rev", "ref", "tag", "branch"} {
			if at := v.get(key).string(); at != "" {
				return "git+" + git + "@" + at, ""
			}
		}
		return "git+" + git, ""
	}
	if p := v.get("path").string(); p != "" {
		return w.place(p)
	}
	return v.get("url").string(), ""
}

// uvSources changes where the requirements above come from.
func (w *writer) uvSources(n *node) {
	places := map[string][]int{}
	for i, r := range w.Requirements {
		places[pep503(r.Name)] = append(places[pep503(r.Name)], i)
	}
	for _, s := range n.members() {
		v := s
		if v.kind == list && len(v.kids) > 0 {
			v = v.kids[0]
		}
		for _, i := range places[pep503(s.name)] {
			w.Requirements[i].URL, w.Requirements[i].Dir = w.origin(v)
		}
	}
}
