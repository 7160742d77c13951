// Package place is a repository at one commit, as the nodes of all workflows see it.
package place

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag"
	"github.com/repomind/repomind/rag/dependency"
	"github.com/repomind/repomind/tools"
)

// Opener opens repositories. What it gives is closed by whoever made the Opener.
type Opener interface {
	// Clone gives the clone of an origin, brought up to date once in a process.
	Clone(ctx context.Context, from repo.Origin) (*repo.Clone, error)
	// At gives a repository at a commit, the same each time in a process.
	At(ctx context.Context, from repo.Origin, at source.Commit) (*Place, error)
}

// Place is a repository at one commit.
type Place struct {
	Snapshot *repo.Snapshot
	// Code gives the symbols. It is made at the first call.
	Code func(context.Context) (*code.Index, error)
	// Index gives what retrieval knows. It is made at the first call.
	Index func(context.Context) (*rag.Index, error)
	// Search are the parts of a search that are set up outside: vectors and the like.
	Search rag.Options
	// Tools are what the model may call.
	Tools tools.Set
	// Libraries are those that the repository asks for. Nil is unknown.
	Libraries func(context.Context) (*dependency.Libraries, error)
}

// Subject is a commit of a repository as a report names it: where it is, and where its
// files can be seen.
func Subject(from repo.Origin, at source.Commit) report.Subject {
	s := report.Subject{Repo: filepath.Base(from.String()), Base: at}
	if r := from.Repo; r.Name != "" {
		s.Host, s.Repo = r.HostName(), r.Owner+"/"+r.Name
		s.Web = fmt.Sprintf("https://%s/%s/%s/blob/%s", r.HostName(), url.PathEscape(r.Owner), url.PathEscape(r.Name), at)
	}
	return s
}
