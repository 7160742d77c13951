package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/repomind/repomind/internal/source"
)

// maxFile bounds a file of settings, in bytes.
const maxFile = 64 << 10

// ErrFile is what is wrong with a file of settings.
var ErrFile = errors.New("wrong settings file")

// parse reads a file: one mapping of names to plain values. Anchors,
// aliases, tags and further documents are refused, as nobody needs them here.
func parse(f File, repo bool) (map[string]entry, error) {
	if f.Name == "" || len(strings.TrimSpace(string(f.Data))) == 0 {
		return nil, nil
	}
	if len(f.Data) > maxFile {
		return nil, fmt.Errorf("%s: %w: more than %d KB", f.Name, ErrFile, maxFile>>10)
	}
	doc, err := parser.ParseBytes(f.Data, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", f.Name, ErrFile, firstLine(yaml.FormatError(err, false, false)))
	}
	if len(doc.Docs) != 1 {
		return nil, fmt.Errorf("%s: %w: it holds %d documents; want one", f.Name, ErrFile, len(doc.Docs))
	}
	r := reader{file: f, repo: repo, out: map[string]entry{}}
	switch body := doc.Docs[0].Body.(type) {
	case nil, *ast.NullNode, *ast.CommentGroupNode:
	case *ast.MappingNode:
		for _, v := range body.Values {
			r.take(v)
		}
	case *ast.MappingValueNode:
		r.take(body)
	default:
		r.wrong(doc.Docs[0].Body, "want lines of name: value")
	}
	return r.out, errors.Join(r.errs...)
}

type reader struct {
	file File
	repo bool
	out  map[string]entry
	errs []error
}

func (r *reader) wrong(at ast.Node, format string, args ...any) {
	pos := at.GetToken().Position
	r.errs = append(r.errs, fmt.Errorf("%s:%d:%d: %w: %s", r.file.Name, pos.Line, pos.Column, ErrFile, fmt.Sprintf(format, args...)))
}

func (r *reader) take(v *ast.MappingValueNode) {
	key, ok := v.Key.(*ast.StringNode)
	if !ok {
		r.wrong(v.Key, "%.40q is no name of a setting", v.Key.String())
		return
	}
	name := key.Value
	i := slices.IndexFunc(table, func(t row) bool { return t.name == name })
	switch {
	case secret(name):
		r.wrong(key, "keys and tokens do not belong into a file; set the variable of the provider, as OPENAI_API_KEY")
	case i < 0:
		r.wrong(key, "there is no setting %.40q%s", name, meant(name, func(s string) string { return s }))
	case table[i].variable:
		r.wrong(key, "%s is set by the variable %s alone", name, Variable(name))
	case r.repo && !table[i].repo:
		r.wrong(key, "a repository cannot set %s; the file of the user can, or a flag", name)
	default:
		value, ok := plain(v.Value)
		if !ok {
			r.wrong(v.Value, "%s wants a plain value", name)
			return
		}
		r.out[name] = entry{value, Source(fmt.Sprintf("%s:%d", r.file.Name, key.GetToken().Position.Line))}
	}
}

// plain is a value as a flag would have it.
func plain(n ast.Node) (string, bool) {
	switch v := n.(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	case *ast.NullNode:
		return "", true
	}
	return "", false
}

// secret says whether a name asks for what no file may hold.
func secret(name string) bool {
	name = strings.ToLower(name)
	if slices.ContainsFunc(table, func(t row) bool { return t.name == name }) {
		return false
	}
	return strings.Contains(name, "key") || strings.Contains(name, "token") || strings.Contains(name, "secret") || strings.Contains(name, "password")
}

// meant proposes the name that is nearest to one that is not known.
func meant(name string, form func(string) string) string {
	best, distance := "", 4
	for _, t := range table {
		if d := source.Edits(strings.ToLower(name), strings.ToLower(form(t.name)), distance); d < distance {
			best, distance = form(t.name), d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}
