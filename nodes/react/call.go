package react

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/repomind/repomind/graph"
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
	text string // ours
	id   string // of the result
	from int    // its first byte to show
	run  bool   // a tool has to be asked for it
	same bool   // it was asked for before
	bad  bool
}

// act answers the calls of one turn, in their order.
func (r *run) act(ctx context.Context, asked []llm.ToolCall) ([]Call, error) {
	answers := make([]answer, len(asked))
	var todo []llm.ToolCall
	for i, c := range asked {
		answers[i] = r.judge(i, c, len(todo))
		if answers[i].run {
			todo = append(todo, c)
		}
	}
	got, err := r.work(ctx, todo)
	if err != nil {
		return nil, err
	}
	r.keep(got, todo)
	var results []llm.ToolResult
	var calls []Call
	limit := min(r.ShowBytes, max(minShown, r.Window/4*3/len(asked)))
	for i, c := range asked {
		call, text, err := r.reply(c, answers[i], limit)
		if err != nil {
			return nil, err
		}
		calls = append(calls, call)
		results = append(results, llm.ToolResult{ID: c.ID, Name: c.Name, Text: text, Failed: call.Failed})
	}
	r.say(llm.Results(results...))
	return calls, nil
}

// judge decides what a call gets. Before it, todo calls of this turn are to be run.
func (r *run) judge(i int, c llm.ToolCall, todo int) answer {
	tool, known := r.tool(c.Name)
	switch {
	case i >= maxCalls:
		return answer{text: fmt.Sprintf("Not run: a turn may hold %d calls. Ask again for what is still of use.", maxCalls), bad: true}
	case !known:
		return answer{text: r.noTool(c.Name), bad: true}
	case c.Malformed != "":
		return answer{text: r.misfit(tool, c), bad: true}
	}
	key := c.Name + " " + string(c.Args)
	id, same := r.asked[key]
	switch {
	case c.Name == more:
		r.asked[key] = more
		a := r.rest(c.Args)
		a.bad = a.bad || same
		return a
	case same:
		return answer{id: id, same: true, bad: true}
	}
	id = fmt.Sprintf("r%d", len(r.kept)+todo+1)
	r.asked[key] = id
	return answer{id: id, run: true}
}

// misfit tells a model what is wrong with arguments that are no object.
func (r *run) misfit(tool llm.Tool, c llm.ToolCall) string {
	text := fmt.Sprintf("The arguments must be one JSON object, of the JSON Schema %s. They were: %s", tool.Schema, r.Fence.Inline(c.Malformed))
	if r.cut {
		text += fmt.Sprintf(" (That turn was cut off after %d tokens. Make shorter ones.)", r.TurnTokens)
	}
	return text
}

// work runs tools, some at a time, and keeps what they gave, so that a run that goes on
// after a crash sees what it had seen. One that goes on with other tools, of which some
// calls are none, runs the rest anew.
func (r *run) work(ctx context.Context, todo []llm.ToolCall) ([]tools.Result, error) {
	if len(todo) == 0 {
		return nil, nil
	}
	which, err := digest(todo)
	if err != nil {
		return nil, fmt.Errorf("the calls: %w", err)
	}
	return graph.Once(ctx, fmt.Sprintf("%s/tools/%d/%s", r.Name, r.Rounds, which), func(ctx context.Context) ([]tools.Result, error) {
		got, faults := make([]tools.Result, len(todo)), make([]error, len(todo))
		slots := make(chan struct{}, r.Parallel)
		var wg sync.WaitGroup
		for i, c := range todo {
			if slots <- struct{}{}; ctx.Err() != nil {
				break
			}
			wg.Go(func() {
				defer func() { <-slots }()
				got[i], faults[i] = call(ctx, r.Tools, c)
			})
		}
		wg.Wait()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx) // what they gave may be half of it
		}
		return got, errors.Join(faults...)
	})
}

// call runs one tool. Its panic becomes an error, as graph does it, since here it is
// on a goroutine that graph does not know.
func call(ctx context.Context, set tools.Set, c llm.ToolCall) (result tools.Result, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("tool %s: %w", c.Name, &graph.PanicError{Value: v, Stack: debug.Stack()})
		}
	}()
	if result = set.Call(ctx, c.Name, c.Args); len(result.Text) > maxKept {
		result = result.Part(0, maxKept)
		result.Text += "\n… cut here"
	}
	return storable(result), nil
}

// storable leaves what is UTF-8, as the paths of a repository need not be. Where that
// moves the places of what is shown, they go.
func storable(r tools.Result) tools.Result {
	shown := slices.DeleteFunc(slices.Clone(r.Shown), func(s tools.Shown) bool { return !utf8.ValidString(s.Span.Path) })
	if !utf8.ValidString(r.Text) || len(shown) != len(r.Shown) {
		r.Text, r.Shown, r.At = strings.ToValidUTF8(r.Text, "\uFFFD"), shown, nil
	}
	return r
}

// maxKept bounds a result; the tools of this module stay far below.
const maxKept = 200_000

func allBad(calls []Call) bool {
	for _, c := range calls {
		if !c.Bad {
			return false
		}
	}
	return true
}
