package react

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/llm"
)

// run is a loop that is under way.
type run struct {
	Loop
	Result
	tools  []llm.Tool
	room   room
	form   json.RawMessage  // of a turn, in JSON mode
	asked  map[string]place // the calls that were answered
	kept   []kept           // r1, r2, …
	bad    int              // turns in a row
	cut    bool             // the last turn was cut off, in its last call
	forced End              // the limit for which the last turn had to answer
	said   string           // the last text of the model
	half   bool             // which was cut off
}

func newNonce(context.Context) (string, error) { return rand.Text(), nil }

func (r *run) say(m llm.Message) { r.Messages = append(r.Messages, m) }

func (r *run) loop(ctx context.Context) error {
	for {
		last, why := r.last()
		if why != "" && !last {
			r.End = why
			return r.settle() // not even one more call
		}
		resp, err := r.ask(ctx, last)
		if err != nil {
			return r.fail(ctx, resp, err)
		}
		done := false
		if last {
			done, err = r.finish(ctx, resp, why)
		} else {
			done, err = r.take(ctx, resp)
		}
		if done || err != nil {
			return err
		}
	}
}

// fail ends a loop whose model took no turn. A refusal was one all the same, which is
// told; and when the budget of the whole run is used up, what there is has to do.
func (r *run) fail(ctx context.Context, resp llm.Response, err error) error {
	switch {
	case resp.Stop == llm.StopFilter:
		r.End = EndError
		r.emit(ctx, r.Fence.Forget(resp.Text), nil)
	case errors.Is(err, llm.ErrBudget):
		r.End = EndBudget
		if none := r.settle(); none != nil {
			return fmt.Errorf("%w: %w", none, err)
		}
		return nil
	}
	return err
}

// ask has the model take a turn, for which it is paid once.
func (r *run) ask(ctx context.Context, last bool) (llm.Response, error) {
	round := r.Rounds + 1
	t, err := r.generate(ctx, round, 1, last)
	for try := 2; err == nil && t.Full; try++ {
		r.Usage = r.Usage.Add(t.Response.Usage)
		r.room.shrink(r.Messages)
		t, err = r.generate(ctx, round, try, last)
	}
	resp := t.Response
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

// taken is what came of a request. That the model's window was full is kept too: a run
// that goes on after a crash makes room where it had been made before.
type taken struct {
	Response llm.Response `json:"response"`
	Full     bool         `json:"full,omitempty"`
}

// maxTries is how often a turn is asked for, each time in less room.
const maxTries = 3

func (r *run) generate(ctx context.Context, round, try int, last bool) (taken, error) {
	req, err := r.request(last)
	if err != nil {
		return taken{}, err
	}
	name := fmt.Sprintf("%s/model/%d/%d", r.Name, round, try)
	if req.Key, err = key(ctx, name, req); err != nil {
		return taken{}, err
	}
	asked := false
	got, err := graph.Once(ctx, name, func(ctx context.Context) (taken, error) {
		asked = true
		resp, err := r.Model.Generate(ctx, req)
		t := taken{Response: tidy(resp, round, r.Messages)}
		if errors.Is(err, llm.ErrContext) && try < maxTries && r.room.canShrink(r.Messages) {
			t.Full = true
			return t, nil
		}
		if err != nil {
			r.Usage = r.Usage.Add(t.Response.Usage) // it is not kept
		}
		return t, err
	})
	if err == nil && !asked {
		llm.Kept(ctx, got.Response.Usage)
	}
	return got, err
}

// key is the idempotency key of a call: the same after a crash, so that a call that was
// under way is paid once by servers that know such keys. It stands for the request too,
// as they refuse one key for two: a loop that goes on with another window, or other
// tools, makes another call.
func key(ctx context.Context, name string, req llm.Request) (string, error) {
	sum, err := digest(req)
	if err != nil {
		return "", fmt.Errorf("key of %s: %w", name, err)
	}
	return graph.Info(ctx).IdempotencyKey(name + "/" + sum), nil
}

func digest(v any) (string, error) {
	h := sha256.New()
	err := json.NewEncoder(h).Encode(v)
	return hex.EncodeToString(h.Sum(nil)[:16]), err
}

// request is the conversation, as far as there is room for it.
func (r *run) request(last bool) (llm.Request, error) {
	req := llm.Request{Messages: r.room.fit(r.Messages), Tools: r.tools, NoCalls: last && !r.JSON, Schema: r.form, MaxTokens: r.TurnTokens}
	if r.JSON || len(r.tools) == 0 {
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
