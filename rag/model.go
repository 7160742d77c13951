package rag

import (
	"context"
	"embed"
	"fmt"
	"slices"
	"strconv"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
)

//go:embed prompts/*.md.tmpl
var promptFiles embed.FS

// Asker asks a model on behalf of retrieval.
type Asker struct {
	Model llm.Model
	// Fence is the run's, for text that is not ours.
	Fence prompt.Fence
}

// maxBody is how much of an issue a model is shown here; it gets all of it later.
const (
	maxBody  = 12_000
	maxTitle = 1000
)

func (a Asker) ask(name string, data any) (llm.Request, error) {
	set, err := prompt.Load(promptFiles, "prompts")
	if err != nil {
		return llm.Request{}, err
	}
	text, err := set.Render(a.Fence, name, data)
	return llm.Request{Messages: []llm.Message{llm.User(text)}, MaxTokens: 2000}, err
}

type hypothesis struct {
	Code string `json:"code" jsonschema:"the code, without a fence"`
}

// Hypothesis gives code that would hold the cause, to search with: Query.Code. The
// names are those of files that a first search found. On an error the search goes
// on without it.
func (a Asker) Hypothesis(ctx context.Context, q Query, names []string) (string, llm.Usage, error) {
	rule, err := a.Fence.Rule()
	if err != nil {
		return "", llm.Usage{}, err
	}
	req, err := a.ask("hyde", struct {
		Rule, Title, Body string
		Names             []string
	}{rule, head(q.Title, maxTitle), clip(q.Body, maxBody), a.inline(names)})
	if err != nil {
		return "", llm.Usage{}, err
	}
	h, res, err := llm.Decode[hypothesis](ctx, a.Model, req)
	if err != nil {
		return "", res.Usage, fmt.Errorf("write a hypothetical document: %w", err)
	}
	return h.Code, res.Usage, nil
}

func (a Asker) inline(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = a.Fence.Inline(n)
	}
	return out
}

type ordering struct {
	Order []int `json:"order" jsonschema:"the numbers of the pieces, the likeliest first"`
}

// Name says that a model orders the list.
func (a Asker) Name() string { return "model, listwise" }

// Order lets the model put passages in order, listwise (Sun et al., EMNLP 2023).
func (a Asker) Order(ctx context.Context, q Query, passages []Passage) ([]int, llm.Usage, error) {
	rule, err := a.Fence.Rule()
	if err != nil {
		return nil, llm.Usage{}, err
	}
	pieces := slices.Clone(passages)
	for i := range pieces {
		pieces[i].Name = strconv.Itoa(i+1) + ": " + pieces[i].Name
	}
	req, err := a.ask("rerank", struct {
		Rule, Title, Body string
		Pieces            []Passage
	}{rule, head(q.Title, maxTitle), clip(q.Body, maxBody), pieces})
	if err != nil {
		return nil, llm.Usage{}, err
	}
	o, res, err := llm.Decode[ordering](ctx, a.Model, req)
	for i := range o.Order {
		o.Order[i]-- // it counts from 1
	}
	return o.Order, res.Usage, err
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return head(s, n) + "\n(cut here)"
}
