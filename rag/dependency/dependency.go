// Package dependency looks into the source of the libraries that a repository uses,
// at the versions that it uses, on demand.
//
// [Read] tells from manifests and lock files which libraries these are. [Sources]
// brings the source of one: a copy in the repository itself, else one that is installed
// where it is checked out, else the archive by the client of its ecosystem, else its
// repository at the tag of the version. [Finder] puts both together and ranks parts of
// the source for a query.
//
// Nothing of a library is built or run, and what is brought is unpacked within bounds.
// What could not be had, and what stands in for it, is told in notes.
package dependency

import (
	"context"
	"errors"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

// Tree is the files of a repository at a commit; a *repo.Snapshot is one.
type Tree interface {
	// Files lists the files in the order of their paths.
	Files() []source.File
	// Blobs calls each with the content of files, in order, nil for one without.
	Blobs(ctx context.Context, files []source.File, each func(i int, data []byte) error) error
}

// Library is what a repository asks for under one name.
type Library struct {
	Ecosystem  manifest.Ecosystem
	Name       string
	As         string // the name that the code has for it, where that is another
	Constraint string // as written in a manifest; "" is any version
	Pins       []Pin  // the versions that it is held to, the one that the repository itself gets first
	Direct     bool   // the repository itself asks for it, not another library
	Asked      source.Span
	URL        string // where it comes from if not from a registry
	Dir        string // where it stands in the repository itself

	urlAt string // the file that has URL
}

// Pin is a version that a library is held to, and the line that does so.
type Pin struct {
	Version string
	At      source.Span
}

// Version is the one that the repository itself gets, "" if nothing says which.
func (l Library) Version() string {
	if len(l.Pins) == 0 {
		return ""
	}
	return l.Pins[0].Version
}

var (
	// ErrUnknown means that the repository asks for no library of a name.
	ErrUnknown = errors.New("the repository asks for no such library")

	// ErrNoSource means that the source of a library is not to be had.
	ErrNoSource = errors.New("its source is not to be had")
)
