package code

import (
	"github.com/repomind/repomind/internal/source"
)

// facts is what one blob holds. Nothing in it depends on the path of a file or on
// other files, so it is kept by the blob's hash.
type facts struct {
	lang   source.Language
	skip   string   // why there is nothing else
	pkg    string   // the package clause, where the language has one
	entry  bool     // a program starts here
	defs   []def    // in preorder
	uses   int      // how many references there are
	refs   []ref    // like the words and hints of a record, these are read late, see Index.all
	words  []string // that the references use; the first is ""
	imps   []imp
	hints  []hint
	layout string // see packLayout
	second string // the part of the record that was not read
	broken bool   // syntax errors
}

// def is a definition. parent is the one around it, -1 for none.
type def struct {
	name   string
	owner  string // the type that a definition outside of its body belongs to: Go and Rust methods, C++ Class::f
	sig    string
	bases  string // types that it extends, separated by "|"
	result string // type of the value that calling or reading it gives, as written
	kind   uint8  // index in kinds
	flags  uint8
	parent int32
	start  uint32
	name0  uint32 // line of the name
	sigEnd uint32 // last line of the signature
	end    uint32
}

const (
	isStatic   = 1 << iota // a class method: its first receiver is the class
	isProperty             // read without a call
	isVirtual              // declared without a body
	isAlias                // of the type that result names
	isAssigned             // an attribute that only an assignment in a method declares
)

// ref is a use of a name. There are hundreds of thousands of them, so it holds no
// pointers: name and recv are places in the words of the facts. in is the innermost
// definition, -1 for none.
type ref struct {
	name, recv uint32
	line, col  uint32
	in         int32
	flags      uint8
}

// use is a ref with its words.
type use struct {
	name, recv string
	in         int32
}

func (f *facts) use(i int32) use {
	r := &f.refs[i]
	return use{f.words[r.name], f.words[r.recv], r.in}
}

const isCall = 1

type imp struct {
	module, name, as string
	line             uint32
	in               int32
}

// local is the name that the import binds, "" for one that binds none.
func (i imp) local() string {
	switch {
	case i.as != "":
		return i.as
	case i.name != "" && i.name != "*":
		return i.name
	}
	return ""
}

const (
	hintType = iota // text is a type
	hintExpr        // text is an expression of the same value
	hintElem        // text is an expression whose elements it is
)

const (
	maxText  = 120
	maxSig   = 200
	maxFacts = 200_000 // references of one file, as a bound on what hostile files cost
)

func number(k Kind) uint8 {
	for i, other := range kinds {
		if k == other {
			return uint8(i)
		}
	}
	return 0
}

func isType(k Kind) bool {
	switch k {
	case Class, Interface, Struct, Enum, Type:
		return true
	}
	return false
}
