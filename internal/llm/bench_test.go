package llm_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/repomind/repomind/internal/llm"
)

// BenchmarkCall is the own time of a call with a prompt of 20,000 tokens: scrubbing,
// writing the request, reading, fitting and accounting the answer, without a network.
func BenchmarkCall(b *testing.B) {
	prompt := strings.Repeat("func (r *reader) next() (line string, err error) { /* \"quoted\" <b> */ }\n", 1100)
	list, _ := json.Marshal(review{Summary: "s", Findings: repeat(finding{Severity: "high", Path: "a/b/c.go", Line: 3, Confidence: 0.8, Suggestion: "use <b>"}, 50)})
	for provider, body := range map[string]string{
		"openai":    `{"choices":[{"message":{"role":"assistant","content":` + quote(list) + `},"finish_reason":"stop"}],"usage":{"prompt_tokens":20000,"completion_tokens":2000}}`,
		"anthropic": `{"type":"message","content":[{"type":"text","text":` + quote(list) + `}],"stop_reason":"end_turn","usage":{"input_tokens":20000,"output_tokens":2000}}`,
		"gemini":    `{"candidates":[{"content":{"parts":[{"text":` + quote(list) + `}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":20000,"candidatesTokenCount":2000}}`,
	} {
		b.Run(provider, func(b *testing.B) {
			m, err := llm.Open(llm.Config{Provider: provider, Model: "m", Key: llm.NewKey("sk-0123456789"), Secrets: []llm.Key{llm.NewKey("ghp_0123456789")},
				Transport: roundTrip(func(r *http.Request) (*http.Response, error) { return answer(r, body), nil })})
			if err != nil {
				b.Fatal(err)
			}
			model := llm.Retry{Model: (&llm.Budget{MaxCalls: 1 << 30}).Guard((&llm.Limit{}).Guard(m))}
			req := llm.Request{Messages: []llm.Message{llm.System("Be brief."), llm.User(prompt)}}
			if n := llm.Estimate(req); n < 19_000 || n > 21_000 {
				b.Fatalf("the prompt has %d tokens", n)
			}
			for b.Loop() {
				if _, _, err := llm.Decode[review](b.Context(), model, req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func repeat[T any](v T, n int) []T {
	var all []T
	for range n {
		all = append(all, v)
	}
	return all
}

func quote(data []byte) string {
	q, _ := json.Marshal(string(data))
	return string(q)
}

// BenchmarkBare is the part of BenchmarkCall/openai that is langchaingo's.
func BenchmarkBare(b *testing.B) {
	prompt := strings.Repeat("func (r *reader) next() (line string, err error) { /* \"quoted\" <b> */ }\n", 1100)
	body := `{"choices":[{"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}`
	client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) { return answer(r, body), nil })}
	m, err := openai.New(openai.WithToken("k"), openai.WithBaseURL("http://none"), openai.WithModel("m"), openai.WithHTTPClient(client))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.GenerateContent(b.Context(), []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, prompt)}); err != nil {
			b.Fatal(err)
		}
	}
}
