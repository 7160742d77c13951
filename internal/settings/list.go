package settings

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/goccy/go-yaml/ast"
)

// maxList bounds a list, and maxInstruction what is asked in one instruction, in bytes.
const (
	maxList        = 100
	maxInstruction = 2000
)

// list is a setting of several values: with commas between in a flag or variable, a list
// in a file.
func list(name, help string, at func(*Settings) *[]string, check func(string) error) row {
	return row{name: name, help: help, repo: true, list: true, get: func(s Settings) string { return strings.Join(*at(&s), ",") }, set: func(s *Settings, v string) error {
		*at(s) = nil
		for _, part := range split(v) {
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			if err := check(part); err != nil {
				return err
			}
			*at(s) = append(*at(s), part)
		}
		if n := len(*at(s)); n > maxList {
			return fmt.Errorf("%d values: want at most %d", n, maxList)
		}
		return nil
	}}
}

// split takes a list apart at its commas, but for those in braces: *.{js,ts} is one glob.
func split(v string) (parts []string) {
	depth, begin := 0, 0
	for i, c := range []byte(v) {
		switch {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == ',' && depth == 0:
			parts, begin = append(parts, v[begin:i]), i+1
		}
	}
	return append(parts, v[begin:])
}

func isGlob(v string) error {
	if !isOneLine(v) || !doublestar.ValidatePattern(v) {
		return fmt.Errorf("%.40q: want a glob of paths, as src/**/*.go or *.md", v)
	}
	return nil
}

// lenses are those that a review can be asked for.
var lenses = []string{"security", "style", "logic"}

func isLens(v string) error {
	if !slices.Contains(lenses, v) {
		return fmt.Errorf("%.40q: want some of %s", v, strings.Join(lenses, ", "))
	}
	return nil
}

// listed is a list of a file, or a single value, as a flag would have it.
func listed(n ast.Node) (string, bool) {
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		return plain(n)
	}
	var all []string
	for _, v := range seq.Values {
		text, ok := plain(v)
		if !ok || len(split(text)) != 1 {
			return "", false
		}
		all = append(all, text)
	}
	return strings.Join(all, ","), true
}

// takeInstructions reads "- path: GLOB" with "text: …" below it.
func (r *reader) takeInstructions(n ast.Node) {
	seq, ok := n.(*ast.SequenceNode)
	if !ok {
		r.wrong(n, "instructions wants a list, each with path and text")
		return
	}
	for _, v := range seq.Values {
		var in Instruction
		for _, pair := range pairs(v) {
			text, ok := plain(pair.Value)
			switch name := pair.Key.String(); {
			case !ok:
				r.wrong(pair.Value, "an instruction wants plain values")
			case name == "path":
				in.Path = text
			case name == "text":
				in.Text = text
			default:
				r.wrong(pair.Key, "an instruction has path and text, and no %.40q", name)
			}
		}
		switch {
		case strings.TrimSpace(in.Text) == "" || in.Path == "":
			r.wrong(v, "an instruction wants path and text")
		case isGlob(in.Path) != nil:
			r.wrong(v, "%v", isGlob(in.Path))
		case len(in.Text) > maxInstruction || len(r.read.instructions) == maxList:
			r.wrong(v, "want at most %d instructions of at most %d bytes", maxList, maxInstruction)
		default:
			r.read.instructions = append(r.read.instructions, in)
		}
	}
}

func pairs(n ast.Node) []*ast.MappingValueNode {
	switch v := n.(type) {
	case *ast.MappingNode:
		return v.Values
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{v}
	}
	return nil
}
