package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tmc/langchaingo/llms"
)

// defaultMaxTokens bounds an answer where the request does not.
const defaultMaxTokens = 4096

// Open gives the model that c names. It makes no call.
func Open(c Config) (Model, error) {
	c, p, err := c.resolve()
	if err != nil {
		return nil, fmt.Errorf("open model: %w", err)
	}
	moved := c.BaseURL != p.base && p.base != ""
	keep := newScrubber(append([]Key{c.Key}, c.Secrets...)...)
	t := &transport{base: c.Transport, wire: p.wire, address: c.BaseURL, key: c.Key, scrub: keep}
	lc, err := p.wire.open(&http.Client{Transport: t}, c.Model)
	if err != nil {
		return nil, fmt.Errorf("open model %s: %w", c.name(), err)
	}
	return &remote{name: c.name(), config: c, provider: p, lc: lc, scrub: keep, moved: moved}, nil
}

// remote is a model behind an API.
type remote struct {
	name     string
	config   Config
	provider provider
	lc       llms.Model
	scrub    scrubber
	moved    bool // another host than the provider's own: prices may differ
}

func (r *remote) Generate(ctx context.Context, req Request) (Response, error) {
	req.MaxTokens = cmp.Or(req.MaxTokens, defaultMaxTokens)
	x, err := r.exchange(req)
	if err != nil {
		return Response{}, fmt.Errorf("call %s: %w", r.name, err)
	}
	resp, err := r.call(ctx, x)
	if err != nil && x.form == bySchema && refusesSchema(err) {
		// An old server: ask once more with the schema in the prompt alone.
		x.form = byText
		again, againErr := r.call(ctx, x)
		again.Usage = again.Usage.Add(resp.Usage)
		return again, againErr
	}
	return resp, err
}

func (r *remote) exchange(req Request) (*exchange, error) {
	req = r.scrub.request(req)
	if err := req.check(); err != nil {
		return nil, err
	}
	x := &exchange{req: req, provider: r.provider, model: r.config.Model}
	if req.Schema != nil {
		x.form = r.provider.form
		if x.form == byTool && len(req.Tools) > 0 {
			x.form = byText // the tool of the answer would keep the model from the others
		}
	}
	return x, nil
}

func (r *remote) call(ctx context.Context, x *exchange) (Response, error) {
	x.answer, x.err, x.sent = answer{}, nil, false
	messages, options, err := x.request()
	if err != nil {
		return Response{}, fmt.Errorf("call %s: %w", r.name, err)
	}
	timed, cancel := context.WithTimeout(context.WithValue(ctx, exchangeKey{}, x), r.config.Timeout)
	defer cancel()
	content, err := r.lc.GenerateContent(timed, messages, options...)
	resp := Response{Model: r.name}
	if err = r.failure(ctx, timed, x, err); err == nil {
		resp.Text, resp.Calls, err = x.result(content)
		resp.Stop = x.answer.stopFor(x.req, resp.Calls)
	}
	resp.Usage = r.usage(x, err)
	if err != nil {
		return Response{Model: r.name, Usage: resp.Usage}, r.explain(err)
	}
	return resp, nil
}

// failure prefers what the transport saw over what langchaingo made of it, which
// may have lost the cause.
func (r *remote) failure(ctx, timed context.Context, x *exchange, err error) error {
	switch {
	case x.err == nil && err == nil:
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case timed.Err() != nil:
		return &Error{Kind: ErrUnavailable, Message: fmt.Sprintf("no answer within %s", r.config.Timeout.Round(time.Millisecond)), Err: timed.Err()}
	case x.err != nil:
		return x.err
	}
	kind := ErrRequest // langchaingo would not write it
	if x.answer.ended {
		kind = ErrAnswer // or not read what came
	}
	return &Error{Kind: kind, Message: clip(err.Error())}
}

func (r *remote) explain(err error) error {
	op := "call " + r.name
	if e, ok := errors.AsType[*Error](err); ok {
		named := *e
		named.Op, named.Message = op, r.scrub.strict(e.Message)
		return &named
	}
	return fmt.Errorf("%s: %w", op, err)
}

// usage counts a call that reached the network, with what is known of its tokens.
func (r *remote) usage(x *exchange, err error) Usage {
	if !x.sent {
		return Usage{}
	}
	u := Usage{Calls: 1}
	if err != nil {
		u.Failed = 1
	}
	a := x.answer
	if !a.begun && !a.counted {
		return u // refused or lost before an answer began: no provider bills that
	}
	u.Input, u.Cached, u.Output = a.input, min(a.cached, a.input), a.output
	if !a.counted {
		u.Input, u.Output = Estimate(x.req), estimateText(a.text)
	}
	u.Cost = r.config.Prices.Cost(r.name, u)
	if u.Cost.Status == CostKnown && (r.moved || !a.counted) {
		u.Cost.Status = CostEstimated
	}
	return u
}
