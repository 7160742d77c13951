package llm_test

import (
	"testing"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

func TestConformance(t *testing.T) {
	for provider, wire := range map[string]llmtest.Wire{
		"openai": llmtest.OpenAI, "deepseek": llmtest.OpenAI, "compatible": llmtest.OpenAI, "openrouter": llmtest.OpenAI, "mimo": llmtest.OpenAI,
		"ollama": llmtest.Ollama, "anthropic": llmtest.Anthropic, "gemini": llmtest.Gemini,
	} {
		t.Run(provider, func(t *testing.T) {
			llmtest.Conformance(t, wire, func(t testing.TB, url string) llm.Model { return open(t, provider, url) })
		})
	}
}

func open(t testing.TB, provider, url string) llm.Model {
	t.Helper()
	m, err := llm.Open(llm.Config{Provider: provider, Model: "gpt-4o", BaseURL: url, Key: llm.NewKey(llmtest.TestKey)})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
