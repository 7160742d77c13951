package manifest

import "strings"

var cargoGroups = []string{"dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies"}

// readCargoToml reads a crate's manifest and that of a workspace.
func readCargoToml(w *writer, data []byte) error {
	root, err := readTOML(data)
	if err != nil {
		return err
	}
	w.cargo(root.get("workspace", "dependencies"))
	w.cargoGroups(root)
	for _, target := range root.get("target").members() {
		w.cargoGroups(target)
	}
	w.patches(root.get("patch"))
	return nil
}

func (w *writer) cargoGroups(n *node) {
	for _, group := range cargoGroups {
		w.cargo(n.get(group))
	}
}

func (w *writer) cargo(n *node) {
	for _, d := range n.members() {
		r := Requirement{Ecosystem: Cargo, Name: d.name, Direct: true, Constraint: d.string()}
		if d.kind == table {
			r.Constraint = d.get("version").string()
			r.URL, r.Dir = w.origin(d)
			if real := d.get("package").string(); real != "" {
				r.As, r.Name = d.name, real
			}
		}
		if r.Constraint == "*" {
			r.Constraint = ""
		}
		if v, ok := strings.CutPrefix(r.Constraint, "="); ok && strings.Count(v, ".") == 2 && !strings.Contains(v, ",") {
			r.Version = strings.TrimSpace(v)
		}
		w.add(d.line, r)
	}
}

// patches are crates that come from elsewhere than they are asked for.
func (w *writer) patches(n *node) {
	for _, registry := range n.members() {
		w.cargo(registry)
	}
}

// readCargoLock reads what was resolved. Packages without a source are those of the
// repository itself.
func readCargoLock(w *writer, data []byte) error {
	root, err := readTOML(data)
	if err != nil {
		return err
	}
	direct := map[string]bool{}
	for _, p := range root.get("package").members() {
		if p.get("source") == nil {
			for _, d := range p.get("dependencies").strings() {
				direct[d.text] = true
			}
		}
	}
	for _, p := range root.get("package").members() {
		name, version, src := p.get("name").string(), p.get("version"), p.get("source").string()
		if src == "" || version == nil {
			continue
		}
		r := Requirement{Ecosystem: Cargo, Name: name, Version: version.string()}
		// An entry has the version only where the name alone is not enough.
		r.Direct = direct[name] || direct[name+" "+r.Version]
		if url, ok := strings.CutPrefix(src, "git+"); ok {
			url, hash, _ := strings.Cut(url, "#")
			url, _, _ = strings.Cut(url, "?")
			r.URL = "git+" + url + "@" + hash
		}
		w.add(version.line, r)
	}
	return nil
}
