package manifest

import (
	"regexp"
	"strings"
)

// readPnpmLock reads pnpm's lock files of versions 5 to 9.
func readPnpmLock(w *writer, data []byte) error {
	root, err := readYAML(data)
	if err != nil {
		return err
	}
	w.pnpmImporter(root)
	for _, project := range root.get("importers").members() {
		w.pnpmImporter(project)
	}
	for _, p := range root.get("packages").members() {
		name, version := pnpmKey(p.name)
		if version != "" && !strings.ContainsAny(version, ":/") {
			w.add(p.line, Requirement{Ecosystem: NPM, Name: name, Version: version})
		}
	}
	return nil
}

func (w *writer) pnpmImporter(n *node) {
	old := n.get("specifiers")
	for _, group := range npmGroups {
		for _, d := range n.get(group).members() {
			version, line := d.string(), d.line
			if v := d.get("version"); v != nil {
				version, line = v.string(), v.line
			}
			spec := d.get("specifier").string()
			if old != nil {
				spec = old.get(d.name).string()
			}
			version = pnpmPlain(version)
			if name, v := pnpmKey(version); v != "" && name != "" && !strings.Contains(v, ":") && strings.HasPrefix(spec, "npm:") {
				version = v
			}
			if strings.ContainsAny(version, ":/") {
				version = ""
			}
			w.npm(line, d.name, spec, Requirement{Version: version, Direct: true})
		}
	}
}

var pnpm5 = regexp.MustCompile(`^/(.+?)/(\d[^_/(]*)(?:_.*)?$`)

// pnpmKey cuts /name/1.2.3_peer (5), /name@1.2.3(peer) (6) and name@1.2.3 (9).
func pnpmKey(key string) (name, version string) {
	if m := pnpm5.FindStringSubmatch(key); m != nil {
		return m[1], m[2]
	}
	return npmSplit(pnpmPlain(strings.TrimPrefix(key, "/")))
}

// pnpmPlain takes away which peers a version was resolved with.
func pnpmPlain(version string) string {
	version, _, _ = strings.Cut(version, "(")
	if base, peers, ok := strings.Cut(version, "_"); ok && strings.ContainsAny(base, "0123456789") && peers != "" && !strings.HasPrefix(version, "@") {
		return base
	}
	return version
}
