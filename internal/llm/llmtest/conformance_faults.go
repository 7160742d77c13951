package llmtest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/llm"
)

// refusals are answers with another status than 200.
func (s suite) refusals(t *testing.T, stream bool) {
	for _, tt := range []struct {
		turn  Turn
		kind  error
		after time.Duration
	}{
		{Turn{Status: 400, Message: "temperature: out of range"}, llm.ErrRequest, 0},
		{Turn{Status: 400, Message: "This model's maximum context length is 8192 tokens"}, llm.ErrContext, 0},
		{Turn{Status: 401, Message: "Incorrect API key provided: " + TestKey}, llm.ErrAuth, 0},
		{Turn{Status: 402, Message: "Insufficient Balance"}, llm.ErrQuota, 0},
		{Turn{Status: 403, Message: "no access to this model"}, llm.ErrAuth, 0},
		{Turn{Status: 404, Message: "no such model"}, llm.ErrRequest, 0},
		{Turn{Status: 413, Message: "too large"}, llm.ErrContext, 0},
		{Turn{Status: 429, Message: "slow down"}, llm.ErrRateLimited, 0},
		{Turn{Status: 429, Message: "slow down", Header: map[string]string{"Retry-After": "7"}}, llm.ErrRateLimited, 7 * time.Second},
		{Turn{Status: 429, Message: "insufficient_quota"}, llm.ErrQuota, 0},
		{Turn{Status: 500, Message: "oops"}, llm.ErrUnavailable, 0},
		{Turn{Status: 500, Message: "image input is not supported - hint: you may need to provide the mmproj"}, llm.ErrRequest, 0},
		{Turn{Status: 501, Message: "This server does not support tools"}, llm.ErrRequest, 0},
		{Turn{Status: 502, Body: []byte("<html>busy; your browser is not supported</html>")}, llm.ErrUnavailable, 0},
		{Turn{Status: 503, Body: []byte("<html>busy</html>"), Header: map[string]string{"Retry-After": "3"}}, llm.ErrUnavailable, 3 * time.Second},
		{Turn{Status: 529, Message: "overloaded"}, llm.ErrUnavailable, 0},
		{Turn{Status: 307, Body: []byte("moved"), Header: map[string]string{"Location": "http://127.0.0.1:1/"}}, llm.ErrRequest, 0},
	} {
		e := s.fail(t, tt.turn, stream)
		if e == nil {
			continue
		}
		if e.Kind != tt.kind || e.Status != tt.turn.Status || e.RetryAfter != tt.after {
			t.Errorf("status %d %q gives kind %v, status %d, wait %s", tt.turn.Status, tt.turn.Message, e.Kind, e.Status, e.RetryAfter)
		}
	}
}

// faults are answers with status 200 that are none.
func (s suite) faults(t *testing.T, stream bool) {
	long := strings.Repeat("x", 100)
	for _, tt := range []struct {
		name string
		turn Turn
		kind error
	}{
		{"cut", Turn{Text: long, Input: 10, Output: 20, Cut: true}, llm.ErrUnavailable},
		{"nothing", Turn{Body: []byte{}}, llm.ErrAnswer},
		{"empty object", Turn{Body: s.body(`{}`, stream)}, llm.ErrAnswer},
		{"null", Turn{Body: s.body(`null`, stream)}, llm.ErrAnswer},
		{"no choice", Turn{Body: s.body(`{"choices":[],"candidates":[],"content":[]}`, stream)}, llm.ErrAnswer},
		{"choice of null", Turn{Body: s.body(`{"choices":[null],"candidates":[null],"content":[null],"type":"content_block_delta","index":-1}`, stream)}, nil},
		{"garbage", Turn{Body: s.body(`{"choices": ]`, stream)}, llm.ErrAnswer},
		{"html", Turn{Body: []byte("<html><body>Sign in to the network</body></html>")}, llm.ErrAnswer},
		{"another type", Turn{Body: s.body(`{"choices":{"a":1},"candidates":"x","content":3,"type":7}`, stream)}, llm.ErrAnswer},
		{"deep", Turn{Body: s.body(strings.Repeat(`[`, 20_000), stream)}, llm.ErrAnswer},
		{"50 MB", Turn{Body: s.body(`{"x":"`+strings.Repeat("a", 50<<20)+`"}`, stream)}, llm.ErrAnswer},
		{"an error", Turn{Body: s.body(`{"type":"error","error":{"type":"overloaded_error","message":"busy"}}`, stream)}, llm.ErrUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := s.fail(t, tt.turn, stream)
			if e != nil && tt.kind != nil && e.Kind != tt.kind {
				t.Errorf("gives %v, want %v", e, tt.kind)
			}
			if tt.name == "50 MB" && (e == nil || e.Message != "it is larger than 8 MB") {
				t.Errorf("gives %v, want the bound", e)
			}
		})
	}
	s.badText(t, stream)
}

// body is a whole answer or the one event of a stream.
func (s suite) body(data string, stream bool) []byte {
	if stream {
		return fmt.Appendf(nil, "data: %s\n\n", data)
	}
	return []byte(data)
}

// fail makes a call that must fail, and gives its error.
func (s suite) fail(t *testing.T, turn Turn, stream bool) *llm.Error {
	t.Helper()
	server := NewServer(t, s.wire, turn)
	req, _ := streamed(llm.Request{Messages: []llm.Message{llm.User("hello")}}, stream)
	resp, err := s.open(t, server.URL).Generate(t.Context(), req)
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		t.Errorf("status %d %q gives %+v, %v; want an *llm.Error", turn.Status, turn.Message, resp, err)
		return nil
	}
	if strings.Contains(err.Error(), TestKey) {
		t.Errorf("the error shows the key: %v", err)
	}
	if len(err.Error()) > 1500 {
		t.Errorf("the error has %d bytes", len(err.Error()))
	}
	if resp.Usage.Calls != 1 || resp.Usage.Failed != 1 {
		t.Errorf("the failed call is counted as %+v", resp.Usage)
	}
	return e
}

// badText is an answer with bytes that are not UTF-8.
func (s suite) badText(t *testing.T, stream bool) {
	speech := s.wire.speech()
	turn := Turn{Text: "abcde@@@@@fghij", Input: 1, Output: 1}
	body := speech.whole(turn)
	if stream {
		body = bytes.Join(speech.events(turn), nil)
	}
	server := NewServer(t, s.wire, Turn{Body: bytes.ReplaceAll(body, []byte("@@@@@"), []byte{0xff, 0xfe, '@', 0xc3, 0x28})})
	req, _ := streamed(llm.Request{Messages: []llm.Message{llm.User("hello")}}, stream)
	got := generate(t, s.open(t, server.URL), req)
	if !utf8.ValidString(got.Text) || got.Text != "abcde\uFFFD\uFFFD@\uFFFD(fghij" {
		t.Errorf("bytes that are not UTF-8 are read as %q", got.Text)
	}
}
