package manifest

import (
	"regexp"
	"strings"
)

// readPom reads the dependencies of a project, with the properties and the managed
// versions that stand in the same file; those of a parent elsewhere are not known.
func readPom(w *writer, data []byte) error {
	root, err := readXML(data)
	if err != nil {
		return err
	}
	p := pom{w: w, project: root.get("project"), managed: map[string]*node{}}
	if p.project == nil {
		return fault(1, "no project")
	}
	scopes := []*node{p.project}
	scopes = append(scopes, p.project.get("profiles").members()...)
	for _, s := range scopes {
		for _, d := range s.get("dependencyManagement", "dependencies").members() {
			if p.managed[p.name(d)] == nil {
				p.managed[p.name(d)] = d
			}
		}
	}
	for _, s := range scopes {
		for _, d := range s.get("dependencies").members() {
			p.add(d, true)
		}
		for _, d := range s.get("dependencyManagement", "dependencies").members() {
			p.add(d, false)
		}
	}
	if parent := p.project.get("parent"); parent != nil {
		p.add(parent, false)
	}
	return nil
}

type pom struct {
	w       *writer
	project *node
	managed map[string]*node
}

func (p *pom) name(d *node) string {
	return p.expand(d.get("groupId").value()) + ":" + p.expand(d.get("artifactId").value())
}

func (p *pom) add(d *node, direct bool) {
	r := Requirement{Ecosystem: Maven, Name: p.name(d), Direct: direct}
	if len(r.Name) < 3 || strings.HasPrefix(r.Name, ":") || strings.HasSuffix(r.Name, ":") {
		p.w.skip(d.line, "a dependency without a name")
		return
	}
	v := d.get("version")
	if v == nil {
		v = p.managed[r.Name].get("version")
	}
	line := d.line
	if v != nil {
		line = v.line
	}
	r.Constraint = p.expand(v.value())
	if r.Constraint != "" && !strings.ContainsAny(r.Constraint, "[](),$") {
		r.Version = r.Constraint
	}
	p.w.add(line, r)
}

var property = regexp.MustCompile(`\$\{([^{}]+)\}`)

// maxExpanded bounds a text whose properties are put in, as each may hold many others.
const maxExpanded = 1000

// expand puts in properties, which may use others, five deep. What becomes too long is
// nothing.
func (p *pom) expand(s string) string {
	for range 5 {
		if !strings.Contains(s, "${") {
			break
		}
		room := maxExpanded - len(s)
		s = property.ReplaceAllStringFunc(s[:min(len(s), maxExpanded)], func(ref string) string {
			v := p.property(ref)
			if room -= len(v); room < 0 {
				return ""
			}
			return v
		})
		if room < 0 {
			return ""
		}
	}
	return s
}

// property is the value of a reference, or the reference itself for one that the file
// does not have.
func (p *pom) property(ref string) string {
	name := ref[2 : len(ref)-1]
	if v := p.project.get("properties", name); v != nil {
		return v.value()
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "project."), "pom.")
	switch name {
	case "version", "groupId":
		if v := p.project.get(name); v != nil {
			return v.value()
		}
		return p.project.get("parent", name).value()
	case "parent.version", "parent.groupId":
		return p.project.get("parent", strings.TrimPrefix(name, "parent.")).value()
	}
	return ref
}
