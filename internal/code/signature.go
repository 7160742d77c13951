package code

import (
	"fmt"

	"github.com/repomind/repomind/internal/source"
)

// Signature is how a function or method is called: what a caller has to give, and what
// it gets.
type Signature struct {
	Symbol     Symbol
	Owner      string   // the qualified name of the type that it is a method of, or ""
	Params     []Param  // in order, without Self
	Results    []string // the types as written, one a value; in Python and TypeScript one at most
	Self       string   // Python: the first parameter, which the receiver fills
	Async      bool     // a call gives something to await
	Static     bool     // called on the type: staticmethod, classmethod, static
	Property   bool     // read without a call, and set by an assignment
	Overload   bool     // declared without a body: one of several ways to call it, or a method that others implement
	Decorators []string // Python: as written, without @
}

// Param is one parameter.
type Param struct {
	Name     string // "" where it has none
	Kind     ParamKind
	Optional bool   // has a default, or may be left out
	Type     string // as written, "" where it is not
}

// ParamKind says how a parameter is given its value.
type ParamKind string

// The kinds. Parameters of Go, JavaScript and TypeScript are PositionalOnly or Variadic.
const (
	Positional      ParamKind = "positional" // or by keyword
	PositionalOnly  ParamKind = "positional-only"
	KeywordOnly     ParamKind = "keyword-only"
	Variadic        ParamKind = "variadic"         // *args, ...rest, v ...T
	KeywordVariadic ParamKind = "keyword-variadic" // **kwargs
)

// SignaturesOf parses one file of Go, Python, JavaScript or TypeScript in this process
// and gives the signatures of its functions and methods, in the order of the file. Their
// symbols are those of an [Index]. The error is [ErrLanguage], or that of the parser.
//
// A parser in this process may be ended by a hostile file: give it only what an Index
// with Config.Parser has read, see [Index.File].
func SignaturesOf(path string, data []byte) ([]Signature, error) {
	c, err := collect(path, data)
	if err != nil {
		return nil, fmt.Errorf("signatures of %s: %w", source.Quote(path), err)
	}
	f := file{path: path, facts: &c.facts, naming: new(naming)}
	var out []Signature
	for i := range c.defs {
		if k := kinds[c.defs[i].kind]; k == Function || k == Method {
			s := c.signatureOf(c.heads[i])
			s.Symbol, s.Owner = f.symbol(i), f.ownerName(i)
			out = append(out, s)
		}
	}
	return out, nil
}

// collect reads a file whose calls and signatures are known here.
func collect(path string, data []byte) (*collector, error) {
	r, name, err := parse(path, data)
	if err != nil {
		return nil, err
	}
	defer r.close()
	if fam := family(name); fam != source.Go && fam != source.Python && fam != source.JavaScript {
		return nil, ErrLanguage
	}
	t, err := r.tree(name, data)
	if err != nil {
		return nil, err
	}
	lang, _ := languageOf(name)
	c := newCollector(t, name)
	lang.extract(c)
	return c, nil
}

// signatureOf is the signature of the node that has the parameters.
func (c *collector) signatureOf(n int32) Signature {
	switch family(c.lang) {
	case source.Go:
		return golang{c}.signatureOf(n)
	case source.Python:
		return (&python{collector: c}).signatureOf(n)
	}
	return script{c}.signatureOf(n)
}

// ownerName is the qualified name of the type around a definition, or that it names.
func (f *file) ownerName(i int) string {
	d := &f.defs[i]
	if d.owner != "" {
		return d.owner
	}
	if d.parent >= 0 && isType(kinds[f.defs[d.parent].kind]) {
		return unnumbered(f.names()[d.parent])
	}
	return ""
}
