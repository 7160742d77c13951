package react_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/nodes/react"
	"github.com/repomind/repomind/tools"
)

// explorer reads a new large file in each round.
func explorer(rounds int) (texts map[string]string, replies []llmtest.Reply) {
	texts = map[string]string{}
	for i := range rounds {
		path := fmt.Sprint("f", i)
		texts[path] = strings.Repeat("some words of "+path+"\n", 300)
		replies = append(replies, llmtest.Reply{Text: strings.Repeat("I wonder. ", 100), Calls: calls(read(path))})
	}
	return texts, append(replies, llmtest.Say("done"))
}

// takenOut is what stands for a result whose first line that is.
func takenOut(id, first string) string {
	return strings.Replace(fenced(id, first), id+"\n", "["+id+": taken out to make room; read_more shows it again; it began:]\n", 1)
}

func TestConversationStaysInTheWindow(t *testing.T) {
	texts, replies := explorer(11)
	for i := range replies {
		replies[i].Check = func(r llm.Request) error {
			if n := llm.Estimate(r); n > 8000-1000 {
				return fmt.Errorf("%d tokens", n)
			}
			return nil
		}
	}
	m := llmtest.Script(t, replies...)
	got, _, err := do(t, react.Loop{Model: m, Window: 8000, TurnTokens: 1000, Tools: files(texts, nil)}, task)
	wantErr(t, err, nil)
	same(t, "done", got.Answer)
	last := m.Requests()[10].Messages
	short := strings.Repeat("I wonder. ", 60) + " […]"
	same(t, []string{"assistant: " + short, `assistant calls read_file {"path":"f0"}`, "tool gives: " + takenOut("r1", "some words of f0")}, lines(last)[:3])
	if text := last[len(last)-1].Parts[0].Result.Text; !strings.Contains(text, "some words of f9") {
		t.Errorf("the last result is %q", text)
	}
	if text := got.Messages[3].Parts[0].Result.Text; !strings.Contains(text, "some words of f0") {
		t.Errorf("the transcript has %q", text)
	}
	// The prefix of a request changes only when room is made.
	changes := 0
	for i := 1; i < 11; i++ {
		before := lines(m.Requests()[i-1].Messages)
		if now := lines(m.Requests()[i].Messages); !slices.Equal(before, now[:min(len(before), len(now))]) {
			changes++
		}
	}
	if changes < 2 || changes > 5 {
		t.Errorf("%d of 10 requests have another prefix", changes)
	}
}

func TestResultThatWasTakenOutIsShownAgain(t *testing.T) {
	texts, replies := explorer(8)
	m := llmtest.Script(t, append(replies[:8], llmtest.Reply{Calls: calls(read("f0"), llm.ToolCall{Name: "read_more", Args: []byte(`{"id":"r2"}`)})}, llmtest.Say("done"))...)
	got, _, err := do(t, react.Loop{Model: m, Window: 8000, TurnTokens: 1000, Tools: files(texts, nil)}, task)
	wantErr(t, err, nil)
	parts := got.Messages[len(got.Messages)-2].Parts
	for i, want := range []string{"This call was made before; this is the same result. r1", "r2"} {
		if text := parts[i].Result.Text; !strings.HasPrefix(text, want) || !strings.Contains(text, fmt.Sprint("some words of f", i)) {
			t.Errorf("got %.100q", text)
		}
	}
}

func TestASmallerWindowThanToldIsLearnt(t *testing.T) {
	texts, replies := explorer(4)
	full := llmtest.Fail(&llm.Error{Op: "call", Kind: llm.ErrContext})
	m := llmtest.Script(t, replies[0], replies[1], replies[2], full, llmtest.Say("done"))
	got, _, err := do(t, react.Loop{Model: m, Tools: files(texts, nil)}, task)
	wantErr(t, err, nil)
	before, after := llm.Estimate(m.Requests()[3]), llm.Estimate(m.Requests()[4])
	if after > before*7/10 {
		t.Errorf("%d tokens before, %d after", before, after)
	}
	same(t, []int{4, 5}, []int{got.Rounds, got.Usage.Calls})

	texts, replies = explorer(9)
	m = llmtest.Script(t, append(replies[:9], full, full, llmtest.Say("done"))...)
	got, _, err = do(t, react.Loop{Model: m, Tools: files(texts, nil)}, task)
	wantErr(t, err, nil)
	same(t, llm.Usage{Calls: 12, Failed: 2}, llm.Usage{Calls: got.Usage.Calls, Failed: got.Usage.Failed})

	_, _, err = do(t, react.Loop{Model: llmtest.Script(t, full), Tools: files(texts, nil)}, task)
	wantErr(t, err, llm.ErrContext)
}

func TestTheLastRoundStaysWhole(t *testing.T) {
	texts, replies := explorer(3)
	m := llmtest.Script(t, append(replies[:3], llmtest.Say("done"))...)
	_, _, err := do(t, react.Loop{Model: m, Window: 600, TurnTokens: 100, Tools: files(texts, nil)}, task)
	wantErr(t, err, nil)
	said := lines(m.Requests()[3].Messages)
	same(t, []bool{true, false}, []bool{strings.Contains(said[5], "taken out"), strings.Contains(said[8], "taken out")})
	same(t, "assistant: "+strings.Repeat("I wonder. ", 100), said[6])
}

func TestEachResultSaysHowToGetIt(t *testing.T) {
	var set tools.Set
	for i := range 60 {
		set = append(set, tools.Tool{Name: fmt.Sprintf("a_tool_of_some_length_%d", i), Call: func(context.Context, json.RawMessage) tools.Result {
			return tools.Result{Text: strings.Repeat("some words\n", 1000)}
		}})
	}
	m := llmtest.Script(t, llmtest.Call("nothing", `{}`), llmtest.Call(set[0].Name, `{}`), llmtest.Call(set[0].Name, `{}`),
		llmtest.Call(set[1].Name, `{}`), llmtest.Call(set[2].Name, `{}`), llmtest.Call(set[0].Name, `{}`), llmtest.Call(set[0].Name, `{}`), llmtest.Say("done"))
	_, _, err := do(t, react.Loop{Model: m, Window: 3000, TurnTokens: 500, Tools: set}, task)
	wantErr(t, err, nil)
	var last []string
	for _, line := range lines(m.Requests()[7].Messages) {
		if text, ok := strings.CutPrefix(line, "tool "); ok {
			last = append(last, text[:min(len(text), 40)]+" … "+text[max(0, len(text)-24):])
		}
	}
	same(t, []string{
		`fails: There is no tool "nothing". The t … ol_of_some_length_ […]`,
		"gives: [r1, bytes 0 to 2244 of 11000: ta … rusted-K3XQ7ZP2MD4TBV5N>",
		"gives: This call was made before, and it … mething else, or answer.",
		"gives: [r2, bytes 0 to 2244 of 11000: ta … rusted-K3XQ7ZP2MD4TBV5N>",
		"gives: r3, bytes 0 to 2244 of 11000\n<unt … , \"from\": 2244} goes on]",
		`gives: This call was made before; this i … , "from": 2244} goes on]`, // as it had been taken out
		"gives: This call was made before, and it … mething else, or answer.", // as it stands there again
	}, last)
}

func TestReasoningIsTakenOutToo(t *testing.T) {
	texts, replies := explorer(11)
	for i := range replies {
		for j := range replies[i].Calls {
			replies[i].Calls[j].Signature = strings.Repeat("hm, so it may be ", 250)
		}
		replies[i].Check = func(r llm.Request) error {
			if n := llm.Estimate(r); n > 8000-1000 {
				return fmt.Errorf("%d tokens", n)
			}
			if fault := malformed(r); fault != "" {
				return errors.New(fault)
			}
			return nil
		}
	}
	m := llmtest.Script(t, replies...)
	_, _, err := do(t, react.Loop{Model: m, Window: 8000, TurnTokens: 1000, Tools: files(texts, nil)}, task)
	wantErr(t, err, nil)
	said := lines(m.Requests()[10].Messages)
	same(t, []string{
		"assistant: " + strings.Repeat("I wonder. ", 60) + " […]\n\n(I called read_file {\"path\":\"f0\"})",
		"user: read_file gave: " + takenOut("r1", "some words of f0"),
	}, said[:2])
	if last := m.Requests()[10].Messages; last[len(last)-2].Parts[1].Call.Signature == "" {
		t.Error("the last round lacks its reasoning")
	}
}
