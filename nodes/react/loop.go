package react

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"time"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/tools"
)

// Loop says with what, and how far, a model may look around.
type Loop struct {
	// Name keeps two loops of one node apart in what is stored. Zero means "react".
	Name  string
	Model llm.Model
	// Tools may run at once. One that does not end with its context is left behind.
	Tools tools.Set
	// JSON is for a model without tool calling: it writes its calls as JSON.
	JSON bool
	// Fence is that of the run; results go in through it. Zero means one of the loop's own.
	Fence prompt.Fence
	// Check refuses an answer; the model is shown the error and goes on. Nil takes any.
	Check func(answer string) error

	// MaxRounds bounds the model calls; the last one has to answer. With Check it is the
	// last but one, of three or more, so that the answer can be mended once. Zero means 12.
	MaxRounds int
	// MaxTokens bounds those of all calls together. Zero means no bound.
	MaxTokens int
	// MaxCost bounds what all calls cost together, as far as their price is known. The
	// loop asks for the answer before the next call could reach it. Zero means no bound.
	MaxCost llm.Money
	// Window is how many tokens the model can take and give in one call. Older results
	// are taken out before it is full. Zero means 64,000.
	Window int
	// TurnTokens bounds one turn of the model. Zero means 4096.
	TurnTokens int
	// ShowBytes is how much of a result is shown at once. Zero means 12,000.
	ShowBytes int
	// Parallel is how many tools run at the same time. Zero means 4.
	Parallel int
	// ToolTime is how long the loop waits for a tool. Zero means two minutes.
	ToolTime time.Duration

	schema json.RawMessage // of the answer, see Answer
}

// maxBad is how many turns in a row may be bad.
const maxBad = 3

func (l Loop) withDefaults() Loop {
	set := func(v *int, zero int) {
		if *v == 0 {
			*v = zero
		}
	}
	set(&l.MaxRounds, 12)
	set(&l.Window, 64_000)
	set(&l.TurnTokens, 4096)
	set(&l.ShowBytes, 12_000)
	set(&l.Parallel, 4)
	if l.ToolTime == 0 {
		l.ToolTime = 2 * time.Minute
	}
	if l.Name == "" {
		l.Name = "react"
	}
	return l
}

// isName is what all providers take, and what tidy leaves of a name.
var isName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func (l Loop) validate() error {
	for _, f := range []struct {
		name  string
		value int
	}{
		{"MaxRounds", l.MaxRounds}, {"MaxTokens", l.MaxTokens}, {"MaxCost", int(l.MaxCost)}, {"Window", l.Window},
		{"TurnTokens", l.TurnTokens}, {"ShowBytes", l.ShowBytes}, {"Parallel", l.Parallel},
		{"ToolTime", int(l.ToolTime)},
	} {
		if f.value < 0 {
			return fmt.Errorf("react: Loop.%s is %d; it must not be negative", f.name, f.value)
		}
	}
	if l.Model == nil {
		return errors.New("react: Loop.Model is not set")
	}
	seen := map[string]bool{more: true}
	for _, t := range l.Tools {
		if !isName.MatchString(t.Name) {
			return fmt.Errorf("react: the tool %q has a name that providers do not take", t.Name)
		}
		if seen[t.Name] {
			return fmt.Errorf("react: two tools have the name %q", t.Name)
		}
		seen[t.Name] = true
	}
	return nil
}

// Run goes on until the loop ends. ctx is that of a node. Each round is emitted as a
// [Round]; after a crash those that are stored are emitted again.
//
// What is kept is never paid or run again. A call that was under way when the process
// was killed is made again, under the same llm.Request.Key: it is paid once where the
// provider knows such keys, and twice elsewhere, as its answer is nowhere.
//
// The error is that of the model, of graph.Once or of ctx, or wraps ErrNoAnswer or, where
// the provider refused to answer, llm.ErrFiltered. Where the answer is a text that was cut
// off, it wraps both ErrNoAnswer and llm.ErrCutOff, unless Check takes that text. An
// llm.ErrBudget of the model is no error if there is something to take as the answer.
func (l Loop) Run(ctx context.Context, t Task) (Result, error) {
	l = l.withDefaults()
	if err := l.validate(); err != nil {
		return Result{End: EndError}, err
	}
	r, err := l.begin(ctx, t)
	if err != nil {
		return Result{End: EndError}, err
	}
	err = r.loop(ctx)
	if err != nil && r.End == "" {
		r.End = EndError
	}
	return r.Result, err
}

// begin writes the first messages.
func (l Loop) begin(ctx context.Context, t Task) (*run, error) {
	if l.Fence == (prompt.Fence{}) {
		nonce, err := graph.Once(ctx, l.Name+"/nonce", newNonce)
		if err != nil {
			return nil, err
		}
		if l.Fence, err = prompt.NewFence(nonce); err != nil {
			return nil, err
		}
	}
	r := &run{Loop: l, tools: l.offered(), asked: map[string]place{}}
	system, err := r.orders(t.System)
	if err != nil {
		return nil, err
	}
	if r.form, err = r.turnSchema(); err != nil {
		return nil, err
	}
	r.say(llm.System(system))
	r.say(llm.User(t.User, t.Images...))
	r.room = newRoom(l, r.tools, r.form)
	return r, nil
}
