package manifest

import (
	"bufio"
	"bytes"
	"net/textproto"
	"path"
	"strings"
)

// About is what a library's own description says.
type About struct {
	Name, Version string
	Repository    string        // the address of its repository, "" if it does not say
	Subdirectory  string        // where it stands there, as far as it says
	Requires      []Requirement // what it needs, of a Python distribution
}

// Describe reads the description of a library: METADATA or PKG-INFO of a Python
// distribution, package.json, Cargo.toml, composer.json or pom.xml. What cannot be
// read says nothing.
func Describe(p string, data []byte) About {
	if len(data) > MaxSize {
		return About{}
	}
	switch path.Base(p) {
	case "METADATA", "PKG-INFO":
		return describePython(data)
	case "package.json", "composer.json":
		root, err := readJSON(data)
		if err != nil {
			return About{}
		}
		repository := root.get("repository")
		a := About{Name: root.get("name").string(), Version: root.get("version").string(), Repository: repository.string()}
		if repository != nil && repository.kind == table {
			a.Repository, a.Subdirectory = repository.get("url").string(), repository.get("directory").string()
		}
		return a
	case "Cargo.toml":
		root, err := readTOML(data)
		if err != nil {
			return About{}
		}
		p := root.get("package")
		return About{Name: p.get("name").string(), Version: p.get("version").string(), Repository: p.get("repository").string()}
	case "pom.xml":
		root, err := readXML(data)
		if err != nil {
			return About{}
		}
		p := root.get("project")
		return About{Name: p.get("artifactId").value(), Version: p.get("version").value(), Repository: p.get("scm", "url").value()}
	}
	return About{}
}

// describePython reads the headers of the core metadata specification. Labels of
// addresses are free; those below are usual for the repository.
func describePython(data []byte) About {
	head, _, _ := bytes.Cut(data, []byte("\n\n"))
	head = append(head[:len(head):len(head)], "\n\n"...)
	h, err := textproto.NewReader(bufio.NewReader(bytes.NewReader(head))).ReadMIMEHeader()
	if err != nil && len(h) == 0 {
		return About{}
	}
	a := About{Name: h.Get("Name"), Version: h.Get("Version")}
	best := 0
	for _, link := range h.Values("Project-Url") {
		label, url, _ := strings.Cut(link, ",")
		if n := weight(label); n > best {
			best, a.Repository = n, strings.TrimSpace(url)
		}
	}
	if a.Repository == "" {
		a.Repository = h.Get("Home-Page")
	}
	for _, need := range h.Values("Requires-Dist") {
		if r, err := parsePEP508(need); err == nil && !strings.Contains(need, "extra ==") {
			a.Requires = append(a.Requires, r)
		}
	}
	return a
}

func weight(label string) int {
	switch strings.ToLower(strings.TrimSpace(label)) {
	case "source", "source code", "repository", "code", "github":
		return 3
	case "homepage", "home":
		return 2
	case "bug tracker", "issues", "tracker", "issue tracker", "changelog":
		return 1
	}
	return 0
}
