package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/repo"
)

// Workspace is what the tools look into: one commit of one repository.
type Workspace struct {
	Snapshot *repo.Snapshot
	// Index gives the symbols of the snapshot. It is called at the first use, and
	// may take seconds.
	Index func(context.Context) (*code.Index, error)
	// Dependencies gives the source of libraries. nil leaves fetch_dependency out.
	Dependencies Dependencies
}

// All gives every tool for a workspace.
func All(w Workspace) Set {
	set := Set{
		readFile(w), grepCode(w), listDir(w), findDefinition(w), findCallers(w),
		gitLogFile(w), gitBlame(w), searchCommits(w),
	}
	if w.Dependencies != nil {
		set = append(set, fetchDependency(w))
	}
	return set
}

// Set is some tools, each of its own name.
type Set []Tool

// Only gives the tools of these names, in the order of the set.
func (s Set) Only(names ...string) Set {
	return slices.DeleteFunc(slices.Clone(s), func(t Tool) bool { return !slices.Contains(names, t.Name) })
}

// Names lists the tools.
func (s Set) Names() []string {
	names := make([]string, len(s))
	for i, t := range s {
		names[i] = t.Name
	}
	return names
}

// Call runs the tool of a name.
func (s Set) Call(ctx context.Context, name string, args json.RawMessage) Result {
	for _, t := range s {
		if t.Name == name {
			return t.Call(ctx, args)
		}
	}
	return refused(fmt.Errorf("there is no tool %q; the tools are %s", name, strings.Join(s.Names(), ", ")))
}
