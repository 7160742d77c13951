package manifest

import "strings"

var npmGroups = []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"}

func readPackageJSON(w *writer, data []byte) error {
	root, err := readJSON(data)
	if err != nil {
		return err
	}
	for _, group := range npmGroups {
		for _, d := range root.get(group).members() {
			w.npm(d.line, d.name, d.string(), Requirement{Direct: true})
		}
	}
	return nil
}

// npm adds name@spec, where the spec is a range, or tells of another place.
func (w *writer) npm(line int, name, spec string, r Requirement) {
	r.Ecosystem, r.Name = NPM, name
	spec = strings.TrimSpace(spec)
	if alias, ok := strings.CutPrefix(spec, "npm:"); ok {
		r.As = name
		r.Name, spec = npmSplit(alias)
	}
	scheme, rest, _ := strings.Cut(spec, ":")
	switch {
	case scheme == "catalog":
	case scheme == "file" || scheme == "link" || scheme == "portal" || scheme == "workspace" && strings.HasPrefix(rest, "."):
		r.URL, r.Dir = w.place(rest)
	case rest != "":
		r.URL = spec
	case strings.Contains(spec, "/"):
		r.URL = "github:" + spec
	default:
		r.Constraint = spec
		if plainVersion(spec) && strings.Count(spec, ".") == 2 && r.Version == "" && !strings.Contains(spec, "x") {
			r.Version = spec
		}
	}
	w.add(line, r)
}

// npmSplit cuts name@range; a scope begins with @ too.
func npmSplit(s string) (name, spec string) {
	if at := strings.LastIndexByte(s, '@'); at > 0 {
		return s[:at], s[at+1:]
	}
	return s, ""
}

// readPackageLock reads npm's lock files of versions 1 to 3. Where a package is there
// more than once, the copy that the project itself gets comes first.
func readPackageLock(w *writer, data []byte) error {
	root, err := readJSON(data)
	if err != nil {
		return err
	}
	packages := root.get("packages")
	if packages == nil {
		w.npmTree(root.get("dependencies"), 0)
		return nil
	}
	direct := map[string]bool{}
	for _, group := range npmGroups {
		for _, d := range packages.get("", group).members() {
			direct["node_modules/"+d.name] = true
		}
	}
	var nested []*node
	for _, p := range packages.members() {
		if strings.Count("/"+p.name, "/node_modules/") == 1 && strings.HasPrefix(p.name, "node_modules/") {
			w.npmLocked(p, direct[p.name])
		} else {
			nested = append(nested, p)
		}
	}
	for _, p := range nested {
		w.npmLocked(p, false)
	}
	return nil
}

func (w *writer) npmLocked(p *node, direct bool) {
	at := strings.LastIndex("/"+p.name, "/node_modules/")
	if at < 0 {
		return // a project of the repository itself
	}
	name := p.name[at+len("node_modules/"):]
	r := Requirement{Ecosystem: NPM, Name: name, Version: p.get("version").string(), Direct: direct}
	if real := p.get("name").string(); real != "" {
		r.As, r.Name = name, real
	}
	if p.get("link") != nil {
		r.URL, r.Dir = w.place(p.get("resolved").string())
	} else if url := p.get("resolved").string(); strings.HasPrefix(url, "git") {
		r.URL = url
	}
	line := p.line
	if v := p.get("version"); v != nil {
		line = v.line
	}
	w.add(line, r)
}

// npmTree reads version 1, where packages stand inside of those that need them.
func (w *writer) npmTree(n *node, depth int) {
	for _, p := range n.members() {
		r := Requirement{Ecosystem: NPM, Name: p.name}
		line, v := p.line, p.get("version")
		if v != nil {
			line = v.line
		}
		spec := v.string()
		if strings.HasPrefix(spec, "npm:") {
			_, r.Version = npmSplit(spec)
		} else if !strings.ContainsAny(spec, ":/") {
			r.Version, spec = spec, ""
		}
		w.npm(line, p.name, spec, r)
	}
	for _, p := range n.members() {
		w.npmTree(p.get("dependencies"), depth+1)
	}
}
