package main

import (
	"fmt"

	"github.com/repomind/repomind/internal/llm"
)

// count looks whether the server counts tokens.
func (c *checker) count(resp llm.Response) {
	if resp.Usage.Input == 0 {
		return
	}
	c.counts++
	c.counted = c.counted || resp.Usage.Estimated == 0
}

// usage says whether the server reports what it took.
func (c *checker) usage() {
	r := row{Name: "usage reported", Status: rowOK}
	switch first := c.Rows[0].Usage; {
	case c.counts == 0:
		r.Status, r.Reason = rowUntried, "there was no answer"
	case !c.counted:
		r.Status, r.Reason = rowUnsupported, "the server counts no tokens"
		r.Hint = "tokens are estimated, so limits of tokens and cost are rough"
	default:
		r.Reason = fmt.Sprintf("%d in, %d out for the first answer", first.Input, first.Output)
	}
	c.Rows = append(c.Rows, r)
}

// price looks the model up in the table.
func (c *checker) price() {
	per := func(u llm.Usage) llm.Cost { return llm.DefaultPrices().Cost(c.Model, u) }
	const million = 1_000_000
	in := per(llm.Usage{Input: million})
	r := row{Name: "price", Status: rowUnknown, Reason: "no price for " + c.Model + " in the table of " + llm.PricesAsOf,
		Hint: "--max-cost does not bound this model; --max-tokens does"}
	if in.Status != llm.CostUnknown {
		r.Status, r.Hint = rowOK, ""
		r.Reason = fmt.Sprintf("%s in, %s cached, %s out per million tokens, as of %s", in.Amount,
			per(llm.Usage{Input: million, Cached: million}).Amount, per(llm.Usage{Output: million}).Amount, llm.PricesAsOf)
	}
	c.Rows = append(c.Rows, r)
}
