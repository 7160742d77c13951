package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tmc/langchaingo/llms"
)

// defaultMaxTokens bounds an answer where the request does not.
const defaultMaxTokens = 4096

// Open gives the model that c names. It makes no call.
func Open(c Config) (Model, error) {
	c, p, err := c.resolve()
	if _, named := errors.AsType[*Error](err); named {
		return nil, err // it says what was done
	}
	if err != nil {
		return nil, fmt.Errorf("open model: %w", err)
	}
	moved := c.BaseURL != p.base && p.base != ""
	keep := newScrubber(append([]Key{c.Key}, c.Secrets...)...)
	t := &transport{base: c.Transport, wire: p.wire, address: c.BaseURL, key: c.Key}
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

	cold  atomic.Bool // it takes no temperature
	bare  atomic.Bool // it takes no order to call no tool
	plain sync.Map    // the schemas that it takes in the prompt alone
}

func (r *remote) Generate(ctx context.Context, req Request) (Response, error) {
	req.MaxTokens = cmp.Or(req.MaxTokens, defaultMaxTokens)
	x, err := r.exchange(req)
	if err != nil {
		return Response{}, fmt.Errorf("call %s: %w", r.name, err)
	}
	var spent Usage
	for {
		resp, err := r.call(ctx, x)
		spent = spent.Add(resp.Usage)
		resp.Usage = spent
		if err == nil || !x.concede(err) {
			return resp, err
		}
		r.learn(x)
	}
}

// learn keeps what the model turned down, so that it is not asked for again.
func (r *remote) learn(x *exchange) {
	if x.cold {
		r.cold.Store(true)
	}
	if x.bare {
		r.bare.Store(true)
	}
	if x.form == byText && x.req.Schema != nil {
		r.plain.Store(string(x.req.Schema), true)
	}
}

func (r *remote) exchange(req Request) (*exchange, error) {
	req = r.scrub.request(req)
	if err := req.check(); err != nil {
		return nil, err
	}
	x := &exchange{req: req, provider: r.provider, model: r.config.Model, cold: r.cold.Load(), bare: r.bare.Load()}
	if req.Schema == nil {
		return x, nil
	}
	if _, plain := r.plain.Load(string(req.Schema)); plain {
		return x, nil
	}
	x.form = r.provider.form
	if r.provider.name == "anthropic" && oldClaude.MatchString(x.model) {
		x.form = byTool
		if len(req.Tools) > 0 {
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
	return &Error{Kind: kind, Message: excerpt([]byte(err.Error()))}
}

func (r *remote) explain(err error) error {
	op := "call " + r.name
	if e, ok := errors.AsType[*Error](err); ok {
		named := *e
		named.Op, named.Message = op, clip(r.scrub.strict(e.Message))
		return &named
	}
	return fmt.Errorf("%s: %w", op, err)
}
