package llm_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

// TestNoCallsGoesOut has the words of each API; llmtest.Conformance has what they do.
func TestNoCallsGoesOut(t *testing.T) {
	req := ask("x")
	req.NoCalls, req.Tools = true, []llm.Tool{{Name: "f"}}
	none := `"none"`
	for _, tt := range []struct{ provider, model, member, want string }{
		{"openai", "m", "tool_choice", none}, {"deepseek", "m", "tool_choice", none}, {"mimo", "m", "tool_choice", none},
		{"openrouter", "m", "tool_choice", none}, {"ollama", "m", "tool_choice", none}, {"compatible", "m", "tool_choice", none},
		{"anthropic", "m", "tool_choice", `{"type":"none"}`},
		{"gemini", "m", "toolConfig", `{"functionCallingConfig":{"mode":"NONE"}}`},
	} {
		if got := string(sends(t, tt.provider, tt.model, req)[tt.member]); got != tt.want {
			t.Errorf("%s gets %s %s, want %s", tt.provider, tt.member, got, tt.want)
		}
	}
	req.Schema = json.RawMessage(`{"type":"object"}`) // an old model answers it by a tool where there are no others
	if got := string(sends(t, "anthropic", "claude-3-5-haiku-latest", req)["tool_choice"]); got != `{"type":"none"}` {
		t.Errorf("an old Claude gets %s", got)
	}
}

// TestNoCallsIsRecorded shows that a cassette tells the two kinds of requests apart,
// and that those from before are still found.
func TestNoCallsIsRecorded(t *testing.T) {
	dir := t.TempDir()
	req := talk()
	if _, err := llm.Record(dir, "m", llmtest.Script(t, llmtest.Say("free"))).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	req.NoCalls = true
	if got, err := llm.Replay(dir, "m").Generate(t.Context(), req); !errors.Is(err, llm.ErrMiss) {
		t.Errorf("without a recording it gives %+v, %v", got, err)
	}
	if _, err := llm.Record(dir, "m", llmtest.Script(t, llmtest.Say("quiet"))).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	play := llm.Replay(dir, "m")
	for no, want := range map[bool]string{true: "quiet", false: "free"} {
		req.NoCalls = no
		if got, err := play.Generate(t.Context(), req); err != nil || got.Text != want {
			t.Errorf("with NoCalls %t it gives %q, %v", no, got.Text, err)
		}
	}
}

// TestTextsAreAString has what servers refuse that take no list for a content.
func TestTextsAreAString(t *testing.T) {
	req := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Parts: []llm.Part{{Text: "a"}, {Text: "b"}}}}}
	for _, provider := range []string{"openai", "deepseek", "mimo", "openrouter", "ollama", "compatible"} {
		if got := string(sends(t, provider, "m", req)["messages"]); got != `[{"content":"a\n\nb","role":"user"}]` && got != `[{"role":"user","content":"a\n\nb"}]` {
			t.Errorf("%s gets %s", provider, got)
		}
	}
}

// TestGeminiTakesAnySchema has one with a list of types, which Gemini's older form of
// parameters refuses: it goes out as JSON Schema, as it is.
func TestGeminiTakesAnySchema(t *testing.T) {
	schema := `{"type":"object","properties":{"in":{"type":["null","array"],"items":{"type":"string"}}},"additionalProperties":false}`
	req := ask("x")
	req.Tools = []llm.Tool{{Name: "f", Description: "Finds.", Schema: json.RawMessage(schema)}}
	want := `[{"functionDeclarations":[{"name":"f","description":"Finds.","parametersJsonSchema":` + schema + `}]}]`
	if diff := cmp.Diff(want, string(sends(t, "gemini", "m", req)["tools"])); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
}
