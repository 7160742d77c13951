// Package dataset reads the cases that repomind is measured on: issues and pull
// requests of which the right answer is known. They stand in JSON Lines files,
// one record a line.
//
// Each record comes in two parts of different types. [Input], [PullInput] are all
// that a system under test may see; [Gold], [PullGold] and [Answer] are the truth
// that it is held against. Hand on the input alone, never the record: even its ID
// and number can name the fix.
//
// The readers are strict, since a figure is worth no more than its cases. Fields
// that they do not know are ignored; a wrong type, a field given twice, a missing
// or repeated id, a path that is not clean, a range of lines that runs backwards
// end the reading with a [LineError]. What they give back is safe to hand to git
// and to join to a path.
package dataset

import (
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Input is what a system under test may see of an issue. The repository is to be
// looked at as of Base, without later history.
type Input struct {
	Repo  source.Repo
	Title string
	Body  string // may be ""
	Base  source.Commit
	// Date is when the fix was proposed or Base was made, for a run that wants to
	// know what is recent. The issue itself is older. Zero is unknown.
	Date time.Time
}

// PullInput is what a system under test may see of a pull request: it reviews the
// difference between Base and Head.
type PullInput struct {
	Repo        source.Repo
	Title       string
	Description string // may be ""
	Base, Head  source.Commit
	Date        time.Time // zero is unknown
}

// Kind is what sort of issue a case is.
type Kind string

// The kinds of a Case.
const (
	Bug     Kind = "bug"
	Feature Kind = "feature"
)
