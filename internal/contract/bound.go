package contract

import (
	"regexp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// bound says whether a place of the head still leads to where the old definition was.
// A member is reached by the type of its receiver, whose text is the same; all else by
// an import, which must be there as it was and find nothing any more.
func (c *check) bound(old code.Signature, ref, now code.Reference) bool {
	name, found := first(now), false
	for _, m := range c.Head.Imports(now.Path) {
		if !binds(m, name) {
			continue
		}
		found = true
		if !c.sameImport(ref.Path, m) || c.leadsTo(m, now) {
			return false
		}
	}
	member := old.Owner != "" && !constructor(old)
	return found || member || ref.How == code.SameFile || ref.How == code.SamePackage
}

// first is the name that a place begins with: m of m.load.
func first(r code.Reference) string {
	name, _, _ := strings.Cut(r.Receiver, ".")
	if name == "" {
		return r.Name
	}
	return name
}

// binds says whether an import gives a name to its file.
func binds(m code.Import, name string) bool {
	switch {
	case m.Name == "*":
		return true
	case m.As != "":
		return m.As == name
	case m.Name != "":
		return m.Name == name
	}
	head, _, _ := strings.Cut(m.Module, ".")
	return head == name || m.Module[strings.LastIndexAny(m.Module, "/.")+1:] == name
}

// sameImport: the base has it as well.
func (c *check) sameImport(path string, m code.Import) bool {
	return slices.ContainsFunc(c.Base.Imports(path), func(b code.Import) bool {
		return b.Module == m.Module && b.Name == m.Name && b.As == m.As
	})
}

// leadsTo says whether an import finds the name in the head. One that leads nowhere was
// of a file that is gone.
func (c *check) leadsTo(m code.Import, now code.Reference) bool {
	name := now.Name
	if m.Name != "" && m.Name != "*" && now.Receiver == "" {
		name = m.Name
	}
	return slices.ContainsFunc(m.Files, func(f string) bool { return c.provides(f, name, 0) })
}

const maxChain = 6 // files that hand a name on to each other

// provides says whether a file of the head defines a name for others, or takes it from
// elsewhere and hands it on. What cannot be told is provided.
func (c *check) provides(path, name string, depth int) bool {
	outline, ok := c.Head.File(path)
	if !ok || depth > maxChain {
		return true
	}
	for _, s := range outline.Symbols {
		if s.Name == name && s.Qualified == name {
			return true
		}
	}
	if c.exportsAs(path, name) {
		return true
	}
	for _, m := range outline.Imports {
		if m.Name == "*" && (len(m.Files) == 0 || c.anyProvides(m.Files, path, name, depth)) {
			return true
		}
		if local(m) == name && (len(m.Files) == 0 || c.anyProvides(m.Files, path, m.Name, depth)) {
			return true
		}
	}
	return false
}

func (c *check) anyProvides(files []string, from, name string, depth int) bool {
	return name == "" || slices.ContainsFunc(files, func(f string) bool { return f != from && c.provides(f, name, depth+1) })
}

// local is the name that an import binds.
func local(m code.Import) string {
	if m.As != "" {
		return m.As
	}
	return m.Name
}

var anyDefault = regexp.MustCompile(`export\s+default|\bas\s+default\b|module\.exports`)

// exportsAs tells a name that a script exports under another one, and in Python one that
// a module makes up when it is asked.
func (c *check) exportsAs(path, name string) bool {
	text := string(c.text(path).data)
	switch source.LanguageOf(path, nil) {
	case source.Python:
		return strings.Contains(text, "def __getattr__(name")
	case source.Go:
		return false
	}
	if name == "default" {
		return anyDefault.MatchString(text)
	}
	quoted := regexp.QuoteMeta(name)
	if strings.Contains(text, "module.exports") { // of an object, or of one that is put together
		return strings.Contains(text, "...") || regexp.MustCompile(`\b`+quoted+`\b`).MatchString(text)
	}
	return regexp.MustCompile(`\bas\s+` + quoted + `\b|\bexports\.` + quoted + `\b`).MatchString(text)
}
