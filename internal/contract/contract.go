// Package contract finds the callers that a change of a function left behind. It compares
// the signatures of two versions of a file, and asks of each call of what changed whether
// it was right before and is wrong now. It needs no compiler and no model, and knows
// Go, Python, JavaScript and TypeScript.
//
// It says only what the syntax settles: a call that may be of another function, or that
// gives arguments which are not written out, is no finding.
package contract

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// Input is a change of a tree.
type Input struct {
	Base, Head *code.Index // of the trees before and after
	Files      []Pair      // all files that the change touches

	// Read gives a file of the head tree. Its error ends the check.
	Read func(ctx context.Context, path string) ([]byte, error)

	// Max is how many broken callers are given. Zero means 100.
	Max int
}

// Pair is a file before and after. A copy is a file that is new.
type Pair struct {
	Path    string // in the head; where it is deleted, in the base
	OldPath string // in the base, "" for the same
	Before  []byte // nil for a file that is new
	After   []byte // nil for a file that is deleted
}

func (p Pair) oldPath() string { return cmp.Or(p.OldPath, p.Path) }

// Broken is a caller that a change broke.
type Broken struct {
	Symbol   string          `json:"symbol"` // the qualified name of what changed
	Def      source.Span     `json:"def"`    // its line in the head, of what is gone in the base
	What     string          `json:"what"`   // what changed there, a sentence without its subject's name
	Caller   source.Span     `json:"caller"` // the line in the head
	Quote    string          `json:"quote"`  // that line
	Why      string          `json:"why"`    // what is wrong with it
	Language source.Language `json:"language"`
}

// Check gives the callers in the head that break by what the files change, in order of
// their places. It parses here what the indexes have read already, so that a file which
// ends a parser has no findings. The error is that of Read, or the end of ctx.
func Check(ctx context.Context, in Input) ([]Broken, error) {
	c := newCheck(ctx, in)
	var out []Broken
	for _, g := range c.groups() {
		for _, change := range Compare(g.before, g.after) {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("check signatures: %w", err)
			}
			if !change.Breaking {
				continue
			}
			found, err := c.broken(change)
			if err != nil {
				return nil, fmt.Errorf("check the callers of %s: %w", change.Symbol.Qualified, err)
			}
			out = append(out, found...)
		}
	}
	slices.SortStableFunc(out, func(a, b Broken) int {
		return cmp.Or(cmp.Compare(a.Caller.Path, b.Caller.Path), cmp.Compare(a.Caller.Start, b.Caller.Start), cmp.Compare(a.Symbol, b.Symbol))
	})
	out = slices.CompactFunc(out, func(a, b Broken) bool { return a.Caller == b.Caller && a.Symbol == b.Symbol })
	return out[:min(len(out), cmp.Or(in.Max, 100))], nil
}

func (c *check) broken(change Change) ([]Broken, error) {
	var callers []Caller
	if change.Kind == Removed || change.Kind == Renamed {
		callers = c.left(change)
	} else {
		callers = c.callers(change.Symbol)
	}
	return Stale(change, callers), c.err
}
