package react

import "github.com/repomind/repomind/internal/llm"

// last says whether the next turn has to answer, and which limit wants it. A limit
// without a last turn means that not even that can be paid. Once one had to, all have.
func (r *run) last() (bool, End) {
	used := r.Usage.Input + r.Usage.Output
	next := r.room.next(r.Messages) + r.TurnTokens
	switch {
	case r.MaxTokens > 0 && used+next > r.MaxTokens, r.MaxCost > 0 && r.Usage.Cost.Amount >= r.MaxCost:
		return false, EndBudget
	case r.forced != "":
		return true, r.forced
	case r.Rounds+r.closing() >= r.MaxRounds:
		return true, EndRounds
	case r.MaxTokens > 0 && used+2*next > r.MaxTokens, r.MaxCost > 0 && r.Usage.Cost.Amount+2*r.dearest() > r.MaxCost:
		return true, EndBudget
	}
	return false, ""
}

// closing is how many rounds are kept for the answer.
func (r *run) closing() int {
	if r.Check != nil && r.MaxRounds > 2 {
		return 2
	}
	return 1
}

// dearest is what a turn may cost: half more than they did so far.
func (r *run) dearest() llm.Money {
	if r.Rounds == 0 {
		return 0
	}
	return r.Usage.Cost.Amount / llm.Money(r.Rounds) * 3 / 2
}
