package manifest

import "strings"

func readComposer(w *writer, data []byte) error {
	root, err := readJSON(data)
	if err != nil {
		return err
	}
	for _, group := range []string{"require", "require-dev"} {
		for _, d := range root.get(group).members() {
			if !strings.Contains(d.name, "/") {
				continue // php itself and its extensions
			}
			r := Requirement{Ecosystem: Composer, Name: d.name, Constraint: d.string(), Direct: true}
			if plainVersion(r.Constraint) && strings.Count(r.Constraint, ".") >= 2 {
				r.Version = r.Constraint
			}
			w.add(d.line, r)
		}
	}
	return nil
}

func readComposerLock(w *writer, data []byte) error {
	root, err := readJSON(data)
	if err != nil {
		return err
	}
	for _, group := range []string{"packages", "packages-dev"} {
		for _, p := range root.get(group).members() {
			v := p.get("version")
			if v == nil {
				continue
			}
			r := Requirement{Ecosystem: Composer, Name: p.get("name").string(), Version: v.string()}
			if s := p.get("source"); s.get("type").string() == "git" {
				r.URL = "git+" + s.get("url").string() + "@" + s.get("reference").string()
			}
			w.add(v.line, r)
		}
	}
	return nil
}
