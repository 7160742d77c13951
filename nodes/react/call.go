package react

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/tools"
)

// Call is a call that the model asked for, and how it went.
type Call struct {
	Round  int             `json:"round"`
	Result string          `json:"result,omitempty"` // r3; empty if nothing was run
	Name   string          `json:"name"`
	Args   json.RawMessage `json:"args"`
	Failed bool            `json:"failed,omitempty"`
	Bad    bool            `json:"bad,omitempty"` // it was not in order, or not new
	// Shown is what the model was shown in answer to this call, and not what was cut.
	Shown []tools.Shown `json:"shown,omitempty"`
}

// maxCalls is how many calls of one turn are listened to.
const maxCalls = 16

// answer is what a call gets: a text of ours, or the result of a tool.
type answer struct {
	text   string // ours
	id     string // of the result
	from   int    // its first byte to show
	run    bool   // a tool has to be asked for it
	same   bool   // it was asked for before
	stands bool   // and can still be read above
	bad    bool
}

// place is what a call was answered with, and where.
type place struct {
	id      string // of the result
	from    int    // its first byte that was shown
	message int
}

// act answers the calls of one turn, in their order.
func (r *run) act(ctx context.Context, asked []llm.ToolCall) ([]Call, error) {
	answers := make([]answer, len(asked))
	var todo []llm.ToolCall
	for i := range asked {
		if answers[i] = r.judge(asked, i, len(todo)); answers[i].run {
			todo = append(todo, asked[i])
		}
	}
	got, err := r.work(ctx, todo)
	if err != nil {
		return nil, err
	}
	r.keep(got, todo)
	var results []llm.ToolResult
	var calls []Call
	limits := r.limits(answers)
	for i, c := range asked {
		call, text, err := r.reply(c, answers[i], limits[i])
		if err != nil {
			return nil, err
		}
		calls = append(calls, call)
		results = append(results, llm.ToolResult{ID: c.ID, Name: c.Name, Text: text, Failed: call.Failed})
	}
	r.say(llm.Results(results...))
	return calls, nil
}

// judge decides what the i-th call of a turn gets, and brings its arguments into their
// form. Before it, todo calls of this turn are to be run.
func (r *run) judge(asked []llm.ToolCall, i, todo int) answer {
	c := &asked[i]
	tool, known := r.tool(c.Name)
	switch {
	case r.cut && i == len(asked)-1:
		return answer{text: fmt.Sprintf("Not run: your turn was cut off after %d tokens, in this call. Make it again, shorter.", r.TurnTokens), bad: true}
	case i >= maxCalls:
		return answer{text: fmt.Sprintf("Not run: a turn may hold %d calls. Ask again for what is still of use.", maxCalls), bad: true}
	case !known:
		return answer{text: r.noTool(c.Name), bad: true}
	case c.Malformed != "":
		return answer{text: r.misfit(tool, *c), bad: true}
	}
	c.Args = unwrapped(tool, c.Args)
	if c.Name == more {
		a := r.rest(c.Args)
		if a.bad {
			return a
		}
		return r.once(fmt.Sprintf("%s %s %d", more, a.id, a.from), a)
	}
	return r.once(c.Name+" "+string(c.Args), answer{id: fmt.Sprintf("r%d", len(r.kept)+todo+1), run: true})
}

// once gives a, or where the same call was made before, what that got: a note that it
// stands above, or all of it again if it had been taken out.
func (r *run) once(key string, a answer) answer {
	p, same := r.asked[key]
	if same {
		a = answer{id: p.id, from: p.from, same: true, stands: p.message >= r.room.upto, bad: true}
	}
	if !a.stands {
		r.asked[key] = place{a.id, a.from, len(r.Messages)}
	}
	return a
}

func allBad(calls []Call) bool {
	for _, c := range calls {
		if !c.Bad {
			return false
		}
	}
	return true
}
