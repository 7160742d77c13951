package chunk

import (
	"path"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// form is how a file without a layout is read.
type form struct {
	name string
	read func(*text) outline
}

var byExtension = map[string]form{
	".md": markdownForm, ".markdown": markdownForm, ".mdx": markdownForm, ".mkd": markdownForm,
	".rst":  {"rst", readRST},
	".toml": tomlForm, ".lock": tomlForm,
	".ini": iniForm, ".cfg": iniForm, ".conf": iniForm, ".properties": iniForm,
	".yaml": yamlForm, ".yml": yamlForm,
	".json": jsonForm, ".jsonc": jsonForm, ".json5": jsonForm, ".ipynb": jsonForm,
	".xml": xmlForm, ".pom": xmlForm, ".csproj": xmlForm, ".props": xmlForm, ".targets": xmlForm,
	".mk": makeForm, ".dockerfile": dockerForm,
}

var byName = map[string]form{
	"makefile": makeForm, "gnumakefile": makeForm, "dockerfile": dockerForm, "containerfile": dockerForm,
	".gitconfig": iniForm, ".editorconfig": iniForm, ".pylintrc": iniForm, "pylintrc": iniForm, ".flake8": iniForm, ".coveragerc": iniForm,
	"pipfile": tomlForm,
}

var (
	markdownForm = form{"markdown", readMarkdown}
	iniForm      = form{"ini", readINI}
	tomlForm     = form{"toml", readTOML}
	yamlForm     = form{"yaml", readYAML}
	jsonForm     = form{"json", readJSON}
	xmlForm      = form{"xml", readXML}
	makeForm     = form{"make", readMake}
	dockerForm   = form{"docker", readDocker}
	plainForm    = form{"plain", readPlain}
)

func formOf(p string) form {
	base := strings.ToLower(path.Base(p))
	if f, ok := byName[base]; ok {
		return f
	}
	if f, ok := byExtension[path.Ext(base)]; ok {
		return f
	}
	if strings.HasPrefix(base, "dockerfile.") {
		return dockerForm
	}
	return plainForm
}

// Form names how a path is read: with the blob it says what the chunks of a file are,
// but for the paths in them. Files of code also depend on the layout.
func Form(p string) string {
	if lang := source.LanguageOf(p, nil); lang != "" {
		return string(lang)
	}
	return formOf(p).name
}

// readPlain knows paragraphs.
func readPlain(t *text) (o outline) {
	empty := true
	for n := 1; n <= t.count(); n++ {
		line := t.line(n)
		if empty && len(line) > 0 {
			o.cut(n, 0)
		}
		empty = len(line) == 0
	}
	return o
}

// cut allows one before a line, or before the comments right above it.
func (o *outline) cut(line, depth int) {
	o.cuts = append(o.cuts, code.Cut{Line: line, First: o.lead(line), Depth: min(depth, 15)})
}

// lead is the first line of the comments that end right above a line, or the line.
func (o *outline) lead(line int) int {
	if n := len(o.comments); n > 0 && o.comments[n-1].End == line-1 {
		return o.comments[n-1].Start
	}
	return line
}

func (o *outline) comment(from, to int) {
	if o.lead(from) < from {
		o.comments[len(o.comments)-1].End = to
		return
	}
	o.comments = append(o.comments, source.Span{Start: from, End: to})
}

// sections makes units of headings, which reach to the next one of their level or a
// higher one.
type sections struct {
	open []heading
	made []unit
}

type heading struct {
	level int
	at    int // its place in made
}

const (
	maxTitle = 120
	maxPath  = 400
)

// add begins a section on a line, with the comments from first on. sep joins its name
// to that of the section around.
func (s *sections) add(first, line, level int, title, sep string) {
	s.close(first-1, level)
	name := clip(title, maxTitle)
	if n := len(s.open); n > 0 {
		if around := s.made[s.open[n-1].at].name; len(around)+len(name) < maxPath {
			name = around + sep + name
		}
	}
	s.open = append(s.open, heading{level, len(s.made)})
	s.made = append(s.made, unit{first: first, start: line, name: name, kind: Section})
}

// close ends the sections of a level and those inside of them at a line.
func (s *sections) close(line, level int) {
	for n := len(s.open); n > 0 && s.open[n-1].level >= level; n-- {
		s.made[s.open[n-1].at].end = line
		s.open = s.open[:n-1]
	}
}

// clip is valid UTF-8 of at most limit bytes.
func clip(s string, limit int) string {
	if s = strings.ToValidUTF8(s, "\uFFFD"); len(s) > limit {
		s = strings.ToValidUTF8(s[:limit], "") // a character that the limit cuts
	}
	return s
}
