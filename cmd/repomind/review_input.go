package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/settings"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/review"
)

// input is what the command line asks for.
func (o *reviewOptions) input(ctx context.Context, d *desk, args []string) (in review.Input, err error) {
	in.Since = source.Commit(o.Since)
	local := o.Diff != "" || o.Patch != ""
	if (len(args) == 1) == local {
		return in, usageError{errors.New("give one of an address, --diff and --patch")}
	}
	if o.Dir != "" || local {
		if in.From, err = directory(cmp.Or(o.Dir, ".")); err != nil {
			return in, err
		}
	}
	if len(args) == 1 {
		in.Target, err = github.ParseTarget(args[0], os.Getenv("GH_HOST"))
		if err != nil {
			return in, usageError{err}
		}
		if in.Target.Kind == github.KindIssue {
			return in, usageError{fmt.Errorf("%s is an issue; review takes pull requests", in.Target)}
		}
		in.Target.Kind, in.From.Repo = github.KindPull, in.Target.Repo
		return in, nil
	}
	p, err := o.local(ctx, d, in.From)
	in.Pull = &p
	return in, err
}

// local makes a pull request of a range of commits, or of a patch.
func (o *reviewOptions) local(ctx context.Context, d *desk, from repo.Origin) (github.PullRequest, error) {
	clone, err := d.places.Clone(ctx, from)
	if err != nil {
		return github.PullRequest{}, explainOrigin(from, err)
	}
	var p github.PullRequest
	if o.Diff != "" {
		p, err = github.ReadLocalDiff(ctx, clone, o.Diff)
	} else {
		var data []byte
		if data, err = readFile(ctx, o.Patch); err != nil {
			return p, err
		}
		at, err := clone.Resolve(ctx, cmp.Or(o.At, "HEAD"))
		if err != nil {
			return p, err
		}
		if p, err = github.ReadPatch(ctx, clone, at, cmp.Or(filepath.Base(o.Patch), "patch"), data); err != nil {
			return p, err
		}
	}
	p.Files = nil // the commits tell them, and a run is not to be another for them
	return p, err
}

// asked is what the flags, the environment and the user's file say of reviews, so that a
// run that was asked otherwise is another one.
func (d *desk) asked() map[string]string {
	out := map[string]string{}
	for _, row := range d.settings.Table() {
		if slices.Contains([]string{"fail-on", "min-confidence", "max-findings", "include", "exclude", "lens"}, row.Name) {
			out[row.Name] = row.Value
		}
	}
	return out
}

// policy reads the .repomind.yml of the base: that of the root, and those of directories.
func (d *desk) policy(_ context.Context, read func(path string) ([]byte, error), dirs []string) (review.Policy, error) {
	files := map[string]settings.File{}
	for _, dir := range append([]string{"."}, dirs...) {
		name := path.Join(dir, settings.RepoName)
		data, err := read(name)
		if err != nil {
			return review.Policy{}, err
		}
		if data != nil {
			files[dir] = settings.File{Name: name, Data: data}
		}
	}
	p, err := d.policyOf(files, ".")
	if err != nil {
		return p, err
	}
	for i := len(dirs) - 1; i >= 0; i-- { // the deepest first
		if _, ok := files[dirs[i]]; !ok {
			continue
		}
		below, err := d.policyOf(files, dirs[i])
		if err != nil {
			return p, err
		}
		p.Below = append(p.Below, review.Below{Dir: dirs[i], Policy: below})
	}
	return p, nil
}

// policyOf is what counts in a directory: its own file before those above it.
func (d *desk) policyOf(files map[string]settings.File, dir string) (review.Policy, error) {
	in := d.sources
	in.RepoFile = files["."]
	for at := dir; at != "."; at = path.Dir(at) {
		if f, ok := files[at]; ok {
			in.Nearer = append(in.Nearer, f)
		}
	}
	l, _, err := settings.Load(in)
	if err != nil {
		return review.Policy{}, usageError{err}
	}
	p := review.Policy{MinConfidence: l.MinConfidence, MaxFindings: l.MaxFindings, Include: l.Include, Exclude: l.Exclude}
	if l.FailOn != "none" {
		p.FailOn = report.Severity(l.FailOn)
	}
	if l.Lang != "auto" {
		p.Lang = l.Lang
	}
	for _, lens := range l.Lenses {
		p.Lenses = append(p.Lenses, report.Lens(lens))
	}
	for _, i := range l.Instructions {
		p.Instructions = append(p.Instructions, review.Instruction{Path: i.Path, Text: i.Text})
	}
	return p, nil
}
