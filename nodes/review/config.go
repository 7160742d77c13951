package review

import (
	"context"
	"time"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/nodes/lessons"
	"github.com/repomind/repomind/nodes/place"
)

// Config is what the nodes work with. Clients and keys are here and never in the state.
type Config struct {
	// Pulls reads a pull request. It may be nil where all are handed in by Input.Pull.
	Pulls func(context.Context, github.Target) (github.PullRequest, error)
	// Issues reads an issue that a change names. Nil reads none.
	Issues func(context.Context, github.Target) (github.Issue, error)
	// Places opens repositories.
	Places place.Opener
	// Models answer. Nil means that there is none; Input.NoModel says so for one run.
	Models *llm.Set
	// Names are those of the models by the kind of work, for the report.
	Names map[string]string
	// JSONTools is for a main model without tool calling.
	JSONTools bool
	// Image reads an image as PNG or JPEG. Nil reads none.
	Image func(ctx context.Context, url string) (llm.Image, error)
	// Policy is how a project wants to be reviewed: it may read files of the base, and is
	// told the directories of changed files. Nil is the zero Policy.
	Policy func(ctx context.Context, read func(path string) ([]byte, error), dirs []string) (Policy, error)
	// Memory keeps lessons. Nil keeps none.
	Memory lessons.Store
	// Earlier gives what the last review of the same change left open whose head was
	// Input.Since. Nil knows of none.
	Earlier func(ctx context.Context, s State) (Open, bool, error)
	// Parser is the command that parses files of strangers, as code.Config has it.
	Parser []string
	// Nonce is that of all fences, for runs that are recorded or replayed. Empty makes a
	// new one for each node.
	Nonce string
	// Window bounds the tokens of one round, with its answer. Zero means 24,000.
	Window int
	// Tool names the program in reports.
	Tool report.Tool
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

func (c Config) window() int {
	if c.Window == 0 {
		return 24_000
	}
	return c.Window
}

func (c Config) now() time.Time {
	if c.Now == nil {
		return time.Now()
	}
	return c.Now()
}
