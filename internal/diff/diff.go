// Package diff reads unified diffs as git prints them, and says on which of their lines a
// review comment may stand.
//
// It is hostile input: a header may promise lines that are not there, and a path may hold
// anything. A file that cannot be read to its end is marked as broken and loses none of
// the others. The parser is our own, because line numbers on both sides have to be exact,
// a broken file must not end the reading, and paths are bytes and not UTF-8.
package diff

import "fmt"

// Op says what a line of a hunk does.
type Op byte

// The kinds of lines, by their marks.
const (
	Context Op = ' '
	Delete  Op = '-'
	Insert  Op = '+'
)

// Line is one line of a hunk.
type Line struct {
	Op       Op
	Old, New int    // its number at the base and the head; 0 where it is not there
	Text     string // without mark and line end; a CR of the file stays
	NoEOL    bool   // the file ends in it without a line end
}

// Range is a run of lines on one side. Of an empty one Start is the line before it.
type Range struct{ Start, Lines int }

// Hunk is a run of lines that changed, with some around.
type Hunk struct {
	Old, New Range
	Section  string // what stands behind the second @@
	Lines    []Line
}

// File is what a diff does to one file.
type File struct {
	Path     string // at the head; of a removed file that at the base
	Old      string // at the base where it is another, as of a rename or a copy
	Status   string // added, removed, modified, renamed or copied
	OldMode  string // as git writes it, where it changed
	NewMode  string
	Binary   bool
	Combined bool // of a merge, with more than two sides: no comment may stand on it
	Hunks    []Hunk
	// Broken says why the hunks are not all there; nil if they are.
	Broken error
}

// SyntaxError is where a diff is not one.
type SyntaxError struct {
	Line int // of the text, from 1
	Msg  string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d of the diff: %s", e.Line, e.Msg) }
