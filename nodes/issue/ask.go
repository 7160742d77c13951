package issue

import (
	"context"
	"embed"
	"fmt"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/nodes/paid"
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

// fence gives the fence of the task that runs.
func (n nodes) fence(ctx context.Context) (prompt.Fence, error) { return paid.Fence(ctx, n.Nonce) }

// ask asks for a typed answer and keeps it, so that it is paid once. ok is false where
// there is no answer: u then says why.
func ask[T any](ctx context.Context, f prompt.Fence, node string, m llm.Model, name string, data any, most int) (v T, u update, ok bool, err error) {
	text, err := prompts.Render(f, name, data)
	if err != nil {
		return v, nil, false, err
	}
	got, err := paid.Ask[T](ctx, m, name, text, most)
	if err != nil {
		u, err = off(ctx, node, err)
		return v, u, false, err
	}
	return got.Value, append(spent(node, got.Usage), unused(node, got.Fault)...), got.Fault == "", nil
}

// unused warns of an answer that could not be used; "" is none.
func unused(node, fault string) update {
	if fault == "" {
		return nil
	}
	return update{fWarnings.Set([]string{fmt.Sprintf("%s: the model's answer could not be used, so it went on without (%s)", node, fault)})}
}

func spent(node string, u llm.Usage) update {
	if u.Calls == 0 {
		return nil
	}
	return update{fUsage.Set(map[string]llm.Usage{node: u})}
}

// off decides what an error of a model means: the end of the run if that was ended, or
// else that it goes on without models.
func off(ctx context.Context, node string, err error) (update, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	stop := paid.Stop(err)
	if stop == "" {
		return nil, err
	}
	return append(spent(node, paid.Used(err)),
		fTrouble.Set(paid.Trouble{Stop: stop, Why: err.Error()}),
		fWarnings.Set([]string{fmt.Sprintf("%s: the model failed, so the rest went on without one: %v", node, err)})), nil
}

// models gives the models that a run may still call.
func (n nodes) models(s State) (llm.Set, bool) {
	if n.Models == nil || s.Input.NoModel || s.Trouble.Stop != "" {
		return llm.Set{}, false
	}
	return *n.Models, true
}
