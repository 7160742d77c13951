package llm

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Usage is what one or more calls took.
type Usage struct {
	Calls  int `json:"calls"`
	Failed int `json:"failed,omitempty"` // of the calls
	// Estimated is how many of the calls have tokens that were counted here, as the
	// provider gave no numbers or the answer broke off before they were complete.
	Estimated int  `json:"estimated,omitempty"`
	Input     int  `json:"input_tokens"`
	Cached    int  `json:"cached_tokens"`            // of the input, read from the provider's cache
	Written   int  `json:"written_tokens,omitempty"` // of the input, written into the cache, where that has a price
	Output    int  `json:"output_tokens"`            // with the tokens of reasoning
	Cost      Cost `json:"cost"`
}

// Add is the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Calls: u.Calls + v.Calls, Failed: u.Failed + v.Failed, Estimated: u.Estimated + v.Estimated,
		Input: u.Input + v.Input, Cached: u.Cached + v.Cached, Written: u.Written + v.Written,
		Output: u.Output + v.Output,
		Cost:   u.Cost.Add(v.Cost),
	}
}

// usageMost is more than a run can take; nonsense above it would turn a sum negative,
// and nonsense below zero give a budget back what was spent.
const usageMost = 1 << 40

// sane is u without numbers that no call can have taken.
func (u Usage) sane() Usage {
	for _, n := range []*int{&u.Calls, &u.Failed, &u.Estimated, &u.Input, &u.Cached, &u.Written, &u.Output} {
		*n = min(max(*n, 0), usageMost)
	}
	u.Cost.Amount = min(max(u.Cost.Amount, 0), Dollars(1e5))
	return u
}

// String is a line for people: 14 calls · 41.2k in (30.1k cached) · 2.3k out · $0.031.
func (u Usage) String() string {
	calls := plural(u.Calls, "call")
	if u.Failed > 0 {
		calls += fmt.Sprintf(" (%d failed)", u.Failed)
	}
	in := short(u.Input) + " in"
	if u.Cached > 0 {
		in += fmt.Sprintf(" (%s cached)", short(u.Cached))
	}
	return strings.Join([]string{calls, in, short(u.Output) + " out", u.Cost.String()}, " · ")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func short(n int) string {
	switch {
	case n >= 999_950:
		return fmt.Sprintf("%.1fM", float64(n)/1e6)
	case n >= 1000:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}

// Money counts 10^-12 US dollars: a price per million tokens with six decimals is a
// whole number for one token, so that sums are exact in any order.
type Money int64

const dollar = 1e12

// Dollars makes Money of an amount in US dollars.
func Dollars(usd float64) Money { return Money(math.Round(usd * dollar)) }

// Dollars is the amount in US dollars.
func (m Money) Dollars() float64 { return float64(m) / dollar }

// String has two digits that count, and cents: $0.031, $12.40.
func (m Money) String() string {
	d := m.Dollars()
	if d == 0 || d >= 1 {
		return fmt.Sprintf("$%.2f", d)
	}
	return fmt.Sprintf("$%.*f", 1-int(math.Floor(math.Log10(math.Abs(d)))), d)
}

// CostStatus says how far a cost can be trusted.
type CostStatus string

// The states of a cost; "" is that of no call.
const (
	CostKnown     CostStatus = "known"
	CostEstimated CostStatus = "estimated" // tokens were counted here, or another host serves the model
	CostUnknown   CostStatus = "unknown"   // a price is missing; the amount is that of the other calls
)

// Cost is an amount, and what is known about it.
type Cost struct {
	Amount   Money      `json:"amount"` // 10^-12 US dollars
	Status   CostStatus `json:"status,omitempty"`
	Unpriced []string   `json:"unpriced,omitempty"` // the models without a price
}

// Add is the sum; it is no better known than the worse of both.
func (c Cost) Add(d Cost) Cost {
	sum := Cost{Amount: c.Amount + d.Amount, Status: worse(c.Status, d.Status)}
	sum.Unpriced = slices.Concat(c.Unpriced, d.Unpriced)
	slices.Sort(sum.Unpriced)
	if sum.Unpriced = slices.Compact(sum.Unpriced); len(sum.Unpriced) == 0 {
		sum.Unpriced = nil
	}
	return sum
}

func worse(a, b CostStatus) CostStatus {
	order := []CostStatus{"", CostKnown, CostEstimated, CostUnknown}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// String never shows an unknown cost as a number.
func (c Cost) String() string {
	switch c.Status {
	case CostUnknown:
		return fmt.Sprintf("cost unknown (no price for %s)", strings.Join(c.Unpriced, ", "))
	case CostEstimated:
		return "about " + c.Amount.String()
	}
	return c.Amount.String()
}
