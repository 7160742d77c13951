package react_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/nodes/react"
)

// instant answers without taking time, so that what is measured is the loop.
type instant struct{ rounds int }

func (m instant) Generate(_ context.Context, req llm.Request) (llm.Response, error) {
	n := len(req.Messages)/2 - 1
	if n >= m.rounds {
		return llm.Response{Text: `{"answer": "done"}`, Stop: llm.StopEnd, Usage: llm.Usage{Calls: 1, Input: 20_000}}, nil
	}
	return llm.Response{Text: "look", Calls: calls(read(fmt.Sprint("f", n))), Stop: llm.StopTools, Usage: llm.Usage{Calls: 1, Input: 20_000}}, nil
}

// wired is the same behind a provider's API, without a network: the time is that of the
// loop and of package llm.
type wired struct{ rounds int }

func (w wired) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	n := bytes.Count(body, []byte(`"role":"assistant"`))
	message := `{"role":"assistant","content":"{\"answer\":\"done\"}"}`
	if n < w.rounds {
		message = fmt.Sprintf(`{"role":"assistant","content":"look","tool_calls":[{"id":"c%d","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"f%[1]d\"}"}}]}`, n)
	}
	answer := fmt.Sprintf(`{"choices":[{"message":%s}],"usage":{"prompt_tokens":20000,"completion_tokens":10}}`, message)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(answer)), Request: r}, nil
}

// BenchmarkCall is the own time for a model call, in a conversation of 20,000 tokens from
// the first, with a result of 12,000 bytes in each round: of the loop, and of the loop
// with the model.
func BenchmarkCall(b *testing.B) {
	const rounds = 10
	texts := map[string]string{}
	for i := range rounds {
		texts[fmt.Sprint("f", i)] = strings.Repeat("func (e *Encoding) Count(text string) int { // naïve & <b>\n", 200)
	}
	long := react.Task{System: "You find bugs.", User: strings.Repeat("def get_response(self, request):\n    return None\n", 1600)}
	if n := prompt.Estimate(long.User); n < 20_000 {
		b.Fatalf("%d tokens", n)
	}
	model, err := llm.Open(llm.Config{Provider: "compatible", Model: "m", BaseURL: "http://localhost/v1", Transport: wired{rounds}})
	if err != nil {
		b.Fatal(err)
	}
	for _, bb := range []struct {
		name string
		loop react.Loop
	}{
		{"loop", react.Loop{Model: instant{rounds}}},
		{"loop/json", react.Loop{Model: instant{rounds}, JSON: true}},
		{"loop+llm", react.Loop{Model: model, Window: 128_000}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			bb.loop.Tools = files(texts, nil)
			var times []time.Duration
			for b.Loop() {
				begin := time.Now()
				if got, _, err := do(b, bb.loop, long); err != nil || got.Rounds != rounds+1 {
					b.Fatal(got.Rounds, err)
				}
				times = append(times, time.Since(begin))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/(rounds+1)/1000, "ms/call(median)")
		})
	}
}
