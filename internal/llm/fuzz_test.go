package llm_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net/http"
	"testing"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/llm"
)

var answers = []string{
	`{"choices":[{"message":{"content":"a","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":-1}}`,
	`{"type":"message","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"1","name":"f","input":null}],"usage":{"input_tokens":1e99}}`,
	`{"candidates":[{"content":{"parts":[{"text":"a"},{"functionCall":{"name":"f","args":[1]}}]},"finishReason":"MAX_TOKENS"}]}`,
	"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-1,\"function\":{\"arguments\":\"{\"}}]}}]}\n\ndata: [DONE]",
	"data: {\"type\":\"content_block_start\",\"index\":-1,\"content_block\":{\"type\":\"tool_use\"}}\n\ndata: {\"type\":\"content_block_delta\",\"index\":-1,\"delta\":{\"partial_json\":\"{\"}}\n\ndata: {\"type\":\"message_stop\"}\n",
	"data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\\ud800\"}]},\"finishReason\":\"STOP\"}]}",
	"\xff\xfe",
}

// hostile gives a check of what all APIs make of any bytes, whole and as a stream: a
// response that can be stored, or an error with a kind, and never a panic.
func hostile(t testing.TB) func(t *testing.T, body string) {
	var now string // is the answer; the checks run one at a time
	models := map[string]llm.Model{}
	for _, provider := range []string{"openai", "anthropic", "gemini"} {
		m, err := llm.Open(llm.Config{Provider: provider, Model: "m", Key: llm.NewKey(canary),
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) { return answer(r, now), nil })})
		if err != nil {
			t.Fatal(err)
		}
		models[provider] = m
	}
	return func(t *testing.T, body string) {
		now = body
		for provider, m := range models {
			for _, stream := range []bool{false, true} {
				req := ask("x")
				if stream {
					req.Stream = func(string) {}
				}
				resp, err := m.Generate(t.Context(), req)
				if e, ok := errors.AsType[*llm.Error](err); err != nil && (!ok || e.Message == "") {
					t.Fatalf("%s gives %v on %q", provider, err, body)
				}
				if u := resp.Usage; u.Input < 0 || u.Cached < 0 || u.Cached > u.Input || u.Output < 0 || u.Cost.Amount < 0 {
					t.Errorf("%s: the usage is %+v on %q", provider, u, body)
				}
				if _, err := json.Marshal(resp); err != nil || !utf8.ValidString(resp.Text) {
					t.Errorf("%s: %+v cannot be stored: %v", provider, resp, err)
				}
			}
		}
	}
}

// FuzzAnswer is slow, as all of net/http is instrumented: give -fuzzminimizetime 5x.
func FuzzAnswer(f *testing.F) {
	for _, s := range answers {
		f.Add(s)
	}
	f.Fuzz(hostile(f))
}

func TestAnswerMutations(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	check := hostile(t)
	for range 2000 {
		check(t, mutate(r, answers[r.IntN(len(answers))]))
	}
}
