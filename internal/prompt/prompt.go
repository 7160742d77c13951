// Package prompt makes what a model reads. Prompts are files beside the package that
// uses them; text from outside goes in through a [Fence]; a budget of tokens is filled
// with [Pack].
//
// A fence tells the model what is data. It does not make data harmless: what a model
// may do has to be limited where it is done.
package prompt

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"text/template"
)

//go:embed prompts/*.md.tmpl
var files embed.FS

// Set is the prompts of a package.
type Set struct{ templates *template.Template }

// Load reads the files that end in .md.tmpl of a folder, whose templates can include
// each other by their base names. A package embeds its folder and loads it once.
func Load(files fs.FS, folder string) (Set, error) {
	none := template.FuncMap{"fence": func(string, string) (string, error) { return "", errNoFence }}
	t, err := template.New("").Option("missingkey=error").Funcs(none).ParseFS(files, folder+"/*.md.tmpl")
	if err != nil {
		return Set{}, fmt.Errorf("load prompts: %w", err)
	}
	return Set{t}, nil
}

// Render fills the prompt name.md.tmpl with data. What data has not is an error. In the
// template, {{fence "the text" .Body}} is how untrusted text goes in.
func (s Set) Render(f Fence, name string, data any) (string, error) {
	if s.templates == nil {
		return "", fmt.Errorf("render prompt %s: the set is empty; use Load", name)
	}
	t, err := s.templates.Clone()
	if err != nil {
		return "", fmt.Errorf("render prompt %s: %w", name, err)
	}
	var b strings.Builder
	t.Funcs(template.FuncMap{"fence": f.fence})
	if err := t.ExecuteTemplate(&b, name+".md.tmpl", data); err != nil {
		return "", fmt.Errorf("render prompt %s: %w", name, err)
	}
	return strings.TrimRight(b.String(), "\n") + "\n", nil
}
