package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/settings"
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

	parse func(string) (report.Format, error) // the formats that there are
}

func (f *analysisFlags) add(c *cobra.Command) {
	if f.parse == nil {
		f.parse = report.ParseFormat
	}
	f.models.add(c)
	flags := c.Flags()
	flags.Bool("no-llm", false, "call no model: rank by retrieval, and judge by rules")
	flags.String("format", "text", "the format on standard output: text, markdown, json or sarif; of reviews also rdjson and github")
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
	named := s.Model + s.SmallModel + s.CriticModel + s.VisionModel
	if named == "" && m.Replay == "" && errors.Is(err, llm.ErrAuth) {
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

func (f *analysisFlags) watcher(stderr io.Writer) (*watcher, error) {
	w := &watcher{w: stderr, quiet: f.Quiet, verbose: f.Verbose, colours: isTerminal(os.Stderr) && colours(os.Getenv) || forced(os.Getenv)}
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

// forced says whether colours are wanted wherever they go: CLICOLOR_FORCE, but for 0.
func forced(getenv func(string) string) bool {
	v := getenv("CLICOLOR_FORCE")
	return v != "" && v != "0"
}

// colours says whether the environment allows them.
func colours(getenv func(string) string) bool {
	return getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}
