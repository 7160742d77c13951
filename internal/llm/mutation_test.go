package llm_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

// TestDecodeMutations puts 10,000 mutated and random answers through Decode: each
// ends in a value that is valid, or in an error with a type.
func TestDecodeMutations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seeds := []string{
		good, "```json\n" + good + "\n```", `{"summary":"\u00e9\\d\n","findings":null}`, strings.Repeat("{", 300), strings.Repeat("[{", 200),
		`<think>{</think>{"summary":1e999,"findings":[[[[]]]]}`, "\"\\\"{\\\\\"", "{\"summary\":\"\xff\xfe\",\"findings\":{}}",
	}
	counts := map[string]int{}
	for range 10_000 {
		text := mutate(r, seeds[r.IntN(len(seeds))])
		m := llmtest.Script(t, llmtest.Say(text), llmtest.Say(text))
		v, resp, err := llm.Decode[review](t.Context(), m, ask("review"))
		switch {
		case err == nil && v.Summary != "" && v.Findings != nil:
			counts["value"]++
			if resp.Usage.Calls == 1 {
				m.Generate(t.Context(), ask("unused")) // takes the second reply
			}
		case errors.Is(err, llm.ErrUnusable):
			counts["error"]++
		default:
			t.Fatalf("%q gives %+v, %v", text, v, err)
		}
	}
	if counts["value"] < 1000 || counts["error"] < 1000 {
		t.Errorf("the mutations are one-sided: %v", counts)
	}
}

const bits = "{}[]\",:\\ \n`'tfn0129.-+eE%/*_aNuT\x00\xff\u00e9"

func mutate(r *rand.Rand, s string) string {
	b := []byte(s)
	for range r.IntN(4) {
		at := r.IntN(len(b) + 1)
		switch r.IntN(5) {
		case 0:
			b = append(b[:at:at], append([]byte{bits[r.IntN(len(bits))]}, b[at:]...)...)
		case 1:
			b = append(b[:at:at], b[min(at+r.IntN(9), len(b)):]...)
		case 2:
			end := min(at+r.IntN(30), len(b))
			b = append(b[:end:end], append([]byte(string(b[at:end])), b[end:]...)...)
		case 3:
			b = b[:at]
		case 4:
			if at < len(b) {
				b[at] = byte(r.IntN(256))
			}
		}
	}
	return string(b)
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{good, "```json\n{}\n```", `{"summary":"\d","findings":[{"severity":"Med"}]}`, `{"a":{"b":"c"}} {`, "<think>x</think>[1]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := llm.Parse[review](s)
		if err == nil && (v.Summary == "" || v.Findings == nil) {
			t.Errorf("%q is read as %+v", s, v)
		}
		if err != nil && !errors.Is(err, llm.ErrUnusable) {
			t.Errorf("%q gives %v", s, err)
		}
	})
}
