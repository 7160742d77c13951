package react_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
)

func TestBadCallsAreAnsweredWithWhatIsRight(t *testing.T) {
	m := llmtest.Script(t,
		llmtest.Reply{Calls: calls(
			llm.ToolCall{Name: "functions.readFile", Args: json.RawMessage(`{}`)},
			llm.ToolCall{Name: "grep", Args: json.RawMessage(`{}`)},
			llm.ToolCall{Name: "read_file", Malformed: `{"path": "a`},
			llm.ToolCall{Name: "read_file", Args: json.RawMessage(`[1]`)},
			llm.ToolCall{Name: "read_file", Args: json.RawMessage(`{"path":"zz"}`)},
			llm.ToolCall{Name: "read_more", Args: json.RawMessage(`{"id":"r1"}`)},
		)}, llmtest.Say("done"))
	got, _, err := do(t, react.Loop{Model: m, Tools: files(nil, nil)}, task)
	wantErr(t, err, nil)
	schema := `{"type":"object","properties":{"path":{"type":"string"},"line":{"type":"integer"}},"required":["path"],"additionalProperties":false}`
	same(t, []string{
		`tool fails: There is no tool "functions_readFile". Did you mean read_file? The tools are read_file, read_more.`,
		`tool fails: There is no tool "grep". The tools are read_file, read_more.`,
		"tool fails: The arguments must be one JSON object, of the JSON Schema " + schema + `. They were: {"path": "a`,
		"tool fails: The arguments must be one JSON object, of the JSON Schema " + schema + `. They were: [1]`,
		"tool fails: " + fenced("r1", "no such file: zz"),
		"tool fails: There is no result yet.",
		"assistant: done",
	}, lines(got.Messages)[6:])
	var bad []bool
	for _, c := range got.Calls {
		bad = append(bad, c.Bad)
	}
	same(t, []bool{true, true, true, true, false, true}, bad)
}

func TestThreeBadTurnsEndTheLoop(t *testing.T) {
	wrong := func(n int) llmtest.Reply {
		return llmtest.Reply{Text: fmt.Sprint("try ", n), Calls: calls(llm.ToolCall{Name: "nothing", Args: json.RawMessage(`{}`)})}
	}
	misfit := llmtest.Call("read_file", `{"file":"a"}`)
	good := llmtest.Call("read_file", `{"path":"a"}`)
	m := llmtest.Script(t, wrong(1), wrong(2), good, llmtest.Say(""), misfit, wrong(3))
	got, rounds, err := do(t, react.Loop{Model: m, Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, nil)
	same(t, []any{"try 3", react.EndStuck, 6, react.EndStuck}, []any{got.Answer, got.End, got.Rounds, rounds[5].End})
	same(t, []string{"assistant: (nothing)", "user: That was empty. Call a tool or answer."}, lines(got.Messages)[8:10])

	m = llmtest.Script(t, good, good, good, good)
	got, _, err = do(t, react.Loop{Model: m, Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, react.ErrNoAnswer)
	same(t, []any{react.EndStuck, 4, "react: the model gave no answer (stuck, after 4 rounds)"}, []any{got.End, len(got.Calls), err.Error()})
}

func TestFailuresThatTeachAreNotBadTurns(t *testing.T) {
	var replies []llmtest.Reply
	for i := range 5 {
		replies = append(replies, llmtest.Call("read_file", fmt.Sprintf(`{"path":"x%d"}`, i)))
	}
	got, _, err := do(t, react.Loop{Model: llmtest.Script(t, append(replies, llmtest.Say("not there"))...), Tools: files(nil, nil)}, task)
	wantErr(t, err, nil)
	same(t, "not there", got.Answer)
}

func TestAnswerThatIsCutOffOrRefusedIsAskedForAgain(t *testing.T) {
	m := llmtest.Script(t, llmtest.Reply{Text: "It is beca", Stop: llm.StopLength}, llmtest.Say("no"), llmtest.Say("yes"))
	check := func(s string) error {
		if s != "yes" {
			return errors.New("it must be \u202eyes")
		}
		return nil
	}
	got, _, err := do(t, react.Loop{Model: m, Check: check}, task)
	wantErr(t, err, nil)
	same(t, []string{
		"assistant: It is beca", "user: That was cut off after 4096 tokens. Say it again, shorter.",
		"assistant: no", "user: That cannot be taken as an answer: it must be yes.",
		"assistant: yes",
	}, lines(got.Messages))

	got, _, err = do(t, react.Loop{Model: llmtest.Script(t, llmtest.Say("no")), Check: check, MaxRounds: 1}, task)
	wantErr(t, err, react.ErrNoAnswer)
	same(t, []any{"no", react.EndRounds}, []any{got.Answer, got.End})
}

func TestATurnWithManyCallsIsCutShort(t *testing.T) {
	var many []llm.ToolCall
	for i := range 100 {
		many = append(many, read(fmt.Sprint(i)))
	}
	ran := 0
	got, _, err := do(t, react.Loop{Model: llmtest.Script(t, llmtest.Reply{Calls: many}, llmtest.Say("done")), Parallel: 1, Tools: files(nil, func(string) { ran++ })}, task)
	wantErr(t, err, nil)
	same(t, []int{16, 64}, []int{ran, len(got.Calls)})
	same(t, "tool fails: Not run: a turn may hold 16 calls. Ask again for what is still of use.", lines(got.Messages)[64+16])
}

type verdict struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

func TestAnswerIsAType(t *testing.T) {
	m := llmtest.Script(t, llmtest.Say("It is in a, line 3."), llmtest.Reply{Text: "```json\n{\"file\": \"a\", \"line\": \"3\"}\n```"})
	_, err := inNode(t, func(ctx context.Context) error {
		v, result, err := react.Answer[verdict](ctx, react.Loop{Model: m, Fence: fence(t)}, task)
		same(t, verdict{"a", 3}, v)
		same(t, 2, result.Rounds)
		golden(t, "schema.golden", result.Messages[0].Text())
		return err
	})
	wantErr(t, err, nil)
	_, err = inNode(t, func(ctx context.Context) error {
		l := react.Loop{Model: llmtest.Script(t, llmtest.Say("no JSON")), MaxRounds: 1}
		_, _, err := react.Answer[verdict](ctx, l, task)
		return err
	})
	wantErr(t, err, react.ErrNoAnswer)
	wantErr(t, err, llm.ErrUnusable)
}

func TestALastTurnThatIsCutOffIsSaid(t *testing.T) {
	cut := llmtest.Reply{Text: "It is beca", Stop: llm.StopLength}
	got, _, err := do(t, react.Loop{Model: llmtest.Script(t, cut), MaxRounds: 1}, task)
	wantErr(t, err, react.ErrNoAnswer)
	wantErr(t, err, llm.ErrCutOff)
	same(t, []any{"It is beca", react.EndRounds}, []any{got.Answer, got.End})

	_, _, err = do(t, react.Loop{Model: llmtest.Script(t, cut), MaxRounds: 1, Check: func(string) error { return nil }}, task)
	wantErr(t, err, nil)
}

func TestAStuckAnswerThatIsCutOffIsSaid(t *testing.T) {
	cut := llmtest.Reply{Text: "It is beca", Stop: llm.StopLength}
	got, _, err := do(t, react.Loop{Model: llmtest.Script(t, cut, cut, cut)}, task)
	wantErr(t, err, react.ErrNoAnswer)
	wantErr(t, err, llm.ErrCutOff)
	same(t, []any{"It is beca", react.EndStuck}, []any{got.Answer, got.End})

	m := llmtest.Script(t, cut, llmtest.Reply{Text: "It is a.", Calls: calls(llm.ToolCall{Name: "x"}), Stop: llm.StopLength}, llmtest.Say(""))
	got, _, err = do(t, react.Loop{Model: m}, task) // the calls were cut off, and not the text
	wantErr(t, err, nil)
	same(t, []any{"It is a.", react.EndStuck}, []any{got.Answer, got.End})
}

func TestTheLastCallOfATurnThatIsCutOffIsNotRun(t *testing.T) {
	cut := llmtest.Reply{Calls: calls(read("a"), read("b")), Stop: llm.StopLength}
	ran := 0
	tool := files(map[string]string{"a": "A", "b": "B"}, func(string) { ran++ })
	got, _, err := do(t, react.Loop{Model: llmtest.Script(t, cut, llmtest.Reply{Calls: calls(read("b"))}, llmtest.Say("done")), TurnTokens: 9, Tools: tool}, task)
	wantErr(t, err, nil)
	same(t, 2, ran) // b in the second turn
	same(t, []bool{false, true, false}, []bool{got.Calls[0].Bad, got.Calls[1].Bad, got.Calls[2].Bad})
	same(t, []string{
		"tool gives: " + fenced("r1", "A"),
		"tool fails: Not run: your turn was cut off after 9 tokens, in this call. Make it again, shorter.",
	}, lines(got.Messages)[2:4])
}

func TestCallsWhereThereAreNoToolsGoBackAsText(t *testing.T) {
	m := llmtest.Script(t, llmtest.Call("x", `{}`), llmtest.Say("done"))
	_, _, err := do(t, react.Loop{Model: m}, task)
	wantErr(t, err, nil)
	same(t, []string{"assistant: (I called x {})", `user: x failed: There is no tool "x"; there are none at all. Answer.`}, lines(m.Requests()[1].Messages))
}
