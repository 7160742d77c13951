package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/repomind/repomind/internal/llm"
)

// Reply is one thing that a scripted model says.
type Reply struct {
	Text  string
	Calls []llm.ToolCall
	// Stop is the reason to stop. Zero means tools where there are calls, else stop.
	Stop llm.Stop
	// Usage is what the call took. Zero means one call and an estimate of its tokens.
	Usage llm.Usage
	// Err is given in place of an answer.
	Err error
	// Check looks at the request; its error fails the test. Nil takes any.
	Check func(llm.Request) error
}

// Say is a reply with a text.
func Say(text string) Reply { return Reply{Text: text} }

// Call is a reply that calls one tool. args is a JSON object. Where the request wants
// no calls it is dropped, as by any model.
func Call(name, args string) Reply {
	return Reply{Calls: []llm.ToolCall{{ID: "call_" + name, Name: name, Args: json.RawMessage(args)}}}
}

// Fail is a reply that is an error.
func Fail(err error) Reply { return Reply{Err: err} }

// Scripted is a model that gives its replies in order. It may be called from several
// goroutines; their order is then that of the calls.
type Scripted struct {
	t  testing.TB
	mu sync.Mutex

	replies  []Reply
	requests []llm.Request
}

// Script gives a model that says the replies, each once. A call too many fails the
// test and gets an error; a reply that is left at the end fails it too.
func Script(t testing.TB, replies ...Reply) *Scripted {
	t.Helper()
	s := &Scripted{t: t, replies: replies}
	t.Cleanup(func() {
		t.Helper()
		s.mu.Lock()
		defer s.mu.Unlock()
		if left := len(s.replies) - len(s.requests); left > 0 {
			t.Errorf("the scripted model has %d of %d replies left; the next is %s", left, len(s.replies), s.replies[len(s.requests)])
		}
	})
	return s
}

// Requests are those that were made so far.
func (s *Scripted) Requests() []llm.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]llm.Request(nil), s.requests...)
}

// Generate implements [llm.Model].
func (s *Scripted) Generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	if ctx.Err() != nil {
		return llm.Response{}, context.Cause(ctx)
	}
	r, err := s.next(req)
	if err != nil {
		s.t.Error(err)
		return llm.Response{}, err
	}
	if r.Check != nil {
		if err := r.Check(req); err != nil {
			s.t.Errorf("request %d: %v", len(s.Requests()), err)
		}
	}
	return r.respond(req)
}

func (s *Scripted) next(req llm.Request) (Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.requests)
	if n >= len(s.replies) {
		return Reply{}, fmt.Errorf("the scripted model has no reply left for request %d, which ends: %s", n+1, last(req))
	}
	s.requests = append(s.requests, req)
	return s.replies[n], nil
}

func (r Reply) respond(req llm.Request) (llm.Response, error) {
	resp := llm.Response{Model: "test/script", Text: r.Text, Calls: r.Calls, Stop: r.Stop, Usage: r.Usage}
	if resp.Usage.Calls == 0 {
		resp.Usage = llm.Usage{Calls: 1, Input: llm.Estimate(req), Output: (len(r.Text) + 3) / 4}
	}
	if r.Err != nil {
		resp.Usage.Failed = 1
		return llm.Response{Model: resp.Model, Usage: resp.Usage}, r.Err
	}
	if req.NoCalls && resp.Stop == llm.StopTools {
		resp.Stop = ""
	}
	if req.NoCalls {
		resp.Calls = nil
	}
	switch {
	case resp.Stop != "":
	case len(resp.Calls) > 0:
		resp.Stop = llm.StopTools
	default:
		resp.Stop = llm.StopEnd
	}
	if req.Stream != nil && r.Text != "" {
		req.Stream(r.Text)
	}
	return resp, nil
}

// String is for messages.
func (r Reply) String() string {
	switch {
	case r.Err != nil:
		return fmt.Sprintf("error %q", r.Err)
	case len(r.Calls) > 0:
		return "a call of " + r.Calls[0].Name
	}
	return fmt.Sprintf("%.80q", r.Text)
}

func last(req llm.Request) string {
	if len(req.Messages) == 0 {
		return "(nothing)"
	}
	m := req.Messages[len(req.Messages)-1]
	text := m.Text()
	for _, p := range m.Parts {
		if p.Result != nil {
			text += p.Result.Text
		}
	}
	return fmt.Sprintf("%s %.200q", m.Role, text)
}

// Holds checks that the texts of a request hold each of the words.
func Holds(words ...string) func(llm.Request) error {
	return func(req llm.Request) error {
		data, err := json.Marshal(req.Messages)
		if err != nil {
			return err
		}
		var missing []error
		for _, w := range words {
			quoted, err := json.Marshal(w)
			if err != nil {
				return err
			}
			if !strings.Contains(string(data), strings.Trim(string(quoted), `"`)) {
				missing = append(missing, fmt.Errorf("%q is not in it", w))
			}
		}
		return errors.Join(missing...)
	}
}
