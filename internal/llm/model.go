package llm

import (
	"context"
	"encoding/json"
)

// Model answers a request. The Response holds the Usage even where err is not nil,
// as a failed call may cost too. An answer that was cut off or filtered is no error
// here: Response.Stop says so, and callers look at it first.
//
// A Model may be called from several goroutines.
type Model interface {
	Generate(ctx context.Context, req Request) (Response, error)
}

// Request is all that a model is told. It can be stored, but for Stream.
type Request struct {
	// Messages hold at least one of a user and end with one of a user or of tools.
	// Those of the system are gathered at the front.
	Messages []Message `json:"messages"`
	// Tools are what the model may call.
	Tools []Tool `json:"tools,omitempty"`
	// NoCalls tells the model to call none of the tools. They stay in the request, so
	// that it begins as those before it and is billed from the provider's cache; with
	// Anthropic that holds for tools and system alone. A call that comes anyway is left
	// out of the Response, of which the Text may then be empty. A provider that takes no
	// such order gets the request without tools.
	NoCalls bool `json:"no_calls,omitempty"`
	// Schema asks for one JSON object that fits this JSON Schema. [Decode] sets it.
	Schema json.RawMessage `json:"schema,omitempty"`
	// MaxTokens bounds the answer. Zero means 4096.
	MaxTokens int `json:"max_tokens,omitempty"`
	// Temperature is 0 for the likeliest answer. Models that take none get none.
	Temperature float64 `json:"temperature,omitempty"`
	// Seed repeats a sample where the provider knows that. Zero means none.
	Seed int `json:"seed,omitempty"`
	// Key is the idempotency key of the call, and makes no part of what the model is
	// told or of a cassette's key. It is at most 200 visible ASCII characters, one for
	// each call that may be paid for: the tries of [Retry] share it, and the further
	// calls of [Decode] have keys of their own, made of it. Zero means none.
	//
	// It goes out as the header Idempotency-Key, with which a server answers a repeated
	// call from before and bills it once. As of 2026-11 that holds for gateways and
	// servers of one's own that say so, and for the servers of package llmtest. The
	// documentation of OpenAI, Anthropic, Gemini, DeepSeek and OpenRouter does not say
	// that their models take it, so that a repeated call is billed again there: what
	// keeps a run from repeating calls is to store their answers.
	Key string `json:"key,omitempty"`
	// Stream is given the text as it arrives, from one goroutine and before Generate
	// returns. A try that fails may have given part of a text, and small servers give
	// thoughts that Text leaves out. Nil means no stream.
	Stream func(delta string) `json:"-"`
}

// Tool is a function that the model may call.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"` // of its arguments, an object; nil means none
}

// Response is what a model said.
type Response struct {
	Model string     `json:"model"` // provider/name
	Text  string     `json:"text,omitempty"`
	Calls []ToolCall `json:"calls,omitempty"`
	Stop  Stop       `json:"stop"`
	Usage Usage      `json:"usage"`
}

// Message is the response as the assistant's turn, for the next request.
func (r Response) Message() Message {
	m := Message{Role: RoleAssistant}
	if r.Text != "" {
		m.Parts = append(m.Parts, Part{Text: r.Text})
	}
	for _, c := range r.Calls {
		m.Parts = append(m.Parts, Part{Call: &c})
	}
	return m
}

// Stop says why a model stopped.
type Stop string

// The reasons to stop.
const (
	StopEnd    Stop = "stop"
	StopLength Stop = "length" // cut off at MaxTokens or the end of the window
	StopTools  Stop = "tools"  // it waits for the results of its calls
	StopFilter Stop = "filter" // the provider or the model refused
)
