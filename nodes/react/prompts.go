package react

import (
	"context"
	"embed"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
)

//go:embed prompts/*.md.tmpl
var files embed.FS

func render(f prompt.Fence, name string, data any) (string, error) {
	set, err := prompt.Load(files, "prompts")
	if err != nil {
		return "", err
	}
	return set.Render(f, name, data)
}

// orders is the system prompt: the task's, and how to go about it.
func (r *run) orders(system string) (string, error) {
	rule, err := r.Fence.Rule()
	if err != nil {
		return "", err
	}
	name := "native"
	if r.JSON {
		name = "json"
	}
	return render(r.Fence, name, struct {
		System, Rule string
		Rounds       int
		Tools        []llm.Tool
		Object       bool // the answer is one
	}{system, rule, r.MaxRounds, r.tools, r.schema != nil})
}

// offered are the tools as the model is told of them.
func (l Loop) offered() []llm.Tool {
	if len(l.Tools) == 0 {
		return nil
	}
	var all []llm.Tool
	for _, t := range l.Tools {
		all = append(all, llm.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
	}
	return append(all, moreTool)
}

// Round is what a loop emits after each turn of its model.
type Round struct {
	Loop   string // its name
	Number int    // counts from 1
	Text   string // the thought, or the answer in the last one; may be blank
	Calls  []Call
	Usage  llm.Usage // of all rounds so far
	End    End       // zero while the loop goes on
}

func (r *run) emit(ctx context.Context, text string, calls []Call) {
	r.Calls = append(r.Calls, calls...)
	graph.Emit(ctx, Round{r.Name, r.Rounds, text, calls, r.Usage, r.End})
}
