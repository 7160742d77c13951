package llm_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

// TestConcedes has models that turn down what others want, in their own words: the
// call is made again without, once, and the next call begins without.
func TestConcedes(t *testing.T) {
	for name, tt := range map[string]struct {
		provider string
		refusals []string
		gone     []string // members of the body
	}{
		"temperature, OpenAI":    {"openai", []string{"Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."}, []string{`"temperature"`}},
		"temperature, Anthropic": {"anthropic", []string{"`temperature` is deprecated for this model."}, []string{`"temperature"`}},
		"schema":                 {"compatible", []string{"response_format.type 'json_schema' is not supported"}, []string{`"response_format"`}},
		"output format":          {"anthropic", []string{"output_config.format.schema: For 'object' type, 'additionalProperties' must be false"}, []string{`"output_config"`}},
		"both":                   {"openai", []string{"json_schema is not available", "temperature is not supported"}, []string{`"temperature"`, `"response_format"`}},
	} {
		t.Run(name, func(t *testing.T) {
			var turns []llmtest.Turn
			for _, r := range tt.refusals {
				turns = append(turns, llmtest.Turn{Status: 400, Message: r})
			}
			said := llmtest.Turn{Text: good, Input: 9, Output: 1}
			server := llmtest.NewServer(t, wires[tt.provider], append(turns, said, said)...)
			m := open(t, tt.provider, server.URL)
			for i, calls := range []int{len(turns) + 1, 1} {
				req := ask("x")
				req.Key = []string{"k1", "k2"}[i]
				got, resp, err := llm.Decode[review](t.Context(), m, req)
				if diff := cmp.Diff(goodReview, got); err != nil || diff != "" {
					t.Fatalf("%v (-want +got):\n%s", err, diff)
				}
				if u := resp.Usage; u.Calls != calls || u.Failed != calls-1 || u.Input != 9 {
					t.Errorf("call %d: the usage is %+v", i+1, u)
				}
			}
			heard := server.Heard()
			keys := map[string]bool{}
			for i, h := range heard {
				keys[h.Header.Get("Idempotency-Key")] = true
				for _, member := range tt.gone {
					if strings.Contains(string(h.Body), member) && i >= len(turns) {
						t.Errorf("request %d still has %s", i+1, member)
					}
				}
			}
			if len(keys) != len(heard) {
				t.Errorf("%d requests have the keys %v", len(heard), keys)
			}
		})
	}
}

// TestConcedesOnce ends where a server turns down everything.
func TestConcedesOnce(t *testing.T) {
	refusal := llmtest.Turn{Status: 400, Message: "temperature is not supported with response_format"}
	server := llmtest.NewServer(t, llmtest.OpenAI, refusal, refusal, refusal)
	_, resp, err := llm.Decode[review](t.Context(), open(t, "openai", server.URL), ask("x"))
	if err == nil || resp.Usage.Calls != 3 || resp.Usage.Failed != 3 {
		t.Errorf("it gives %v after %s", err, resp.Usage)
	}
}

func TestDecodeKeys(t *testing.T) {
	var keys []string
	note := func(r llm.Request) error { keys = append(keys, r.Key); return nil }
	for _, key := range []string{"k", ""} {
		m := llmtest.Script(t,
			llmtest.Reply{Text: good[:20], Stop: llm.StopLength, Check: note},
			llmtest.Reply{Text: "no", Check: note},
			llmtest.Reply{Text: good, Check: note})
		req := ask("x")
		req.Key = key
		if _, _, err := llm.Decode[review](t.Context(), m, req); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"k", "k/shorter", "k/shorter/repair", "", "", ""}, keys); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

func TestRetriesShareAKey(t *testing.T) {
	server := llmtest.NewServer(t, llmtest.OpenAI, llmtest.Turn{Text: "a", Input: 1, Output: 1, Cut: true})
	req := ask("x")
	req.Key = "k"
	resp, err := llm.Retry{Model: open(t, "openai", server.URL), Wait: 1}.Generate(t.Context(), req)
	if err != nil || resp.Text != "a" || server.Paid() != 1 || len(server.Heard()) != 2 || !server.Heard()[1].Repeated {
		t.Errorf("it gives %q, %v; %d of %d are paid", resp.Text, err, server.Paid(), len(server.Heard()))
	}
}

func TestBadKeyIsRefused(t *testing.T) {
	for _, key := range []string{"a b", "a\r\nX-Evil: 1", "schlüssel", strings.Repeat("k", 221)} {
		req := ask("x")
		req.Key = key
		if resp, err := open(t, "openai", "http://127.0.0.1:1").Generate(t.Context(), req); err == nil || resp.Usage.Calls != 0 || !strings.Contains(err.Error(), "idempotency key") {
			t.Errorf("the key %q gives %v", key, err)
		}
	}
}
