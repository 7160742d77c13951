package paid

import (
	"maps"
	"slices"
	"time"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
)

// Trouble is what keeps the models out for the rest of a run.
type Trouble struct {
	Stop report.Stop `json:"stop,omitempty"`
	Why  string      `json:"why,omitempty"`
}

// First is a reducer that keeps the first trouble.
func First(old, in Trouble) Trouble {
	if old.Stop != "" {
		return old
	}
	return in
}

// Sum is a reducer that adds what nodes took.
func Sum(old, in map[string]llm.Usage) map[string]llm.Usage {
	return merged(old, in, llm.Usage.Add)
}

// SumTimes is a reducer that adds how long nodes took.
func SumTimes(old, in map[string]time.Duration) map[string]time.Duration {
	return merged(old, in, func(a, b time.Duration) time.Duration { return a + b })
}

func merged[V any](old, in map[string]V, add func(a, b V) V) map[string]V {
	sum := maps.Clone(old)
	if sum == nil {
		sum = map[string]V{}
	}
	for node, v := range in {
		sum[node] = add(sum[node], v)
	}
	return sum
}

// Bill is what the models took, in all and by node; names are those of the models.
func Bill(usage map[string]llm.Usage, times map[string]time.Duration, names map[string]string) report.Usage {
	var all llm.Usage
	var by []report.NodeUsage
	for _, node := range slices.Sorted(maps.Keys(usage)) {
		u := usage[node]
		all = all.Add(u)
		by = append(by, report.NodeUsage{
			Node: node, Calls: u.Calls, Input: u.Input, Cached: u.Cached, Output: u.Output, CostUSD: dollars(u.Cost), Duration: times[node].Milliseconds(),
		})
	}
	u := report.Usage{Calls: all.Calls, Input: all.Input, Cached: all.Cached, Output: all.Output, CostUSD: dollars(all.Cost), CostStatus: string(all.Cost.Status), ByNode: by}
	if all.Calls > 0 {
		u.Models = names
		if u.CostStatus == "" {
			u.CostStatus = string(llm.CostUnknown)
		}
	} else {
		zero := 0.0
		u.CostUSD, u.CostStatus = &zero, string(llm.CostKnown)
	}
	return u
}

// dollars is nil where the cost is not known.
func dollars(c llm.Cost) *float64 {
	if c.Status == llm.CostUnknown || c.Status == "" {
		return nil
	}
	d := c.Amount.Dollars()
	return &d
}
