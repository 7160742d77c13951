package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/github/image"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/internal/settings"
	"github.com/repomind/repomind/nodes/issue"
)

// analysisFlags are those of every command that makes a report.
type analysisFlags struct {
	models   modelFlags
	Out      []string
	Progress string
	NoInput  bool
	Quiet    bool
	Verbose  bool
	JSONTool bool
}

func (f *analysisFlags) add(c *cobra.Command) {
	f.models.add(c)
	flags := c.Flags()
	flags.Bool("no-llm", false, "call no model: rank by retrieval, and judge by rules")
	flags.String("format", "text", "the format on standard output: text, markdown, json or sarif")
	flags.StringArrayVar(&f.Out, "out", nil, "a format and a file for it, as sarif=cause.sarif; - is standard output; can be repeated")
	flags.String("lang", "auto", "the report's language: en, zh, or auto for that of the issue")
	flags.String("vectors", "none", "rank by vectors too: none, minilm, openai/MODEL or ollama/MODEL")
	flags.String("vector", "", "a Chroma server for vectors and memory, as chroma://localhost:8000 (default files)")
	flags.Int("max-steps", 0, "the most steps of the workflow (default 100)")
	flags.Int("concurrency", 0, "how many nodes work at once (default 16)")
	flags.BoolVar(&f.JSONTool, "json-tools", false, "for a model without tool calling: it writes its calls as JSON")
	flags.StringVar(&f.Progress, "progress", progressAuto, "progress on standard error: auto, plain, json or none")
	flags.BoolVar(&f.NoInput, "no-input", false, "never ask; a run that needs a person waits, and the exit code is 8")
	flags.BoolVarP(&f.Quiet, "quiet", "q", false, "no progress")
	flags.BoolVarP(&f.Verbose, "verbose", "v", false, "more progress: each round of a model, and warnings as they come")
}

// desk is what a command that makes a report works with.
type desk struct {
	settings settings.Loaded
	models   *models // nil is none
	runner   *run.Runner
	watch    *watcher
	outs     []destination
	stdout   io.Writer
	colours  bool
	noInput  bool
}

// with opens the desk for a command, and closes it.
func (f *analysisFlags) with(c *cobra.Command, do func(context.Context, *desk) error) (err error) {
	d := &desk{stdout: c.OutOrStdout(), noInput: f.NoInput}
	if d.watch, err = f.watcher(c.ErrOrStderr()); err != nil {
		return err
	}
	d.colours = isTerminal(os.Stdout) && colours(os.Getenv) || os.Getenv("CLICOLOR_FORCE") != ""
	if d.settings, err = loadSettings(c, d.watch); err != nil {
		return err
	}
	if d.outs, err = destinations(d.settings.Format, f.Out); err != nil {
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
	places, err := newPlaces(c.Context(), search, d.watch)
	if err != nil {
		return err
	}
	done = append(done, func() error { places.Close(); return nil })
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
	d.runner, err = run.Open(c.Context(), run.Config{
		Dir: dir, Concurrency: d.settings.Concurrency, MaxSteps: d.settings.MaxSteps,
		Issue: issue.Config{
			Issues: newIssues(d.watch), Places: places, Models: d.set(), JSONTools: f.JSONTool, Memory: mem, Nonce: nonce,
			Image: fetchImage(), Described: newDescribed(), Tool: report.Tool{Name: "repomind", Version: buildVersion()},
		},
	})
	if err != nil {
		return err
	}
	done = append(done, d.runner.Close)
	return do(c.Context(), d)
}

// open opens the models: none with --no-llm, and none where no key is set for the model
// that is taken if nobody names one.
func (f *analysisFlags) open(s settings.Loaded, progress io.Writer) (*models, error) {
	m := f.models
	m.Names = llm.Names{Main: s.Model, Small: s.SmallModel, Critic: s.CriticModel, Vision: s.VisionModel}
	m.BaseURL, m.MaxCost, m.MaxTokens, m.Timeout = s.BaseURL, s.MaxCost, s.MaxTokens, s.Timeout
	if s.NoLLM {
		return nil, m.validate()
	}
	f.models = m
	set, err := m.open(os.Getenv, 0, progress)
	if s.Model == "" && m.Replay == "" && errors.Is(err, llm.ErrAuth) {
		fmt.Fprintf(progress, "repomind: no model: %s is not set, so places are ranked by retrieval alone%s\n", keyVariable("deepseek"), otherKey(os.Getenv))
		return nil, nil
	}
	return set, err
}

// nonce is that of a record, for runs that are recorded or replayed; "" lets each node
// make its own.
func (f *analysisFlags) nonce() (string, error) {
	if f.models.Record+f.models.Replay == "" {
		return "", nil
	}
	return f.models.nonce()
}

// otherKey says which key is there for a model that nobody named.
func otherKey(getenv func(string) string) string {
	for _, p := range llm.Providers() {
		if name := keyVariable(p.Name); p.Keyed && getenv(name) != "" {
			return fmt.Sprintf("; %s is set: choose one with --model %s/NAME", name, p.Name)
		}
	}
	return "; docs/models.md says what can be used"
}

// options are those of each run: its events are shown, and what it took before counts.
func (d *desk) options(fresh bool) run.Options {
	return run.Options{Fresh: fresh, Told: d.watch.tell, Spent: func(u llm.Usage) {
		if d.models != nil && d.models.Budget.Spent().Calls == 0 { // else it was this process
			d.models.Budget.Used = u
		}
	}}
}

// set is what the nodes call, nil for none.
func (d *desk) set() *llm.Set {
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

func (f *analysisFlags) watcher(stderr io.Writer) (*watcher, error) {
	w := &watcher{w: stderr, quiet: f.Quiet, verbose: f.Verbose, colours: isTerminal(os.Stderr) && colours(os.Getenv) || os.Getenv("CLICOLOR_FORCE") != ""}
	switch f.Progress {
	case progressAuto:
		w.live = isTerminal(os.Stderr)
	case progressPlain:
	case progressJSON:
		w.json = true
	case progressNone:
		w.quiet = true
	default:
		return nil, usageError{fmt.Errorf("--progress %q: want auto, plain, json or none", f.Progress)}
	}
	return w, nil
}

// colours says whether the environment allows them.
func colours(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
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
