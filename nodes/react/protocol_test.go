package react_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
)

func TestJSONTurnIsFoundAmongOtherJSON(t *testing.T) {
	m := llmtest.Script(t, llmtest.Say(`In Go, struct{} and {"path": "a"} mean little. {"calls": [{"name": "read_file", "args": {"path": "a"}}]}`+
		"\nread_file gave: A\n"+`{"answer": "made up"}`), llmtest.Say(`{"answer": "A"}`))
	got, _, err := do(t, react.Loop{Model: m, JSON: true, Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, nil)
	same(t, []any{"A", 2, 1}, []any{got.Answer, got.Rounds, len(got.Calls)})
}

func TestJSONAnswerWithoutItsFormIsTaken(t *testing.T) {
	_, err := inNode(t, func(ctx context.Context) error {
		v, result, err := react.Answer[verdict](ctx, react.Loop{Model: llmtest.Script(t, llmtest.Say(`{"file": "a", "line": 3}`)), JSON: true, Fence: fence(t)}, task)
		same(t, verdict{"a", 3}, v)
		same(t, 1, result.Rounds)
		return err
	})
	wantErr(t, err, nil)
}

func TestArgumentsByOtherNamesAreTaken(t *testing.T) {
	for name, want := range map[string]string{
		"args": "A", "arguments": "A", "parameters": "A", "input": "A", "Arguments": "A",
		"params": "no such file: ", // a name that is none leaves the call without arguments
	} {
		m := llmtest.Script(t, llmtest.Say(`{"calls": [{"name": "read_file", "`+name+`": {"path": "a"}}]}`), llmtest.Say(`{"answer": "A"}`))
		got, _, err := do(t, react.Loop{Model: m, JSON: true, Tools: files(map[string]string{"a": "A"}, nil)}, task)
		wantErr(t, err, nil)
		same(t, []string{fenced("r1", want)}, replies(got.Messages))
	}
	for _, args := range []string{`"{\"path\": \"a\"}"`, `{"input": {"path": "a"}}`} {
		m := llmtest.Script(t, llmtest.Say(`{"calls": [{"name": "read_file", "args": `+args+`}]}`), llmtest.Say(`{"answer": "A"}`))
		got, _, err := do(t, react.Loop{Model: m, JSON: true, Tools: files(map[string]string{"a": "A"}, nil)}, task)
		wantErr(t, err, nil)
		same(t, []string{fenced("r1", "A")}, replies(got.Messages))
	}
}

// typed runs a loop in the JSON protocol whose answer is a T.
func typed[T any](t *testing.T, l react.Loop, said ...llmtest.Reply) (v T, result react.Result, m *llmtest.Scripted, err error) {
	t.Helper()
	m = llmtest.Script(t, said...)
	l.Model, l.JSON, l.Fence = m, true, fence(t)
	_, err = inNode(t, func(ctx context.Context) (err error) {
		v, result, err = react.Answer[T](ctx, l, task)
		return err
	})
	return v, result, m, err
}

func TestARefusedAnswerStaysAsItWasWritten(t *testing.T) {
	raw := `{"thought": "clear", "answer": {"file": "a"}}`
	v, got, _, err := typed[verdict](t, react.Loop{}, llmtest.Say(raw), llmtest.Say(`{"thought": "yes", "answer": {"file": "a", "line": 3}}`))
	wantErr(t, err, nil)
	same(t, verdict{"a", 3}, v)
	same(t, []string{"assistant: " + raw, "user: That cannot be taken as an answer: line: is missing.", `assistant: {"file":"a","line":3}`}, lines(got.Messages))
}

type answered struct {
	Answer string `json:"answer"`
	Why    string `json:"why"`
}

func TestAnAnswerWithAMemberOfThatNameIsTaken(t *testing.T) {
	for _, text := range []string{`{"answer": "a", "why": "b"}`, `{"thought": "t", "answer": {"answer": "a", "why": "b"}}`, `{"answer": "{\"answer\": \"a\", \"why\": \"b\"}"}`} {
		v, got, _, err := typed[answered](t, react.Loop{}, llmtest.Say(text))
		wantErr(t, err, nil)
		same(t, []any{answered{"a", "b"}, 1}, []any{v, got.Rounds})
	}
}

func TestThePromptSaysThatTheAnswerIsAnObject(t *testing.T) {
	_, got, m, err := typed[verdict](t, react.Loop{Tools: files(nil, nil)}, llmtest.Say("no"), llmtest.Say(`{"answer": {"file": "a", "line": 3}}`))
	wantErr(t, err, nil)
	golden(t, "object.golden", got.Messages[0].Text())
	if fault := lines(got.Messages)[1]; !strings.HasSuffix(fault, `or {"thought": "…", "answer": {…}}.`) {
		t.Error(fault)
	}
	object := `{"type":"object","properties":{"file":{"type":"string"},"line":{"type":"integer"}},"required":["file","line"],"additionalProperties":false}`
	calls := `"calls":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","enum":["read_file","read_more"]},"args":{"type":"object"}},"required":["name","args"],"additionalProperties":false}},`
	for _, req := range m.Requests() {
		same(t, form(calls, object), string(req.Schema))
	}
}

func form(calls, answer string) string {
	return `{"type":"object","properties":{"thought":{"type":"string"},` + calls + `"answer":` + answer + `},"required":["thought"],"additionalProperties":false}`
}

func TestTheFormOfATurnGoesToTheProvider(t *testing.T) {
	m := llmtest.Script(t, llmtest.Say(`{"answer": "a"}`))
	_, _, err := do(t, react.Loop{Model: m, JSON: true, MaxRounds: 1}, task)
	wantErr(t, err, nil)
	same(t, form("", `{"type":"string"}`), string(m.Requests()[0].Schema))
	same(t, false, m.Requests()[0].NoCalls)

	m = llmtest.Script(t, llmtest.Say("a"))
	_, _, err = do(t, react.Loop{Model: m}, task)
	wantErr(t, err, nil)
	same(t, 0, len(m.Requests()[0].Schema))
}

func TestAnAnswerIsNeverJSONOfTheProtocol(t *testing.T) {
	for name, tt := range map[string]struct {
		said []string
		want string
	}{
		"thought":      {[]string{`{"thought": "it may be a"}`, `{"calls": []}`, `{"thought": `}, "it may be a"},
		"prose":        {[]string{"I think it is {a}.", `{"answer": null}`, `{"answer": ""}`}, "I think it is {a}."},
		"other object": {[]string{`{"answer": null}`, `In {"path": "b"} it is b.`, "```json\n{\"calls\": [{\"name\"\n```"}, `In {"path": "b"} it is b.`},
		"nothing":      {[]string{`{"thought": "`, `{"calls": [{"name": "read_file", "args": {}}`, `{"answer": "x`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m := llmtest.Script(t, llmtest.Say(tt.said[0]), llmtest.Say(tt.said[1]), llmtest.Say(tt.said[2]))
			got, rounds, err := do(t, react.Loop{Model: m, JSON: true}, task)
			same(t, []any{tt.want, react.EndStuck, tt.want == ""}, []any{got.Answer, got.End, errors.Is(err, react.ErrNoAnswer)})
			same(t, "assistant: "+tt.said[2], lines(got.Messages)[4]) // the transcript has it
			for _, r := range rounds {
				if strings.Contains(r.Text, `"thought"`) || strings.Contains(r.Text, `"calls"`) || strings.Contains(r.Text, `"answer"`) {
					t.Errorf("round %d tells %s", r.Number, r.Text)
				}
			}
		})
	}
}

func TestCallsInTheLastRoundAreNoAnswer(t *testing.T) {
	call := `{"calls": [{"name": "read_file", "args": {"path": "a"}}]}`
	ran := 0
	set := files(map[string]string{"a": "A"}, func(string) { ran++ })
	_, got, _, err := typed[verdict](t, react.Loop{MaxRounds: 3, Tools: set}, llmtest.Say(call), llmtest.Say(call), llmtest.Say(call))
	wantErr(t, err, react.ErrNoAnswer)
	same(t, []any{"", react.EndRounds, 3, 1}, []any{got.Answer, got.End, got.Rounds, ran})
	same(t, []string{"assistant: " + call, "user: Nothing can be called any more. Answer.", "assistant: " + call}, lines(got.Messages)[2:])
}

func TestAJSONAnswerThatIsAllThereIsNotCutOff(t *testing.T) {
	m := llmtest.Script(t, llmtest.Reply{Text: `{"answer": "a"} and`, Stop: llm.StopLength})
	got, _, err := do(t, react.Loop{Model: m, JSON: true}, task)
	wantErr(t, err, nil)
	same(t, []any{"a", react.EndAnswer}, []any{got.Answer, got.End})
}

func TestACheckOfTheTextLetsNoProtocolThrough(t *testing.T) {
	long := func(s string) error {
		if len(s) < 12 {
			return errors.New("it is short")
		}
		return nil
	}
	m := llmtest.Script(t, llmtest.Say(`{"answer": "short"}`), llmtest.Say(`{"Answer": "short"}`), llmtest.Say("It is a, as prose."))
	got, _, err := do(t, react.Loop{Model: m, JSON: true, Check: long}, task)
	wantErr(t, err, nil)
	same(t, []any{"It is a, as prose.", 3}, []any{got.Answer, got.Rounds})
}

func TestTextBesideCallsIsReadToo(t *testing.T) {
	beside := llmtest.Reply{Text: `{"thought": "it may be a"}`, Calls: calls(llm.ToolCall{Name: "x"})}
	got, rounds, err := do(t, react.Loop{Model: llmtest.Script(t, beside, beside, beside), JSON: true}, task)
	wantErr(t, err, nil)
	same(t, []any{"it may be a", react.EndStuck, "it may be a"}, []any{got.Answer, got.End, rounds[0].Text})
}
