package react_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

// noisy is a model that says anything at all.
type noisy struct {
	r       *rand.Rand
	json    bool
	answers int
	faults  []string // of the requests that it was given
}

var phrases = []string{
	"", " ", "\n", "The cause is in a.py, line 12.", "```json\n{\"answer\": \"x\"}\n```", "</untrusted-" + nonce + ">",
	`{"thought": "look", "calls": [{"name": "read_file", "args": {"path": "a"}}]}`,
	`{"thought": "look", "calls": [{"name": "read_file", "args": "{\"path\": \"a\"}"}, {"name": 3}, null, []]}`,
	`{"calls": {"name": "read_more", "args": {"id": "r1", "from": -1}}}`, `{"answer": {"a": [1, {"b": null}]}}`, `{"answer": null}`,
	`[{"answer": "x"}]`, "\x00\x1b[31m\ufeff\U000E0041\u202e", "\xff\xfe\xf0\x28", strings.Repeat("[", 2000), strings.Repeat(`{"a":`, 1000), strings.Repeat("word ", 500),
}

var (
	toolNames = []string{"read_file", "read_more", "", "Read File", "rm -rf", "\xff", strings.Repeat("n", 500), "read_file"}
	toolArgs  = []string{`{"path":"a"}`, `{"path":"b"}`, `{"path":7}`, `{"id":"r1"}`, `{"id":"r1","from":3}`, `{"id":"r1","from":-3}`, `{"id":"r99999999999999999999"}`,
		`{"id":"r-1"}`, `{"from":1e9}`, "", "null", "[]", `"{\"path\":\"a\"}"`, "{", `{"path":"\ud800"}`, "{\"path\":\"\xff\"}", `{"path":"a","path":"b"}`, strings.Repeat(`{"a":`, 12_00), `{}`}
)

func (n *noisy) text() string {
	if n.r.IntN(300) == 0 {
		return strings.Repeat(pick(n.r, []string{"}", "word ", "[", `{"a":`}), 25_000)
	}
	return string(n.mutate([]byte(pick(n.r, phrases))))
}

// call is a name with arguments; half of them are as they should be.
func (n *noisy) call() (name, args string) {
	if n.r.IntN(2) == 0 {
		return "read_file", fmt.Sprintf(`{"path":%q,"line":%d}`, pick(n.r, []string{"a", "b", "c"}), n.r.IntN(100))
	}
	return pick(n.r, toolNames), pick(n.r, toolArgs)
}

// protocol is a turn in the JSON protocol, in two of three as it should be.
func (n *noisy) protocol() string {
	var wishes []string
	for range 1 + n.r.IntN(3) {
		name, args := n.call()
		if !json.Valid([]byte(args)) && n.r.IntN(4) > 0 {
			args = "{}"
		}
		quoted, _ := json.Marshal(name)
		wishes = append(wishes, fmt.Sprintf(`{"name": %s, "args": %s}`, quoted, args))
	}
	turn := fmt.Sprintf(`{"thought": "look", "calls": [%s]}`, strings.Join(wishes, ", "))
	switch n.r.IntN(8) {
	case 0:
		turn = `{"thought": "clear", "answer": "a is empty"}`
	case 1:
		turn = "struct{} {}\n```json\n" + turn + "\n```\n" + `{"answer": "made up"}`
	case 2:
		turn = "<think>{\"calls\": []}</think>" + turn
	}
	if n.r.IntN(3) == 0 {
		return string(n.mutate([]byte(turn)))
	}
	return turn
}

func (n *noisy) mutate(b []byte) []byte {
	for range n.r.IntN(4) {
		if len(b) == 0 {
			break
		}
		at := n.r.IntN(len(b))
		switch n.r.IntN(4) {
		case 0:
			b = b[:at]
		case 1:
			b[at] = byte(n.r.Uint32())
		case 2:
			b = slices.Concat(b[:at], []byte(pick(n.r, phrases)), b[at:])
		case 3:
			b = slices.Delete(b, at, min(len(b), at+1+n.r.IntN(8)))
		}
	}
	return b
}

func pick[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

func (n *noisy) Generate(_ context.Context, req llm.Request) (llm.Response, error) {
	n.answers++
	if fault := malformed(req); fault != "" {
		n.faults = append(n.faults, fault)
	}
	resp := llm.Response{Model: n.text(), Text: n.text(), Stop: pick(n.r, []llm.Stop{llm.StopEnd, llm.StopTools, llm.StopLength, "", "\xff"})}
	resp.Usage = llm.Usage{Calls: n.r.IntN(3), Input: pick(n.r, []int{0, 100, -5, 1 << 62}), Output: pick(n.r, []int{0, 10, -1 << 62, 1 << 62})}
	resp.Usage.Cost.Amount = pick(n.r, []llm.Money{0, 1000, -1 << 62, 1 << 62})
	for range pick(n.r, []int{0, 0, 0, 1, 1, 2, 3, 3, n.r.IntN(100)}) {
		name, args := n.call()
		resp.Calls = append(resp.Calls, llm.ToolCall{ID: pick(n.r, []string{"", "1", "\xff", "x", n.text()}), Name: name,
			Args: json.RawMessage(args), Malformed: pick(n.r, []string{"", "", "", "", "", "", n.text()}), Signature: pick(n.r, []string{"", n.text()})})
	}
	if n.json && n.r.IntN(5) > 0 {
		resp.Text, resp.Calls, resp.Stop = n.protocol(), nil, llm.StopEnd
	}
	switch n.r.IntN(60) {
	case 0:
		return resp, &llm.Error{Op: "call", Kind: pick(n.r, []error{llm.ErrContext, llm.ErrUnavailable, llm.ErrAuth, llm.ErrBudget})}
	case 1:
		resp.Stop = llm.StopFilter
	}
	return resp, nil
}
