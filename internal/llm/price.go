package llm

import (
	"cmp"
	"maps"
	"regexp"
)

// Price is what a million tokens cost, in US dollars.
type Price struct {
	Input  float64 `json:"input"`
	Cached float64 `json:"cached"` // input that the provider's cache held
	Output float64 `json:"output"`
	// Written is for input that the provider put into its cache. Zero means Input.
	Written float64 `json:"written,omitempty"`
}

// Prices are by provider/model.
type Prices map[string]Price

// PricesAsOf is the month of the oldest rows in [DefaultPrices]: those of OpenAI and
// Gemini, from the providers' price lists. The newer models of Anthropic and DeepSeek
// were read later, in undated copies of their pages. A price that matters belongs in
// the configuration.
const PricesAsOf = "2025-11"

// DefaultPrices is a fresh copy of the table. Configuration lays its own rows over it.
// A model whose price depends on the length of the prompt has no row, as one price
// would be wrong; DeepSeek's are those of its peak hours, and half as much at others.
func DefaultPrices() Prices {
	return Prices{
		"anthropic/claude-3-5-haiku":  {0.80, 0.08, 4, 1},
		"anthropic/claude-3-7-sonnet": {3, 0.30, 15, 3.75},
		"anthropic/claude-fable-5":    {10, 1, 50, 12.50},
		"anthropic/claude-fable-5-1":  {10, 0.25, 50, 12.50},
		"anthropic/claude-haiku-4-5":  {1, 0.10, 5, 1.25},
		"anthropic/claude-opus-4":     {15, 1.50, 75, 18.75},
		"anthropic/claude-opus-4-1":   {15, 1.50, 75, 18.75},
		"anthropic/claude-opus-4-5":   {5, 0.50, 25, 6.25},
		"anthropic/claude-opus-4-6":   {5, 0.50, 25, 6.25},
		"anthropic/claude-opus-4-7":   {5, 0.50, 25, 6.25},
		"anthropic/claude-opus-4-8":   {5, 0.50, 25, 6.25},
		"anthropic/claude-opus-5":     {5, 0.50, 25, 6.25},
		"anthropic/claude-opus-5-5":   {4, 0.20, 20, 5},
		"anthropic/claude-sonnet-4":   {3, 0.30, 15, 3.75},
		"anthropic/claude-sonnet-4-5": {3, 0.30, 15, 3.75},
		"anthropic/claude-sonnet-4-6": {3, 0.30, 15, 3.75},
		"anthropic/claude-sonnet-5":   {2, 0.20, 10, 2.50},
		"anthropic/claude-sonnet-5-5": {2, 0.10, 10, 2.50},
		"deepseek/deepseek-chat":      {0.28, 0.028, 0.42, 0}, // retired in 2026-07, as the next
		"deepseek/deepseek-flash":     {0.30, 0.006, 1.20, 0},
		"deepseek/deepseek-reasoner":  {0.28, 0.028, 0.42, 0},
		"deepseek/deepseek-v4-flash":  {0.30, 0.006, 1.20, 0},
		"deepseek/deepseek-v4-pro":    {1.32, 0.044, 3.96, 0},
		"gemini/gemini-2.0-flash":     {0.10, 0.025, 0.40, 0},
		"gemini/gemini-2.5-flash":     {0.30, 0.03, 2.50, 0},
		"openai/gpt-4.1":              {2, 0.50, 8, 0},
		"openai/gpt-4.1-mini":         {0.40, 0.10, 1.60, 0},
		"openai/gpt-4.1-nano":         {0.10, 0.025, 0.40, 0},
		"openai/gpt-4o":               {2.50, 1.25, 10, 0},
		"openai/gpt-4o-mini":          {0.15, 0.075, 0.60, 0},
		"openai/gpt-5":                {1.25, 0.125, 10, 0},
		"openai/gpt-5-mini":           {0.25, 0.025, 2, 0},
		"openai/gpt-5-nano":           {0.05, 0.005, 0.40, 0},
		"openai/o3":                   {2, 0.50, 8, 0},
		"openai/o4-mini":              {1.10, 0.275, 4.40, 0},
	}
}

// over is the default table with the rows of p laid over it.
func (p Prices) over(base Prices) Prices {
	maps.Copy(base, p)
	return base
}

var snapshot = regexp.MustCompile(`-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest|\d{3})$`)

// of finds the row of a model; a dated snapshot has the price of its model.
func (p Prices) of(model string) (Price, bool) {
	if price, ok := p[model]; ok {
		return price, true
	}
	price, ok := p[snapshot.ReplaceAllString(model, "")]
	return price, ok
}

// Cost is what the tokens of u cost with a model, named provider/model. It is
// [CostUnknown] where the table has no price, and never 0 for that reason.
func (p Prices) Cost(model string, u Usage) Cost {
	price, ok := p.of(model)
	if !ok {
		return Cost{Status: CostUnknown, Unpriced: []string{model}}
	}
	fresh := max(u.Input-u.Cached-u.Written, 0)
	amount := perToken(price.Input)*Money(fresh) + perToken(price.Cached)*Money(u.Cached) +
		perToken(cmp.Or(price.Written, price.Input))*Money(u.Written) + perToken(price.Output)*Money(u.Output)
	return Cost{Amount: amount, Status: CostKnown}
}

func perToken(perMillion float64) Money { return Dollars(perMillion / 1e6) }
