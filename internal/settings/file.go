package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// RepoName is the name of a repository's file.
const RepoName = ".repomind.yml"

// ErrFile is what is wrong with a file of settings: with its form, or with a name in it.
// A value that is out of its bounds is none of it, wherever it stands.
var ErrFile = errors.New("wrong settings file")

// parse reads a file: one mapping of names to plain values. Anchors, aliases, tags and
// further documents are refused, as nobody needs them here.
func parse(f File, repo bool) (read, error) {
	if f.Name == "" {
		return read{}, nil
	}
	text, err := f.text()
	if err != nil || strings.TrimSpace(text) == "" {
		return read{}, err
	}
	doc, err := parser.ParseBytes([]byte(text), 0)
	if err != nil {
		return read{}, syntax(f.Name, err)
	}
	if len(doc.Docs) != 1 {
		return read{}, fmt.Errorf("%s: %w: it holds %d documents; want one", f.Name, ErrFile, len(doc.Docs))
	}
	r := reader{file: f, repo: repo, read: read{values: map[string]entry{}}}
	switch body := doc.Docs[0].Body.(type) {
	case nil, *ast.NullNode, *ast.CommentGroupNode:
	case *ast.MappingNode:
		r.takeAll(body.Values)
	case *ast.MappingValueNode:
		r.take(body)
	default:
		r.wrong(doc.Docs[0].Body, "want lines of name: value")
	}
	return r.read, errors.Join(r.errs...)
}

// read is what a file sets.
type read struct {
	values       map[string]entry
	instructions []Instruction
}

// syntax is an error of the parser as our own are written.
func syntax(name string, err error) error {
	e, ok := errors.AsType[yaml.Error](err)
	if !ok || e.GetToken() == nil {
		return fmt.Errorf("%s: %w: %s", name, ErrFile, printable(err.Error()))
	}
	pos := e.GetToken().Position
	return fmt.Errorf("%s:%d:%d: %w: %s", name, pos.Line, pos.Column, ErrFile, printable(e.GetMessage()))
}

// reader collects what a file sets, and what is wrong with it.
type reader struct {
	file File
	repo bool
	read read
	errs []error
}

func (r *reader) wrong(at ast.Node, format string, args ...any) {
	pos := at.GetToken().Position
	r.errs = append(r.errs, fmt.Errorf("%s:%d:%d: %w: %s", r.file.Name, pos.Line, pos.Column, ErrFile, fmt.Sprintf(format, args...)))
}

func (r *reader) takeAll(values []*ast.MappingValueNode) {
	for _, v := range values {
		if len(r.errs) == maxWrong {
			r.wrong(v.Key, "and so on: %d things are wrong before this", maxWrong)
			return
		}
		r.take(v)
	}
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
	case name == "instructions":
		r.takeInstructions(v.Value)
	case secret(name):
		r.wrong(key, "keys and tokens do not belong into a file; set the variable of the provider, as OPENAI_API_KEY")
	case i < 0:
		r.wrong(key, "there is no setting %.40q%s", name, meant(name))
	case table[i].variable:
		r.wrong(key, "%s is set by the variable %s alone", name, Variable(name))
	case r.repo && !table[i].repo:
		r.wrong(key, "a repository cannot set %s; the file of the user can, or a flag", name)
	default:
		value, ok := plain(v.Value)
		if table[i].list {
			value, ok = listed(v.Value)
		}
		if !ok {
			r.wrong(v.Value, "%s wants a %s", name, table[i].form())
			return
		}
		r.read.values[name] = entry{value, Source(fmt.Sprintf("%s:%d", r.file.Name, key.GetToken().Position.Line))}
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
