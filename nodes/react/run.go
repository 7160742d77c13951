package react

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
)

// run is a loop that is under way.
type run struct {
	Loop
	Result
	tools []llm.Tool
	room  room
	asked map[string]string // the result that answered a call
	kept  []kept            // r1, r2, …
	bad   int               // turns in a row
	said  string            // the last text of the model
}

func newNonce(context.Context) (string, error) { return rand.Text(), nil }

func (r *run) say(m llm.Message) { r.Messages = append(r.Messages, m) }

func (r *run) loop(ctx context.Context) error {
	for {
		last, why := r.last()
		if why != "" && !last {
			r.End = why
			return r.settle(r.said) // not even one more call
		}
		resp, err := r.ask(ctx, last)
		if err != nil {
			return err
		}
		if last {
			r.End = why
			return r.finish(ctx, resp)
		}
		done, err := r.take(ctx, resp)
		if done || err != nil {
			return err
		}
	}
}

// ask has the model take a turn, for which it is paid once.
func (r *run) ask(ctx context.Context, last bool) (llm.Response, error) {
	round := r.Rounds + 1
	resp, err := r.generate(ctx, round, last)
	if errors.Is(err, llm.ErrContext) && r.room.shrink(r.Messages) {
		resp, err = r.generate(ctx, round, last)
	}
	if err != nil {
		return resp, fmt.Errorf("round %d: %w", round, err)
	}
	r.Rounds = round
	r.Usage = r.Usage.Add(resp.Usage)
	r.room.learn(resp.Usage)
	if resp.Stop == llm.StopFilter {
		return resp, fmt.Errorf("round %d: %w", round, llm.ErrFiltered)
	}
	return resp, nil
}

func (r *run) generate(ctx context.Context, round int, last bool) (llm.Response, error) {
	req, err := r.request(last)
	if err != nil {
		return llm.Response{}, err
	}
	return graph.Once(ctx, fmt.Sprintf("%s/model/%d", r.Name, round), func(ctx context.Context) (llm.Response, error) {
		resp, err := r.Model.Generate(ctx, req)
		if resp = tidy(resp, round); err != nil {
			r.Usage = r.Usage.Add(resp.Usage) // it is not kept
		}
		return resp, err
	})
}

// request is the conversation, as far as there is room for it.
func (r *run) request(last bool) (llm.Request, error) {
	req := llm.Request{Messages: r.room.fit(r.Messages), Tools: r.tools, MaxTokens: r.TurnTokens}
	if r.JSON || last {
		req.Messages, req.Tools = flatten(req.Messages, r.JSON), nil
	}
	if last {
		text, err := render(r.Fence, "last", nil)
		if err != nil {
			return req, err
		}
		req.Messages = join(req.Messages, llm.User(text))
	}
	return req, nil
}
