package llm

// usage counts a call that reached the network, with what is known of its tokens.
func (r *remote) usage(x *exchange, err error) Usage {
	if !x.sent {
		return Usage{}
	}
	u := Usage{Calls: 1}
	if err != nil {
		u.Failed = 1
	}
	a := x.answer
	if !a.begun && !a.counted {
		return u // refused or lost before an answer began: no provider bills that
	}
	u.Input, u.Cached, u.Output = a.input, min(a.cached, a.input), a.output
	u.Written = min(a.written, a.input-u.Cached)
	if !a.counted {
		u.Input, u.Cached, u.Written = Estimate(x.req), 0, 0
	}
	guessed := !a.counted || !a.ended // a stream that broke off gives the sum of its beginning
	if guessed {
		u.Estimated = 1
		u.Output = max(u.Output, a.estimate())
	}
	u.Cost = r.config.Prices.Cost(r.name, u)
	if u.Cost.Status == CostKnown && (r.moved || guessed) {
		u.Cost.Status = CostEstimated
	}
	return u
}
