package llm

import (
	"embed"
	"strings"
	"text/template"
)

//go:embed prompts/*.md.tmpl
var promptFiles embed.FS

var prompts = template.Must(template.New("").Option("missingkey=error").ParseFS(promptFiles, "prompts/*.md.tmpl"))

// prompt renders one of our own texts for a model.
func prompt(name string, data any) (string, error) {
	var b strings.Builder
	err := prompts.ExecuteTemplate(&b, name+".md.tmpl", data)
	return strings.TrimSpace(b.String()), err
}
