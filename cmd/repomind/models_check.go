package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/repomind/repomind/internal/llm"
)

// The states of a row.
const (
	rowOK          = "ok"
	rowFailed      = "failed"
	rowUnsupported = "not supported"
	rowUnknown     = "unknown"   // of a price
	rowUntried     = "not tried" // what it needs did not work
)

// row is one thing that a model can do, or not.
type row struct {
	Name   string
	Status string
	Reason string
	Hint   string
	Took   time.Duration
	Usage  llm.Usage
	err    error
}

// checked is what came of one model.
type checked struct {
	Model, Address string
	Rows           []row
}

// failed gives the first row that failed.
func (c checked) failed() (row, bool) {
	i := slices.IndexFunc(c.Rows, func(r row) bool { return r.Status == rowFailed })
	if i < 0 {
		return row{}, false
	}
	return c.Rows[i], true
}

// check looks at the models that the flags name, each once; at the one for images
// only where asked. It ends early only with ctx.
func (m *models) check(ctx context.Context, vision bool, getenv func(string) string, progress io.Writer) ([]checked, error) {
	var all []checked
	for _, slot := range m.slots(vision) {
		p, _, err := llm.ParseName(slot.name)
		if err != nil {
			return nil, usageError{err}
		}
		c := &checker{
			checked:  checked{Model: slot.name, Address: m.Where[p]},
			model:    slot.model,
			progress: progress,
			replayed: m.Replayed,
			advice:   advice{address: m.Where[p], variable: keyVariable(p), keyed: getenv(keyVariable(p)) != ""},
		}
		c.all(ctx, slot.text, slot.vision)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		all = append(all, c.checked)
	}
	return all, nil
}

// slot is a model with what it has to do.
type slot struct {
	name         string
	model        llm.Model
	text, vision bool
}

func (m *models) slots(vision bool) []slot {
	all := []slot{
		{m.Names.Main, m.Main, true, false}, {m.Names.Small, m.Small, true, false},
		{m.Names.Critic, m.Critic, true, false}, {m.Names.Vision, m.Vision, false, true},
	}
	if !vision {
		all = all[:3]
	}
	var once []slot
	for _, s := range all {
		i := slices.IndexFunc(once, func(o slot) bool { return o.name == s.name })
		if i < 0 {
			once = append(once, s)
			continue
		}
		once[i].vision = once[i].vision || s.vision
	}
	return once
}

// checker checks one model.
type checker struct {
	checked
	model    llm.Model
	progress io.Writer
	advice   advice

	replayed bool         // no call is made
	stopped  string       // why nothing more is tried, or ""
	toolless bool         // it calls no tools
	asked    llm.Request  // of the tool, for its result
	calls    llm.Response // that answered it
	counts   int          // answers whose tokens were looked at
	counted  bool         // one of them was not estimated
}

func (c *checker) all(ctx context.Context, text, vision bool) {
	c.try(ctx, "answer", c.answer)
	if err := c.Rows[0].err; err != nil && !errors.Is(err, llm.ErrCutOff) && c.stopped == "" {
		c.stopped = "there was no answer"
	}
	if text {
		c.try(ctx, "streaming", c.streaming)
		c.try(ctx, "structured answer", c.structured)
		c.try(ctx, "tool call", c.toolCall)
		c.try(ctx, "tool result", c.toolResult)
		c.try(ctx, "parallel calls", c.parallelCalls)
	}
	if vision {
		c.try(ctx, "image", c.image)
	}
	c.usage()
	c.price()
}

// probe tries one thing. The note is for people; the error may be an unsupported.
type probe func(context.Context) (note string, resp llm.Response, err error)

// unsupported is what a model cannot do, or does not want to.
type unsupported string

func (u unsupported) Error() string { return string(u) }

// untried is a probe that lacks what another one gives.
type untried string

func (u untried) Error() string { return string(u) }

func (c *checker) try(ctx context.Context, name string, p probe) {
	r := row{Name: name, Status: rowUntried, Reason: c.stopped}
	if c.stopped == "" {
		fmt.Fprintf(c.progress, "repomind: %s: %s\n", c.Model, name)
		start := time.Now()
		note, resp, err := p(ctx)
		r = c.judge(row{Name: name, Status: rowOK, Reason: note, Took: time.Since(start), Usage: resp.Usage}, err)
	}
	c.Rows = append(c.Rows, r)
}

func (c *checker) judge(r row, err error) row {
	if err == nil {
		return r
	}
	r.Reason, r.Hint = c.advice.of(c.Model, r.Name, err)
	switch {
	case errors.As(err, new(untried)):
		r.Status, r.Took = rowUntried, 0
		return r
	case errors.As(err, new(unsupported)), r.Name != "answer" && errors.Is(err, llm.ErrRequest):
		r.Status = rowUnsupported
		return r
	}
	r.Status, r.err = rowFailed, err
	for _, end := range []error{llm.ErrAuth, llm.ErrQuota, llm.ErrRateLimited, llm.ErrBudget} {
		if errors.Is(err, end) {
			c.stopped = end.Error()
		}
	}
	return r
}
