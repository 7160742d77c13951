package manifest

import (
	"bytes"
	"strings"
)

// readYarnLock reads the lock files of Yarn 1 and, which are YAML, of later ones.
func readYarnLock(w *writer, data []byte) error {
	if bytes.Contains(data, []byte("__metadata:")) {
		return readBerry(w, data)
	}
	head, start := "", 0
	w.lines(data, func(no int, text string) {
		trimmed := strings.TrimSpace(text)
		switch {
		case trimmed == "" || trimmed[0] == '#':
		case text[0] != ' ':
			head, start = strings.TrimSuffix(trimmed, ":"), no
		case head != "" && strings.HasPrefix(text, "  version "):
			version := yamlText(strings.TrimSpace(strings.TrimPrefix(trimmed, "version ")))
			w.yarn(no, head, version)
			head = ""
		}
	})
	if head != "" {
		w.skip(start, "an entry without a version")
	}
	return nil
}

// yarn adds an entry; its head is the list of the descriptors that lead to it.
func (w *writer) yarn(line int, head, version string) {
	first, _, _ := strings.Cut(head, ", ")
	name, spec := yarnSplit(strings.Trim(first, `"`))
	r := Requirement{Version: version}
	if strings.HasPrefix(spec, "workspace:") {
		return
	}
	if rest, ok := strings.CutPrefix(spec, "npm:"); ok {
		if alias, _ := npmSplit(rest); !strings.Contains(rest[min(1, len(rest)):], "@") {
			spec = alias // Yarn 2 and later put npm: before each range
		}
	}
	if strings.HasPrefix(spec, "patch:") {
		spec = ""
	}
	w.npm(line, name, spec, r)
}

// yarnSplit cuts at the first @ behind the name, as ranges may have others.
func yarnSplit(s string) (name, spec string) {
	if len(s) < 2 {
		return s, ""
	}
	at := strings.IndexByte(s[1:], '@')
	if at < 0 {
		return s, ""
	}
	return s[:at+1], s[at+2:]
}

func readBerry(w *writer, data []byte) error {
	root, err := readYAML(data)
	if err != nil {
		return err
	}
	for _, p := range root.members() {
		v := p.get("version")
		if p.name == "__metadata" || v == nil {
			continue
		}
		w.yarn(v.line, p.name, v.string())
	}
	return nil
}
