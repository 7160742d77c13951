package code

import "github.com/repomind/repomind/internal/source"

// Kind is what a symbol is.
type Kind string

// The kinds, in the order in which equal matches are ranked.
const (
	Class     Kind = "class"
	Interface Kind = "interface" // also a trait or a protocol
	Struct    Kind = "struct"
	Enum      Kind = "enum"
	Type      Kind = "type" // an alias or another named type
	Function  Kind = "function"
	Method    Kind = "method"
	Macro     Kind = "macro"
	Module    Kind = "module" // also a namespace
	Const     Kind = "const"
	Var       Kind = "var"
	Field     Kind = "field"
)

// kinds gives each kind a number that is stored; the order is that of the ranking.
var kinds = []Kind{Class, Interface, Struct, Enum, Type, Function, Method, Macro, Module, Const, Var, Field}

// Symbol is one definition.
type Symbol struct {
	ID        string          `json:"id"`        // path:Class.method; the second of the same name in a file is path:Class.method~2
	Name      string          `json:"name"`      // method
	Qualified string          `json:"qualified"` // Class.method
	Kind      Kind            `json:"kind"`
	Language  source.Language `json:"language"`
	Span      source.Span     `json:"span"`      // the whole definition, with its decorators or attributes but without the comment above
	NameLine  int             `json:"name_line"` // where the name stands
	Signature string          `json:"signature"` // one line, at most 200 bytes
}

// Reference is one place that names a symbol.
type Reference struct {
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Column    int    `json:"column"` // in bytes, from 1
	Name      string `json:"name"`
	Receiver  string `json:"receiver,omitempty"` // the text before the last dot, shortened to 120 bytes
	Call      bool   `json:"call"`               // else the name is passed on, assigned or only mentioned
	In        Symbol `json:"in"`                 // the innermost definition around it; zero at the top of a file
	How       How    `json:"how"`
	Confident bool   `json:"confident"`
}

// How says by what a reference was tied to a symbol.
type How string

// The ways, best first. Those from Dispatch on are possible, not established:
// Reference.Confident is false for them.
const (
	SameFile    How = "same file"
	SamePackage How = "same package"
	ByImport    How = "import"
	ByReceiver  How = "receiver type"
	Inherited   How = "inheritance"
	OnlyOne     How = "only definition" // of that name in the repository, and not a usual name
	Dispatch    How = "dispatch"        // a call of an overridden or interface method that may end here
	NameOnly    How = "name only"
)

var hows = []How{SameFile, SamePackage, ByImport, ByReceiver, Inherited, OnlyOne, Dispatch, NameOnly}

// Import is one name that a file takes from elsewhere.
type Import struct {
	Module string   `json:"module"`          // as written: mypy.nodes, ./util, github.com/a/b, crate::x
	Name   string   `json:"name,omitempty"`  // what is taken from it; "" is the module itself, "*" is all
	As     string   `json:"as,omitempty"`    // the local name where it differs
	Line   int      `json:"line"`            // of the statement
	Files  []string `json:"files,omitempty"` // where that leads in this tree; none for a foreign module
}

// Outline is what one file holds.
type Outline struct {
	Path     string          `json:"path"`
	Language source.Language `json:"language"`
	Broken   bool            `json:"broken,omitempty"` // syntax errors: something may be missing
	Symbols  []Symbol        `json:"symbols"`
	Imports  []Import        `json:"imports"`
	Skeleton []source.Span   `json:"skeleton"` // the lines of the signatures, in order
}

// Skipped is a file of a known language without symbols.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}
