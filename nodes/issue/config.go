package issue

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
	// Issues reads an issue. It may be nil where all are handed in by Input.Issue.
	Issues func(context.Context, github.Target) (github.Issue, error)
	// Places opens repositories.
	Places place.Opener
	// Models answer. Nil means that there is none; Input.NoModel says so for one run.
	Models *llm.Set
	// Names are those of the models by the kind of work, main, small, critic and vision, and
	// Where the address that they are at if it is not the provider's own. A person who is
	// asked is told them, and so is who reads the report.
	Names map[string]string
	Where string
	// JSONTools is for a main model without tool calling.
	JSONTools bool
	// Image reads an image as PNG or JPEG. Nil reads none.
	Image func(ctx context.Context, url string) (llm.Image, error)
	// Described keeps what images show, by the hash of their content. Nil keeps nothing
	// between runs.
	Described Described
	// Nonce is that of all fences, for runs that are recorded or replayed: then it has to
	// be the same in both. Empty makes a new one for each node, as it should be otherwise.
	Nonce string
	// Memory keeps lessons. Nil keeps none.
	Memory lessons.Store
	// Rounds bounds the model's look around. Zero means 12.
	Rounds int
	// Window bounds the tokens of one round, with its answer. Zero means 24,000.
	Window int
	// Tool names the program in reports.
	Tool report.Tool
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

// Described keeps texts by a key.
type Described interface {
	Get(ctx context.Context, key string) (string, bool)
	Put(ctx context.Context, key, text string) error
}

// where says at which address the models are, "" for the provider's own.
func (c Config) where() string {
	if c.Where == "" {
		return ""
	}
	return " at " + c.Where
}

func (c Config) rounds() int {
	if c.Rounds == 0 {
		return 12
	}
	return c.Rounds
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
