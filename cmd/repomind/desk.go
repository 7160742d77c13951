package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/github/image"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/internal/settings"
	"github.com/repomind/repomind/nodes/issue"
	"github.com/repomind/repomind/nodes/review"
)

// desk is what a command that makes a report works with.
type desk struct {
	settings settings.Loaded
	sources  settings.Input
	models   *models // nil is none
	runner   *run.Runner
	places   *run.Places
	watch    *watcher
	command  *cobra.Command
	flags    *analysisFlags
	outs     []destination
	stdout   io.Writer
	colours  bool
	noInput  bool
}

// with opens the desk for a command, and closes it.
func (f *analysisFlags) with(c *cobra.Command, do func(context.Context, *desk) error) (err error) {
	d := &desk{stdout: c.OutOrStdout(), noInput: f.NoInput, command: c, flags: f}
	if d.watch, err = f.watcher(c.ErrOrStderr()); err != nil {
		return err
	}
	d.colours = isTerminal(os.Stdout) && colours(os.Getenv) || forced(os.Getenv)
	if d.sources, err = sources(c); err != nil {
		return err
	}
	if err := d.set(settings.File{}, d.watch); err != nil {
		return err
	}
	if d.models, err = f.open(d.settings, d.watch); err != nil {
		return err
	}
	var done []func() error
	defer func() {
		for i := len(done) - 1; i >= 0; i-- {
			err = errors.Join(err, done[i]())
		}
	}()
	search := retrieval{Vectors: d.settings.Vectors, Store: chromaURL(d.settings.Vector), Rerank: "fusion"}
	d.places, err = newPlaces(c.Context(), search, d.watch.news())
	if err != nil {
		return err
	}
	done = append(done, func() error { d.places.Close(); return nil })
	dir, err := stateDir()
	if err != nil {
		return err
	}
	mem, err := openMemory(dir, search)
	if err != nil {
		return err
	}
	done = append(done, mem.Close)
	nonce, err := f.nonce()
	if err != nil {
		return err
	}
	parser, err := parserCommand()
	if err != nil {
		return err
	}
	d.runner, err = run.Open(c.Context(), run.Config{
		Dir: dir, Concurrency: d.settings.Concurrency, MaxSteps: d.settings.MaxSteps,
		Review: review.Config{
			Pulls: newPulls(d.watch), Issues: newIssues(d.watch), Places: d.places, Models: d.llm(), Names: d.names(), JSONTools: f.JSONTool,
			Memory: mem, Nonce: nonce, Image: fetchImage(), Parser: parser, Policy: d.policy, Tool: report.Tool{Name: "repomind", Version: buildVersion()},
		},
		Issue: issue.Config{
			Issues: newIssues(d.watch), Places: d.places, Models: d.llm(), Names: d.names(), Where: d.where(), JSONTools: f.JSONTool, Memory: mem, Nonce: nonce,
			Image: fetchImage(), Described: newDescribed(), Tool: report.Tool{Name: "repomind", Version: buildVersion()},
		},
	})
	if err != nil {
		return err
	}
	done = append(done, d.runner.Close)
	return do(c.Context(), d)
}

// options are those of each run: its events are shown, and what it took before counts.
func (d *desk) options(fresh bool) run.Options {
	return run.Options{Fresh: fresh, Told: d.watch.tell, Spent: func(u llm.Usage) {
		if d.models != nil && d.models.Budget.Spent().Calls == 0 { // else it was this process
			d.models.Budget.Count(u)
		}
	}, Kept: func(u llm.Usage) {
		if d.models != nil {
			d.models.Budget.Count(u)
		}
	}}
}

// set reads the settings, with those of a repository's file.
func (d *desk) set(committed settings.File, progress io.Writer) (err error) {
	if d.settings, err = loadSettings(d.command, committed, progress); err != nil {
		return err
	}
	d.outs, err = destinations(d.settings.Format, d.flags.Out, d.flags.parse)
	return err
}

// adopt takes over what the repository sets on its default branch: how a report looks.
func (d *desk) adopt(ctx context.Context, from repo.Origin) error {
	d.watch.tell(run.Event{Kind: run.Opens, At: time.Now().UTC(), Detail: from.String()}) // the rest may take long
	clone, err := d.places.Clone(ctx, from)
	if err != nil {
		return explainOrigin(from, err)
	}
	file, err := repoFile(ctx, clone, "HEAD")
	if err == nil && file.Name != "" {
		err = d.set(file, io.Discard) // the warnings were given
	}
	if err != nil { // it is a stranger's, and none of it is needed
		fmt.Fprintf(d.watch, "repomind: what the repository sets does not count: %v\n", err)
		return d.set(settings.File{}, io.Discard)
	}
	return nil
}

// where is the address of the models, "" for the provider's own.
func (d *desk) where() string {
	if d.models == nil {
		return ""
	}
	return d.settings.BaseURL
}

// setup is what else changes what comes out.
func (d *desk) setup() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %v", strings.TrimPrefix(d.settings.Vectors, "none"), d.settings.Vector, d.flags.JSONTool))
}

// llm is what the nodes call, nil for none.
func (d *desk) llm() *llm.Set {
	if d.models == nil {
		return nil
	}
	return &d.models.Set
}

// names are the models' names, for the report.
func (d *desk) names() map[string]string {
	if d.models == nil {
		return nil
	}
	n := d.models.Names
	return map[string]string{"main": n.Main, "small": n.Small, "critic": n.Critic, "vision": n.Vision}
}

// lang is the language that was asked for; "" is that of the issue.
func (d *desk) lang() string {
	if d.settings.Lang == "auto" {
		return ""
	}
	return d.settings.Lang
}

// stateDir is where runs and memory are kept.
func stateDir() (string, error) {
	dir := os.Getenv("REPOMIND_STATE_DIR")
	if dir == "" {
		base := os.Getenv("XDG_STATE_HOME")
		if !filepath.IsAbs(base) { // as the XDG specification has it
			home, err := os.UserHomeDir()
			if err != nil {
				return "", fmt.Errorf("%w; set REPOMIND_STATE_DIR to a directory", err)
			}
			base = filepath.Join(home, ".local", "state")
		}
		dir = filepath.Join(base, "repomind")
	}
	return dir, os.MkdirAll(dir, 0o700)
}

// fetchImage reads the images of issues.
func fetchImage() func(context.Context, string) (llm.Image, error) {
	var f image.Fetcher
	return func(ctx context.Context, url string) (llm.Image, error) {
		img, err := f.Fetch(ctx, url)
		return llm.Image{MIME: img.MIME, Data: img.Data}, err
	}
}
