package react

import (
	"context"
	"errors"
	"fmt"
	"regexp"

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
	// Tools end when their context does: the loop waits for them.
	Tools tools.Set
	// JSON is for a model without tool calling: it writes its calls as JSON.
	JSON bool
	// Fence is that of the run; results go in through it. Zero means one of the loop's own.
	Fence prompt.Fence
	// Check refuses an answer; the model is shown the error and goes on. Nil takes any.
	Check func(answer string) error

	// MaxRounds bounds the model calls; the last one has to answer. Zero means 12.
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
}

// Task is what the model has to do. Text that is not ours is already fenced, with the
// Fence of the loop.
type Task struct {
	System string
	User   string
	Images []llm.Image
}

// Result is what came of a loop. Even with an error it holds what was said and done.
type Result struct {
	Answer   string // where it ended by a limit or stuck, this may be no more than the last thing that was said
	End      End
	Rounds   int // turns of the model
	Usage    llm.Usage
	Calls    []Call
	Messages []llm.Message // all that was said, before anything was taken out for room
}

// End says why a loop ended.
type End string

// The ends of a loop.
const (
	EndAnswer End = "answer" // the model had seen enough
	EndRounds End = "rounds" // it had to answer in the last round
	EndBudget End = "budget" // tokens or cost had run out
	EndStuck  End = "stuck"  // three bad turns in a row; the answer is the last thing it said
	EndError  End = "error"
)

// ErrNoAnswer ends a loop whose model said nothing that could be taken for an answer.
var ErrNoAnswer = errors.New("react: the model gave no answer")

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
// the provider refused to answer, llm.ErrFiltered. A last turn that was cut off wraps
// both ErrNoAnswer and llm.ErrCutOff, with what there is as the answer, unless Check
// takes that.
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
	r := &run{Loop: l, tools: l.offered(), asked: map[string]string{}}
	system, err := r.orders(t.System)
	if err != nil {
		return nil, err
	}
	r.say(llm.System(system))
	r.say(llm.User(t.User, t.Images...))
	r.room = newRoom(l, r.tools)
	return r, nil
}
