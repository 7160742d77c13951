package react_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

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

// BenchmarkCall is the loop's own time for a model call, in a conversation of 20,000
// tokens from the first, with a result of 12,000 bytes in each round.
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
	for _, asJSON := range []bool{false, true} {
		b.Run(fmt.Sprint("json=", asJSON), func(b *testing.B) {
			for b.Loop() {
				if got, _, err := do(b, react.Loop{Model: instant{rounds}, Tools: files(texts, nil), JSON: asJSON}, long); err != nil || got.Rounds != rounds+1 {
					b.Fatal(got.Rounds, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*(rounds+1))/1000, "ms/call")
		})
	}
}
