package react_test

import (
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
)

func TestModelWithoutToolCallingWritesJSON(t *testing.T) {
	m := llmtest.Script(t,
		llmtest.Say("Let me see:\n```json\n{\"thought\": \"Look.\", \"calls\": [{\"name\": \"read_file\", \"args\": {\"path\": \"a\", \"line\": 12345678}}, {\"name\": \"read_file\"}]}\n```"),
		llmtest.Say("I think it is a."),
		llmtest.Say(`{"thought": "hm"}`),
		llmtest.Say(`{"thought": "clear", "answer": "a < b"}`))
	got, _, err := do(t, react.Loop{Model: m, JSON: true, Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, nil)
	same(t, []any{"a < b", react.EndAnswer}, []any{got.Answer, got.End})
	last := m.Requests()[3]
	if len(last.Tools) != 0 {
		t.Error("tools are offered")
	}
	form := `Write one JSON object, {"thought": "…", "calls": [{"name": "…", "args": {}}]} or {"thought": "…", "answer": "…"}.`
	same(t, []string{
		`assistant: {"thought":"Look.","calls":[{"name":"read_file","args":{"line":12345678,"path":"a"}},{"name":"read_file","args":{}}]}`,
		"user: read_file gave: " + fenced("r1", "A") + "\n\nread_file failed: " + fenced("r2", "no such file: "),
		"assistant: I think it is a.",
		"user: That is not in order: there is no JSON object in it. " + form,
		`assistant: {"thought": "hm"}`,
		"user: That is not in order: it has neither calls nor an answer. " + form,
	}, lines(last.Messages))
	golden(t, "json.golden", last.Messages[0].Text())
}

func TestJSONModelMustAnswerInTheLastRound(t *testing.T) {
	for text, want := range map[string]string{
		`{"answer": {"file": "a"}}`: `{"file":"a"}`,
		"just prose":                "just prose",
		`{"thought": "it may be a", "calls": [{"name": "read_file"}]}`: "it may be a",
	} {
		got, _, err := do(t, react.Loop{Model: llmtest.Script(t, llmtest.Say(text)), JSON: true, MaxRounds: 1}, task)
		wantErr(t, err, nil)
		same(t, want, got.Answer)
	}
}

func TestJSONModelThatIsCutOffIsTold(t *testing.T) {
	m := llmtest.Script(t, llmtest.Reply{Text: `{"thought": "lo`, Stop: llm.StopLength}, llmtest.Say(`{"answer": "b"}`))
	got, _, err := do(t, react.Loop{Model: m, JSON: true, TurnTokens: 9}, task)
	wantErr(t, err, nil)
	same(t, "user: That was cut off after 9 tokens. Say it again, shorter.", lines(got.Messages)[1])
}

func TestSystemPrompt(t *testing.T) {
	m := llmtest.Script(t, llmtest.Say("done"))
	_, _, err := do(t, react.Loop{Model: m}, task)
	wantErr(t, err, nil)
	golden(t, "native.golden", m.Requests()[0].Messages[0].Text())
}

func TestCallsThatAreAllThereAreNotCutOff(t *testing.T) {
	cut := llmtest.Reply{Text: `{"calls": [{"name": "read_file", "args": {"path": "a"}}]} and`, Stop: llm.StopLength}
	got, _, err := do(t, react.Loop{Model: llmtest.Script(t, cut, llmtest.Say(`{"answer": "A"}`)), JSON: true, Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, nil)
	same(t, []string{fenced("r1", "A")}, replies(got.Messages))
}
