package manifest

import "strings"

// readUvLock reads uv.lock and pylock.toml (PEP 751). What a project of the
// repository asks for is direct.
func readUvLock(w *writer, data []byte) error {
	root, err := readTOML(data)
	if err != nil {
		return err
	}
	packages := root.get("package").members()
	packages = append(packages, root.get("packages").members()...)
	direct := map[string]bool{}
	for _, p := range packages {
		if s := p.get("source"); s.get("editable") != nil || s.get("virtual") != nil || s.get("directory") != nil {
			w.ofProject(p, direct)
		}
	}
	for _, p := range packages {
		w.lockedPython(p, direct[pep503(p.get("name").string())])
	}
	return nil
}

// ofProject notes what a project of the repository asks for.
func (w *writer) ofProject(p *node, direct map[string]bool) {
	note := func(deps *node) {
		for _, d := range deps.members() {
			direct[pep503(d.get("name").string())] = true
		}
	}
	note(p.get("dependencies"))
	for _, groups := range []*node{p.get("dev-dependencies"), p.get("optional-dependencies")} {
		for _, g := range groups.members() {
			note(g)
		}
	}
}

// readPoetryLock reads poetry.lock and pdm.lock; they do not say what is direct.
func readPoetryLock(w *writer, data []byte) error {
	root, err := readTOML(data)
	if err != nil {
		return err
	}
	for _, p := range root.get("package").members() {
		w.lockedPython(p, false)
	}
	return nil
}

func (w *writer) lockedPython(p *node, direct bool) {
	r := Requirement{Ecosystem: PyPI, Name: p.get("name").string(), Version: p.get("version").string(), Direct: direct}
	s := p.get("source")
	for _, key := range []string{"editable", "virtual", "directory"} {
		if dir := s.get(key).string(); dir == "." {
			return // the project itself
		} else if dir != "" {
			r.URL, r.Dir = w.place(dir)
		}
	}
	switch {
	case s.get("type").string() == "git": // Poetry
		r.URL = "git+" + s.get("url").string() + "@" + s.get("resolved_reference").string()
	case s.get("type").string() == "directory":
		r.URL, r.Dir = w.place(s.get("url").string())
	case s.get("git").string() != "": // uv: address?rev=x#hash
		url, hash, _ := strings.Cut(s.get("git").string(), "#")
		url, _, _ = strings.Cut(url, "?")
		r.URL = "git+" + url + "@" + hash
	}
	line := p.line
	if v := p.get("version"); v != nil {
		line = v.line
	}
	w.add(line, r)
}

func readPipfile(w *writer, data []byte) error {
	root, err := readTOML(data)
	if err != nil {
		return err
	}
	w.poetry(root.get("packages"))
	w.poetry(root.get("dev-packages"))
	return nil
}

func readPipfileLock(w *writer, data []byte) error {
	root, err := readJSON(data)
	if err != nil {
		return err
	}
	for _, group := range root.members() {
		if group.name == "_meta" {
			continue
		}
		for _, p := range group.members() {
			r := Requirement{Ecosystem: PyPI, Name: p.name, Constraint: p.get("version").string()}
			r.Version = exact(r.Constraint)
			r.URL, r.Dir = w.origin(p)
			w.add(p.line, r)
		}
	}
	return nil
}
