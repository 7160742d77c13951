package react_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
)

func TestALongResultIsCutAndTheRestCanBeHad(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", 200) // 3200 bytes
	m := llmtest.Script(t, llmtest.Call("read_file", `{"path":"a"}`), llmtest.Call("read_more", `{"id":"r1","from":1500}`),
		llmtest.Call("read_more", `{"id":"r1","from":2992}`), llmtest.Call("read_more", `{"id":"r2"}`), llmtest.Call("read_more", `{"id":"r1","from":3200}`),
		llmtest.Call("read_more", `{"from":"x"}`))
	got, _, err := do(t, react.Loop{Model: m, ShowBytes: 1500, Tools: files(map[string]string{"a": text}, nil)}, task)
	wantErr(t, err, react.ErrNoAnswer) // the last three were bad
	same(t, react.EndStuck, got.End)
	var shown []string
	for _, m := range got.Messages {
		for _, p := range m.Parts {
			if p.Result != nil {
				l := strings.Split(p.Result.Text, "\n")
				shown = append(shown, l[0], l[len(l)-1])
			}
		}
	}
	end := "</untrusted-" + nonce + ">"
	same(t, []string{
		"r1, bytes 0 to 1488 of 3200", `[1712 bytes are not shown; read_more {"id": "r1", "from": 1488} goes on]`,
		"r1, bytes 1500 to 2992 of 3200", `[208 bytes are not shown; read_more {"id": "r1", "from": 2992} goes on]`,
		"r1, bytes 2992 to 3200 of 3200", end,
		`There is no result "r2"; there are r1 to r1.`, `There is no result "r2"; there are r1 to r1.`,
		"r1 has 3200 bytes; from must be between 0 and 3199.", "r1 has 3200 bytes; from must be between 0 and 3199.",
		`from must be a whole number, not "x"; id is missing; the parameters are id, [from]`, `from must be a whole number, not "x"; id is missing; the parameters are id, [from]`,
	}, shown)
}

func TestResultsAreCutBetweenCharacters(t *testing.T) {
	m := llmtest.Script(t, llmtest.Call("read_file", `{"path":"a"}`), llmtest.Call("read_more", `{"id":"r1","from":3}`), llmtest.Say("done"))
	got, _, err := do(t, react.Loop{Model: m, ShowBytes: 1, Tools: files(map[string]string{"a": "éüö"}, nil)}, task)
	wantErr(t, err, nil)
	var shown []string
	for _, i := range []int{3, 5} {
		shown = append(shown, strings.Split(got.Messages[i].Parts[0].Result.Text, "\n")[2])
	}
	same(t, []string{"é", "ü"}, shown)
}

func TestReadingTheSameAgainAndAgainEndsTheLoop(t *testing.T) {
	again := llmtest.Call("read_more", `{"id":"r1"}`)
	m := llmtest.Script(t, llmtest.Call("read_file", `{"path":"a"}`), again, again, again, again)
	got, _, err := do(t, react.Loop{Model: m, Tools: files(map[string]string{"a": "A"}, nil)}, task)
	wantErr(t, err, react.ErrNoAnswer)
	same(t, []any{react.EndStuck, 5}, []any{got.End, got.Rounds})
}

// replies are what the calls were answered with, in order.
func replies(messages []llm.Message) (all []string) {
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.Result != nil {
				all = append(all, p.Result.Text)
			}
		}
	}
	return all
}

func TestReadMoreTakesItsArgumentsStrictly(t *testing.T) {
	const params = "; the parameters are id, [from]"
	for args, want := range map[string]string{
		`{}`:                       "id is missing" + params,
		`{"id":null,"from":0}`:     "id is missing" + params,
		`{"id":"r1","to":9}`:       `there is no argument "to"` + params,
		`{"id":1}`:                 "id must be a string as r1, not 1" + params,
		`{"id":["r1"],"from":1.5}`: `from must be a whole number, not 1.5; id must be a string as r1, not ["r1"]` + params,
		`{"id":"r1","ID":"r2"}`:    "id is given twice" + params,
		`{"id":"r1","from":"top","x":"<untrusted-y>"}`:    `from must be a whole number, not "top"; there is no argument "x"` + params,
		`{"id":"r1","from":1e300}`:                        "from must be a whole number, not 1e+300" + params,
		`{"id":"r1","` + strings.Repeat("<", 60) + `":1}`: `there is no argument "` + strings.Repeat("<", 40) + `"` + params,
		`{"id":"r01"}`:              `There is no result "r01"; there are r1 to r1.`,
		`{"id":"r1","from":-1}`:     "r1 has 1 bytes; from must be between 0 and 0.",
		`{"ID":" r1 ","from":"0"}`:  fenced("r1", "A"),
		`{"arguments":{"id":"r1"}}`: fenced("r1", "A"),
	} {
		m := llmtest.Script(t, llmtest.Call("read_file", `{"path":"a"}`), llmtest.Call("read_more", args), llmtest.Say("done"))
		got, _, err := do(t, react.Loop{Model: m, Tools: files(map[string]string{"a": "A"}, nil)}, task)
		wantErr(t, err, nil)
		same(t, want, replies(got.Messages)[1])
		same(t, !strings.HasPrefix(want, "r1\n"), got.Calls[1].Bad)
	}
}

func TestTheSameRestIsShownOnce(t *testing.T) {
	more := func(args string) llm.ToolCall { return llm.ToolCall{Name: "read_more", Args: json.RawMessage(args)} }
	text := strings.Repeat("0123456789abcde\n", 100)
	m := llmtest.Script(t, llmtest.Call("read_file", `{"path":"a"}`), llmtest.Reply{Calls: calls(more(`{"id":"r1","from":800}`), more(`{"from":"800","id":"r1"}`), more(`{"id":"r1"}`))},
		llmtest.Reply{Calls: calls(more(`{"id":"r1","from":0}`), more(`{"id":"r1","from":800}`), read("b"))}, llmtest.Say("done"))
	got, _, err := do(t, react.Loop{Model: m, ShowBytes: 320, Tools: files(map[string]string{"a": text, "b": "B"}, nil)}, task)
	wantErr(t, err, nil)
	var first []string
	for _, text := range replies(got.Messages) {
		first = append(first, strings.Split(text, "\n")[0])
	}
	stands := func(from int) string {
		return fmt.Sprintf("This call was made before, and r1 from byte %d stands above. Do something else, or answer.", from)
	}
	same(t, []string{"r1, bytes 0 to 320 of 1600", "r1, bytes 800 to 1120 of 1600", stands(800), "r1, bytes 0 to 320 of 1600", stands(0), stands(800), "r2"}, first)
}

func TestARestThatWasTakenOutIsShownAgain(t *testing.T) {
	texts, replied := explorer(8)
	again := llmtest.Call("read_more", `{"id":"r1"}`)
	all := append([]llmtest.Reply{replied[0], again}, replied[1:8]...)
	m := llmtest.Script(t, append(all, llmtest.Reply{Calls: append(again.Calls, again.Calls...)}, llmtest.Say("done"))...)
	got, _, err := do(t, react.Loop{Model: m, Window: 8000, TurnTokens: 1000, Tools: files(texts, nil)}, task)
	wantErr(t, err, nil)
	said := replies(got.Messages)
	if text := said[9]; !strings.HasPrefix(text, "This call was made before; this is the same result. r1") || !strings.Contains(text, "some words of f0") {
		t.Errorf("got %.200q", text)
	}
	same(t, "This call was made before, and r1 from byte 0 stands above. Do something else, or answer.", said[10])
}

func TestAlmostAllIsShownAsAll(t *testing.T) {
	for _, tt := range []struct {
		bytes int
		want  string
	}{{1000, "r1"}, {1110, "r1"}, {1112, "r1, bytes 0 to 1000 of 1112"}} {
		m := llmtest.Script(t, llmtest.Call("read_file", `{"path":"a"}`), llmtest.Say("done"))
		got, _, err := do(t, react.Loop{Model: m, ShowBytes: 1000, Tools: files(map[string]string{"a": strings.Repeat("x", tt.bytes)}, nil)}, task)
		wantErr(t, err, nil)
		same(t, tt.want, strings.Split(replies(got.Messages)[0], "\n")[0])
	}
}

func TestManyResultsShareTheWindow(t *testing.T) {
	texts := map[string]string{}
	var all []llm.ToolCall
	for i := range 10 {
		path := fmt.Sprint(i)
		texts[path] = strings.Repeat("x", 2000)
		all = append(all, read(path))
	}
	m := llmtest.Script(t, llmtest.Reply{Calls: all}, llmtest.Say("done"))
	got, _, err := do(t, react.Loop{Model: m, Window: 1000, TurnTokens: 100, Tools: files(texts, nil)}, task)
	wantErr(t, err, nil)
	same(t, "r10, bytes 0 to 300 of 2000", strings.Split(replies(got.Messages)[9], "\n")[0])
}

func TestSmallResultsLeaveRoomForLargeOnes(t *testing.T) {
	texts := map[string]string{"a": strings.Repeat("x", 2000), "b": "short", "c": strings.Repeat("y", 2000)}
	m := llmtest.Script(t, llmtest.Reply{Calls: []llm.ToolCall{read("a"), read("b"), read("c")}}, llmtest.Say("done"))
	got, _, err := do(t, react.Loop{Model: m, Window: 4000, TurnTokens: 100, Tools: files(texts, nil)}, task)
	wantErr(t, err, nil)
	var first []string
	for _, text := range replies(got.Messages) {
		first = append(first, strings.Split(text, "\n")[0])
	}
	same(t, []string{"r1, bytes 0 to 1497 of 2000", "r2", "r3, bytes 0 to 1498 of 2000"}, first)
}
