package llm_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
)

func TestCost(t *testing.T) {
	prices := llm.DefaultPrices()
	prices["openai/mine"] = llm.Price{Input: 1, Cached: 0.1, Output: 2}
	for model, want := range map[string]llm.Cost{
		"deepseek/deepseek-chat":   {Amount: 27_580_000_000, Status: llm.CostKnown}, // 30k at 0.28, 70k at 0.028, 41k at 0.42
		"openai/mine":              {Amount: llm.Dollars(0.119), Status: llm.CostKnown},
		"openai/gpt-4o-2024-08-06": {Amount: llm.Dollars(0.5725), Status: llm.CostKnown},
		"ollama/qwen2.5-coder:7b":  {Status: llm.CostUnknown, Unpriced: []string{"ollama/qwen2.5-coder:7b"}},
		"openrouter/gpt-4o":        {Status: llm.CostUnknown, Unpriced: []string{"openrouter/gpt-4o"}},
	} {
		got := prices.Cost(model, llm.Usage{Input: 100_000, Cached: 70_000, Output: 41_000})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", model, diff)
		}
	}
}

// TestCostOfCache has input that the cache gave and took, each at its price.
func TestCostOfCache(t *testing.T) {
	prices := llm.DefaultPrices()
	prices["openai/mine"] = llm.Price{Input: 1, Cached: 0.1, Output: 2}
	for model, want := range map[string]float64{
		"anthropic/claude-sonnet-4-5-20250929": 0.00168, // 100 at 3, 600 at 0.30, 300 at 3.75, 5 at 15
		"openai/mine":                          0.00047, // 400 at 1, 600 at 0.10, 5 at 2
	} {
		got := prices.Cost(model, llm.Usage{Input: 1000, Cached: 600, Written: 300, Output: 5})
		if got.Amount != llm.Dollars(want) {
			t.Errorf("%s costs %v, want %v", model, got.Amount.Dollars(), want)
		}
	}
}

// TestPrices pins the whole table to its date: change both.
func TestPrices(t *testing.T) {
	if llm.PricesAsOf != "2025-11" || len(llm.DefaultPrices()) != 35 {
		t.Errorf("%d prices as of %s", len(llm.DefaultPrices()), llm.PricesAsOf)
	}
	for model, p := range llm.DefaultPrices() {
		if _, _, err := llm.ParseName(model); err != nil || p.Cached <= 0 || p.Cached > p.Input || p.Input > p.Output ||
			p.Written != 0 && p.Written != 1.25*p.Input {
			t.Errorf("%s costs %+v, %v", model, p, err)
		}
	}
}

func TestUsageAdd(t *testing.T) {
	known := llm.Usage{Calls: 1, Input: 10, Cached: 4, Output: 2, Cost: llm.Cost{Amount: 5, Status: llm.CostKnown}}
	unknown := func(m string) llm.Usage {
		return llm.Usage{Calls: 1, Failed: 1, Estimated: 1, Cost: llm.Cost{Status: llm.CostUnknown, Unpriced: []string{m}}}
	}
	got := known.Add(unknown("b")).Add(known).Add(unknown("a")).Add(unknown("b")).Add(llm.Usage{})
	want := llm.Usage{Calls: 5, Failed: 3, Estimated: 3, Input: 20, Cached: 8, Output: 4, Cost: llm.Cost{Amount: 10, Status: llm.CostUnknown, Unpriced: []string{"a", "b"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sum (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(known, known.Add(llm.Usage{})); diff != "" {
		t.Errorf("with nothing (-want +got):\n%s", diff)
	}
}

func TestUsageString(t *testing.T) {
	for want, u := range map[string]llm.Usage{
		"14 calls · 41.2k in (30.1k cached) · 2.3k out · $0.031":                        {Calls: 14, Input: 41_200, Cached: 30_100, Output: 2_300, Cost: llm.Cost{Amount: llm.Dollars(0.031), Status: llm.CostKnown}},
		"1 call · 999 in · 0 out · cost unknown (no price for ollama/qwen2.5-coder:7b)": {Calls: 1, Input: 999, Cost: llm.Cost{Status: llm.CostUnknown, Unpriced: []string{"ollama/qwen2.5-coder:7b"}}},
		"3 calls (1 failed) · 1.2M in · 1.0k out · about $12.40":                        {Calls: 3, Failed: 1, Input: 1_234_567, Output: 1000, Cost: llm.Cost{Amount: llm.Dollars(12.4), Status: llm.CostEstimated}},
		"0 calls · 0 in · 0 out · $0.00":                                                {},
		"1 call · 1 in · 1 out · $0.00000070":                                           {Calls: 1, Input: 1, Output: 1, Cost: llm.Cost{Amount: 700_000, Status: llm.CostKnown}},
	} {
		if got := u.String(); got != want {
			t.Errorf("usage is shown as\n%s, want\n%s", got, want)
		}
	}
}

func TestEstimate(t *testing.T) {
	for _, tt := range []struct {
		req  llm.Request
		want int
	}{
		{llm.Request{}, 0},
		{ask("abcdefgh"), 6},
		{ask("日本語"), 6},
		{llm.Request{Messages: []llm.Message{llm.User("abcd", llm.Image{MIME: "image/png"})}}, 1005},
		{llm.Request{Messages: []llm.Message{llm.Results(llm.ToolResult{Text: "abcdefgh"})}, Tools: []llm.Tool{{Name: "grep", Description: "find", Schema: []byte(`{"a":1} `)}}}, 10},
	} {
		if got := llm.Estimate(tt.req); got != tt.want {
			t.Errorf("%+v is estimated as %d, want %d", tt.req, got, tt.want)
		}
	}
}
