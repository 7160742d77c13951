package react_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/nodes/react"
)

// isID is what Anthropic takes for the id of a call.
var isID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// malformed says what a provider would refuse in a request.
func malformed(req llm.Request) string {
	var open []string
	ids := map[string]bool{}
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
				if len(req.Tools) == 0 {
					return "a call without tools"
				}
				if ids[p.Call.ID] || !isID.MatchString(p.Call.ID) || json.Unmarshal(p.Call.Args, &object) != nil || object == nil || p.Call.Name == "" || strings.Contains(p.Call.Name, " ") {
					return fmt.Sprintf("call %+v", p.Call)
				}
				open, ids[p.Call.ID] = append(open, p.Call.ID), true
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
	if asJSON && strings.HasPrefix(got.Answer, `{"thought"`) || strings.Contains(got.Answer, nonce) {
		t.Errorf("seed %d: the answer is %q", seed, got.Answer)
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
