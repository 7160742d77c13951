package llm

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tmc/langchaingo/llms"
)

// exchange is one call on its way through langchaingo and the transport below it. It
// travels in the context, as langchaingo hands down nothing else.
type exchange struct {
	req      Request
	provider provider
	model    string
	form     answerForm
	cold     bool     // the model takes no temperature
	bare     bool     // it takes no order to call none of its tools
	tries    int      // how often it was sent already, in another form
	held     []string // texts that the transport puts in
	mark     string   // begins the words for them

	sent   bool   // it reached the network
	answer answer // what the transport read
	err    error  // what the transport met
}

type exchangeKey struct{}

// answer is what a provider's bytes say, in one form for all providers.
type answer struct {
	text    string
	calls   []ToolCall
	stop    Stop
	begun   bool // some of it came
	ended   bool // and its end too
	counted bool // the provider gave the numbers below
	input   int  // with the cached ones
	cached  int
	written int // into the cache
	output  int

	thoughts []anthropicThought // that belong to the next call
}

// stopFor is the reason to stop, put right where servers are known to be wrong: some
// say "stop" when they call tools, and Ollama when it ran out of tokens.
func (a answer) stopFor(req Request, calls []ToolCall) Stop {
	switch {
	case a.stop == StopLength, a.stop == StopFilter:
		return a.stop
	case a.counted && a.output >= req.MaxTokens:
		return StopLength
	case len(calls) > 0:
		return StopTools
	}
	return StopEnd
}

// result joins langchaingo's reading, where Anthropic's blocks are choices of their
// own, with what it drops: IDs, signatures and arguments that are no object.
func (x *exchange) result(content *llms.ContentResponse) (string, []ToolCall, error) {
	var text strings.Builder
	var calls []ToolCall
	for _, choice := range content.Choices {
		text.WriteString(choice.Content)
		for _, c := range choice.ToolCalls {
			calls = append(calls, newCall("", c.FunctionCall.Name, c.FunctionCall.Arguments))
		}
	}
	if len(calls) != len(x.answer.calls) {
		return "", nil, &Error{Kind: ErrAnswer, Message: fmt.Sprintf("%d calls were read as %d", len(x.answer.calls), len(calls))}
	}
	seen := x.ids()
	for i := range calls {
		own := x.answer.calls[i]
		calls[i].ID, calls[i].Signature, calls[i].Malformed = own.ID, own.Signature, own.Malformed
		if own.ID == "" || seen[own.ID] {
			calls[i].ID = fmt.Sprintf("call_%d", len(seen)+1)
		}
		seen[calls[i].ID] = true
	}
	if x.req.NoCalls {
		calls = nil // some servers take the order and do not heed it
	}
	return text.String(), calls, nil
}

// ids are those of the calls so far. Gemini gives none, and small servers the same
// ones again; a conversation needs different ones.
func (x *exchange) ids() map[string]bool {
	seen := map[string]bool{}
	for c := range x.req.calls() {
		seen[c.ID] = true
	}
	return seen
}

// schemaObject is the schema of a tool, never null.
func schemaObject(schema json.RawMessage) json.RawMessage {
	if len(schema) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return schema
}
