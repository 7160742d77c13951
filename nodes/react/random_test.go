package react_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/nodes/react"
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
		return resp, &llm.Error{Op: "call", Kind: pick(n.r, []error{llm.ErrContext, llm.ErrUnavailable, llm.ErrAuth})}
	case 1:
		resp.Stop = llm.StopFilter
	}
	return resp, nil
}

// malformed says what a provider would refuse in a request.
func malformed(req llm.Request) string {
	var open []string
	for i, m := range req.Messages {
		if i > 0 && m.Role == req.Messages[i-1].Role || i == 0 && m.Role != llm.RoleSystem || i == 1 && m.Role != llm.RoleUser || len(m.Parts) == 0 {
			return fmt.Sprintf("message %d is of the %s, with %d parts", i, m.Role, len(m.Parts))
		}
		if len(open) > 0 && m.Role != llm.RoleTool {
			return fmt.Sprintf("no results for %q", open)
		}
		for _, p := range m.Parts {
			switch {
			case p.Call != nil:
				var object map[string]any
				if slices.Contains(open, p.Call.ID) || p.Call.ID == "" || json.Unmarshal(p.Call.Args, &object) != nil || object == nil || p.Call.Name == "" || strings.Contains(p.Call.Name, " ") {
					return fmt.Sprintf("call %+v", p.Call)
				}
				open = append(open, p.Call.ID)
			case p.Result != nil:
				if len(open) == 0 || open[0] != p.Result.ID {
					return fmt.Sprintf("result of %q for %q", p.Result.ID, open)
				}
				open = open[1:]
				if end := strings.Count(p.Result.Text, "</untrusted-"+nonce+">"); end != strings.Count(p.Result.Text, "<untrusted-"+nonce) || end > 1 {
					return fmt.Sprintf("fences of %q", p.Result.Text)
				}
			case strings.TrimSpace(p.Text) == "":
				return fmt.Sprintf("message %d has an empty text", i)
			}
		}
	}
	if last := req.Messages[len(req.Messages)-1].Role; last == llm.RoleAssistant {
		return "the model has the last word"
	}
	return ""
}

// tally counts how loops ended and how calls went.
type tally map[string]int

func (c tally) String() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		all = append(all, fmt.Sprintf("%s %d", name, c[name]))
	}
	return strings.Join(all, ", ")
}

func (c tally) add(asJSON bool, got react.Result, err error) {
	mode := map[bool]string{false: "native", true: "json"}[asJSON]
	end := string(got.End)
	if err != nil {
		end += " with an error"
	}
	c[mode+": "+end]++
	for _, call := range got.Calls {
		switch {
		case call.Bad:
			c[mode+" calls: bad"]++
		case call.Failed:
			c[mode+" calls: failed"]++
		default:
			c[mode+" calls: good"]++
		}
	}
}

// noise runs one loop on a seed and says what is wrong with how it ended.
func noise(t testing.TB, seed uint64, asJSON bool, counts tally) (answers int) {
	r := rand.New(rand.NewPCG(seed, 0))
	m := &noisy{r: r, json: asJSON}
	l := react.Loop{
		Model: m, JSON: asJSON, MaxRounds: 1 + r.IntN(15), Window: pick(r, []int{0, 500, 3000}), TurnTokens: pick(r, []int{0, 1, 400}),
		MaxTokens: pick(r, []int{0, 0, 2000, 50_000}), MaxCost: pick(r, []llm.Money{0, 0, 5000}), ShowBytes: pick(r, []int{0, 1, 100}),
		Tools: files(map[string]string{"a": m.text() + nonce, "b": strings.Repeat("é\n", 3000)}, nil),
	}
	if l.Parallel = 1; r.IntN(4) == 0 {
		l.Check = func(string) error { return errors.New(pick(r, phrases)) }
	}
	got, rounds, err := do(t, l, react.Task{System: "You find bugs.", User: "Why?"})
	known := []error{react.ErrNoAnswer, llm.ErrContext, llm.ErrUnavailable, llm.ErrAuth, llm.ErrFiltered}
	switch {
	case err == nil && (strings.TrimSpace(got.Answer) == "" || got.End == react.EndError || got.End == ""):
		t.Errorf("seed %d: no error, end %q, answer %q", seed, got.End, got.Answer)
	case err != nil && (got.End == "" || got.End == react.EndAnswer || !slices.ContainsFunc(known, func(e error) bool { return errors.Is(err, e) })):
		t.Errorf("seed %d: end %q, %v", seed, got.End, err)
	case got.Rounds > l.MaxRounds || len(rounds) > got.Rounds || got.Usage.Input < 0 || got.Usage.Output < 0:
		t.Errorf("seed %d: %d rounds of %d, %d emitted, %s", seed, got.Rounds, l.MaxRounds, len(rounds), got.Usage)
	}
	if len(m.faults) > 0 {
		t.Errorf("seed %d: bad requests: %s", seed, m.faults[0])
	}
	counts.add(asJSON, got, err)
	return m.answers
}

func TestAnyAnswersEndTheLoop(t *testing.T) {
	total := 10_000
	if testing.Short() {
		total = 1000
	}
	for _, asJSON := range []bool{false, true} {
		counts := tally{}
		answers, seed := 0, uint64(0)
		for ; answers < total && !t.Failed(); seed++ {
			answers += noise(t, seed, asJSON, counts)
		}
		t.Logf("%d loops on %d answers: %s", seed, answers, counts)
		ends := 0
		for name := range counts {
			if !strings.Contains(name, "calls") {
				ends++
			}
		}
		// By an answer without an error; by rounds, budget or being stuck with and without one; by an error.
		if ends != 8 && !t.Failed() {
			t.Errorf("only the ends %s were met", counts)
		}
	}
}

func FuzzLoop(f *testing.F) {
	f.Add(uint64(1), true)
	f.Fuzz(func(t *testing.T, seed uint64, asJSON bool) { noise(t, seed, asJSON, tally{}) })
}
