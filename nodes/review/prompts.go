package review

import (
	"context"
	"embed"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/diff"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/nodes/snip"
)

//go:embed prompts
var promptFiles embed.FS

var prompts = func() prompt.Set {
	set, err := prompt.Load(promptFiles, "prompts")
	if err != nil {
		panic(err) // they are embedded, and tests load them
	}
	return set
}()

// sight is what the prompts are made of.
type sight struct {
	Rule, Repo, Title, Body, Map     string
	Chinese                          bool
	Instructions, Files, Callers     []string
	Issues, Changes, Lessons         []piece
	Before, Objections, Findings     []string
	Bundles, Part, Removed           int
	Lens, Severity, Message, Why     string
	Place, Quote, Diff, Origin, Code string
}

const (
	bodyBytes  = 4000
	issueBytes = 4000
	maxListed  = 80 // changed files that are named
)

// task is what a lens is given, and the files that it is not shown whole.
func (n nodes) task(ctx context.Context, f prompt.Fence, l look) (t react.Task, short []string, err error) {
	changed, err := n.diff(ctx, l.Origin, l.Ends, l.Files)
	if err != nil {
		return t, nil, err
	}
	head, err := n.Places.At(ctx, l.Origin, l.Ends.Head)
	if err != nil {
		return t, nil, err
	}
	idx, err := head.Code(ctx)
	if err != nil {
		return t, nil, err
	}
	v := sight{
		Repo: f.Inline(l.Repo), Title: snip.Clip(l.Title, 500), Body: snip.Middle(l.Body, bodyBytes), Map: l.Map, Chinese: l.Lang == "zh",
		Bundles: l.Bundles, Part: l.Bundle + 1, Lessons: l.Lessons, Before: l.Before, Objections: l.Objections, Files: named(f, l.Files),
	}
	for _, in := range l.Instructions {
		v.Instructions = append(v.Instructions, f.Inline(in))
	}
	for _, is := range l.Issues {
		v.Issues = append(v.Issues, piece{is.Origin, snip.Middle(is.Text, issueBytes)})
	}
	room := bundleTokens * 5 / 4 // a bundle is measured without the names of definitions
	for _, p := range l.Paths {
		part, whole := cut(shown(changed[p], idx), room)
		if !whole {
			short = append(short, p)
		}
		room = max(room-len(part)/bytesPerToken, 300)
		v.Changes = append(v.Changes, piece{p, part})
	}
	v.Callers = callers(f, idx, l, changed)
	if t.System, err = prompts.Render(f, string(l.Lens), v); err != nil {
		return t, nil, err
	}
	t.User, err = prompts.Render(f, "change", v)
	return t, short, err
}

// named lists the changed files: what happened to each, and whether it is left out.
func named(f prompt.Fence, files []File) (out []string) {
	for _, file := range files[:min(len(files), maxListed)] {
		line := fmt.Sprintf("%s (%s, +%d -%d)", file.Path, file.Status, file.Added, file.Deleted)
		if file.OldPath != "" {
			line += ", before " + file.OldPath
		}
		if file.Skip != "" {
			line += ": not reviewed, " + file.Skip
		}
		out = append(out, f.Inline(line))
	}
	if left := len(files) - maxListed; left > 0 {
		out = append(out, fmt.Sprintf("and %d more", left))
	}
	return out
}

const (
	maxCallers  = 5  // of one definition
	maxCallings = 20 // lines in all
)

// callers are the places that use a definition whose first lines changed.
func callers(f prompt.Fence, idx *code.Index, l look, changed map[string]diff.File) (out []string) {
	for _, p := range l.Paths {
		file, ok := idx.File(p)
		if !ok {
			continue
		}
		for _, sym := range file.Symbols {
			if sym.Kind != code.Function && sym.Kind != code.Method || !inserted(changed[p], sym.NameLine) {
				continue
			}
			said := 0
			for _, ref := range idx.Callers(sym) {
				if said == maxCallers || len(out) == maxCallings {
					break
				}
				if ref.Call && ref.Confident {
					said++
					out = append(out, f.Inline(fmt.Sprintf("%s is called at %s in %s", sym.Qualified, source.Span{Path: ref.Path, Start: ref.Line}, strings.TrimSpace(ref.In.Qualified))))
				}
			}
		}
	}
	return out
}

// inserted says whether a line of the head is new.
func inserted(f diff.File, line int) bool {
	for _, h := range f.Hunks {
		for _, l := range h.Lines {
			if l.Op == diff.Insert && l.New == line {
				return true
			}
		}
	}
	return false
}
