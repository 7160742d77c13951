package code

import (
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// value is what an expression may be, as far as the syntax tells.
type value struct {
	kind  valueKind
	p     place   // of a class, an instance's class, a function, a variable
	files []int32 // of a module
	name  string  // of a module that is named by its start: import a.b makes a
	text  string  // of a type, read in file and scope
	file  int32
	in    int32
}

type valueKind uint8

const (
	instance valueKind = iota // of the class at p
	class                     // the class itself
	function                  // not yet called
	variable                  // a definition without a known value
	module
	typed   // an instance of the type that is written as text
	outside // of this repository
)

// solver follows expressions. Its budget bounds what one question may cost.
type solver struct {
	*Index
	steps int
	known map[question][]value
	via   How // by what the last name was found

	members map[string]map[place][]place // by name and type
	typed   map[question][]place         // what the text of a type means
	foreign map[question]bool
}

type question struct {
	file, in int32
	text     string
}

const (
	maxSteps = 3000 // for one reference
	maxEval  = 10   // expressions behind expressions
)

func (x *Index) solver() *solver {
	return &solver{Index: x, known: map[question][]value{}, members: map[string]map[place][]place{},
		typed: map[question][]place{}, foreign: map[question]bool{}}
}

func (s *solver) spent() bool {
	s.steps++
	return s.steps > maxSteps
}

// eval gives the values of an expression that stands in a scope of a file.
func (s *solver) eval(file, in int32, text string, depth int) []value {
	if depth > maxEval || s.spent() {
		return nil
	}
	q := question{file, in, text}
	if v, ok := s.known[q]; ok {
		return v
	}
	s.known[q] = nil // for an expression that leads back to itself
	v := s.follow(file, in, chain(text), depth)
	s.known[q] = v
	return v
}

func (s *solver) follow(file, in int32, links []link, depth int) []value {
	if len(links) == 0 {
		return nil
	}
	first := links[0]
	vs := s.first(file, in, first, depth)
	if vs == nil {
		return nil
	}
	if !builtinCall(first) {
		vs = s.operate(vs, first, depth)
	}
	for _, l := range links[1:] {
		var next []value
		for _, v := range vs {
			next = append(next, s.member(v, l.name, depth+1)...)
			if len(next) > 20 {
				break
			}
		}
		if vs = s.operate(next, l, depth); len(vs) == 0 {
			return nil
		}
	}
	return vs
}

// first is the value of the name that an expression begins with, and of the words
// that mean the type around.
func (s *solver) first(file, in int32, l link, depth int) []value {
	f := &s.files[file]
	switch l.name {
	case "super":
		return s.parents(file, in)
	case "__class__":
		if c, ok := s.around(file, in); ok {
			return []value{{kind: class, p: c}}
		}
		return nil
	case "this", "self", "Self", "@self", "static", "parent", "$this":
		if f.lang == source.Python || f.lang == source.Go {
			break
		}
		if c, ok := s.around(file, in); ok {
			if l.name == "Self" {
				return []value{{kind: class, p: c}}
			}
			return []value{{kind: instance, p: c}}
		}
		return nil
	}
	if builtinCall(l) {
		return s.eval(file, in, l.args[0], depth+1)
	}
	vs := s.lookup(file, in, l.name, depth)
	if vs == nil && f.lang == source.Python && (builtinTypes[l.name] || l.name == "open") {
		return []value{{kind: outside}}
	}
	return vs
}

// builtinCall: a call of Python that gives what its argument holds.
func builtinCall(l link) bool {
	switch l.name {
	case "sorted", "list", "reversed", "set", "tuple", "iter", "frozenset", "enumerate", "super":
		return l.name == "super" || l.ops == "("
	}
	return false
}

// operate applies calls and indexes.
func (s *solver) operate(vs []value, l link, depth int) []value {
	for i := range l.ops {
		var next []value
		for _, v := range vs {
			switch l.ops[i] {
			case '(':
				next = append(next, s.call(v, depth+1)...)
			case '[':
				next = append(next, s.index(v, -1, depth+1)...)
			case '{':
				if v.kind == class {
					v.kind = instance
				}
				next = append(next, v)
			}
		}
		vs = next
	}
	return vs
}

func (s *solver) call(v value, depth int) []value {
	switch v.kind {
	case class:
		v.kind = instance
		return []value{v}
	case outside:
		return []value{v}
	case function:
		return s.returns(v.p, depth)
	case typed:
		if t, ok := strings.CutPrefix(strings.TrimLeft(v.text, " \"'"), "type["); ok {
			v.text = strings.TrimSuffix(t, "]")
			return []value{v}
		}
		if t, ok := strings.CutPrefix(v.text, "Type["); ok {
			v.text = strings.TrimSuffix(t, "]")
			return []value{v}
		}
	}
	return nil
}

// index are the values that a container holds.
func (s *solver) index(v value, index, depth int) []value {
	switch v.kind {
	case typed:
		if t := elements(v.text, s.files[v.file].lang, index); t != "" {
			v.text = t
			return []value{v}
		}
		var out []value
		for _, c := range s.classes(v, depth+1) { // type Labels []Label
			if d := s.at(c); d.flags&isAlias != 0 {
				out = append(out, s.index(value{kind: typed, text: d.result, file: c.file, in: d.parent}, index, depth+1)...)
			}
		}
		return out
	case class: // Generic[T]
		return []value{v}
	case instance:
		if d := s.at(v.p); d.flags&isAlias != 0 && depth < maxEval {
			return s.index(value{kind: typed, text: d.result, file: v.p.file, in: d.parent}, index, depth+1)
		}
		for _, m := range s.memberOf(v.p, "__getitem__", depth) {
			return s.returns(m, depth+1)
		}
	case outside:
		return []value{v}
	}
	return nil
}
