package llm_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/googleai"
	"github.com/tmc/langchaingo/llms/openai"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

// These tests hold the faults of langchaingo v0.1.14 that package llm goes round, by
// calling langchaingo alone. One that fails after an update of langchaingo means that
// its detour may go.

func bareOpenAI(t *testing.T, url string) llms.Model {
	t.Helper()
	m, err := openai.New(openai.WithToken("k"), openai.WithBaseURL(url), openai.WithModel("m"), openai.WithHTTPClient(http.DefaultClient))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// canned serves one body.
func canned(t *testing.T, body string) string {
	return llmtest.NewServer(t, llmtest.OpenAI, llmtest.Turn{Body: []byte(body)}).URL
}

var (
	hello     = []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "hello")}
	some      = llms.WithMaxTokens(10)
	streaming = llms.WithStreamingFunc(func(context.Context, []byte) error { return nil })
)

func TestFaultParallelCallsMix(t *testing.T) {
	calls := []llm.ToolCall{{ID: "1", Name: "a", Args: []byte(`{"path":"one.go"}`)}, {ID: "2", Name: "b", Args: []byte(`{"path":"two.go"}`)}}
	url := llmtest.NewServer(t, llmtest.OpenAI, llmtest.Turn{Calls: calls}).URL
	got, err := bareOpenAI(t, url).GenerateContent(t.Context(), hello, some, streaming)
	if err != nil {
		t.Fatal(err)
	}
	if args := got.Choices[0].ToolCalls[0].FunctionCall.Arguments; args == string(calls[0].Args) {
		t.Errorf("the first call has its own arguments: %s", args)
	}
}

func TestFaultBrokenStreamIsWhole(t *testing.T) {
	url := canned(t, "data: {\"choices\":[{\"delta\":{\"content\":\"half an ans\"}}]}\n\n")
	got, err := bareOpenAI(t, url).GenerateContent(t.Context(), hello, some, streaming)
	if err != nil || got.Choices[0].Content != "half an ans" {
		t.Errorf("a stream without an end gives %v, %v", got, err)
	}
}

func TestFaultLongLineEndsStream(t *testing.T) {
	line := `data: {"choices":[{"delta":{"content":"` + strings.Repeat("x", 70_000) + `"}}]}` + "\n\ndata: [DONE]\n\n"
	_, err := bareOpenAI(t, canned(t, line)).GenerateContent(t.Context(), hello, some, streaming)
	if err == nil || !strings.Contains(err.Error(), "token too long") {
		t.Errorf("a line of 70 kB gives %v", err)
	}
}

func TestFaultSkipsErrorInStream(t *testing.T) {
	url := canned(t, "data: {\"error\":{\"message\":\"overloaded\"}}\n\ndata: [DONE]\n\n")
	got, err := bareOpenAI(t, url).GenerateContent(t.Context(), hello, some, streaming)
	if err != nil || got.Choices[0].Content != "" {
		t.Errorf("an error in a stream gives %v, %v", got, err)
	}
}

func TestFaultNullChoicePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it does not panic")
		}
	}()
	_, _ = bareOpenAI(t, canned(t, `{"choices":[null]}`)).GenerateContent(t.Context(), hello, some)
}

func TestFaultStatusIsText(t *testing.T) {
	url := llmtest.NewServer(t, llmtest.OpenAI, llmtest.Turn{Status: 429, Message: "slow", Header: map[string]string{"Retry-After": "9"}}).URL
	_, err := bareOpenAI(t, url).GenerateContent(t.Context(), hello, some)
	if err == nil || err.Error() != "API returned unexpected status code: 429: slow" || errors.Unwrap(err) != nil {
		t.Errorf("status 429 gives %v", err)
	}
}

func TestFaultCancelIsText(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := bareOpenAI(t, "http://127.0.0.1:1").GenerateContent(ctx, hello, some)
	if err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("a call that was cancelled gives %v", err)
	}
}

// heard sends a conversation through a bare model and gives the request's body.
func heard(t *testing.T, make func(client *http.Client) llms.Model, messages []llms.MessageContent, options ...llms.CallOption) string {
	t.Helper()
	var body strings.Builder
	client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		defer r.Body.Close()
		buf := new(strings.Builder)
		if _, err := io.Copy(buf, r.Body); err != nil {
			return nil, err
		}
		body.WriteString(buf.String())
		return nil, errors.New("seen enough")
	})}
	if _, err := make(client).GenerateContent(t.Context(), messages, options...); err == nil {
		t.Fatal("the call did not end with our error")
	}
	return body.String()
}

func TestFaultAnthropicDropsCalls(t *testing.T) {
	call := llms.ToolCall{ID: "1", Type: "function", FunctionCall: &llms.FunctionCall{Name: "grep", Arguments: `{}`}}
	turn := llms.MessageContent{Role: llms.ChatMessageTypeAI, Parts: []llms.ContentPart{llms.TextContent{Text: "I look"}, call}}
	body := heard(t, bareAnthropic(t), append(hello[:1:1], turn), some)
	if !strings.Contains(body, "I look") || strings.Contains(body, "grep") {
		t.Errorf("it sends %s", body)
	}
}

func TestFaultAnthropicGluesSystem(t *testing.T) {
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, "one"), llms.TextParts(llms.ChatMessageTypeSystem, "two"), hello[0]}
	if body := heard(t, bareAnthropic(t), messages, some); !strings.Contains(body, `"onetwo"`) {
		t.Errorf("it sends %s", body)
	}
}

func bareAnthropic(t *testing.T) func(*http.Client) llms.Model {
	return func(c *http.Client) llms.Model {
		m, err := anthropic.New(anthropic.WithToken("k"), anthropic.WithModel("m"), anthropic.WithHTTPClient(c))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

func bareGemini(t *testing.T) func(*http.Client) llms.Model {
	return func(c *http.Client) llms.Model {
		m, err := googleai.New(t.Context(), googleai.WithAPIKey("k"), googleai.WithHTTPClient(c))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

func TestFaultGeminiDropsEnumsAndSamples(t *testing.T) {
	tool := llms.Tool{Type: "function", Function: &llms.FunctionDefinition{Name: "f", Parameters: map[string]any{
		"type": "object", "properties": map[string]any{"in": map[string]any{"type": "string", "enum": []string{"code"}}},
	}}}
	body := heard(t, bareGemini(t), hello, some, llms.WithTools([]llms.Tool{tool}))
	if strings.Contains(body, "code") || !strings.Contains(body, `"topK":3`) {
		t.Errorf("it sends %s", body)
	}
}

func TestFaultGeminiKeepsLastSystem(t *testing.T) {
	messages := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeSystem, "one"), llms.TextParts(llms.ChatMessageTypeSystem, "two"), hello[0]}
	if body := heard(t, bareGemini(t), messages, some); strings.Contains(body, "one") {
		t.Errorf("it sends %s", body)
	}
}

// geminiSays answers a bare client with a body.
func geminiSays(t *testing.T, body string, options ...llms.CallOption) (*llms.ContentResponse, error) {
	client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) { return answer(r, body), nil })}
	return bareGemini(t)(client).GenerateContent(t.Context(), hello, options...)
}

func TestFaultGeminiCountsFirstEvent(t *testing.T) {
	body := `[{"candidates":[{"content":{"parts":[{"text":"a"}]}}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1}},
		{"candidates":[{"content":{"parts":[{"text":"b"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":70}}]`
	got, err := geminiSays(t, body, streaming)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(int32(1), got.Choices[0].GenerationInfo["output_tokens"]); diff != "" {
		t.Errorf("output tokens (-fault +got):\n%s", diff)
	}
}

func TestFaultGeminiLosesIDsThoughtsAndRefusals(t *testing.T) {
	got, err := geminiSays(t, `{"candidates":[{"content":{"parts":[{"text":"hm","thought":true},{"functionCall":{"id":"x7","name":"f"},"thoughtSignature":"s"}]},"finishReason":"STOP"}]}`)
	if err != nil || got.Choices[0].Content != "hm" || got.Choices[0].ToolCalls[0].ID != "" {
		t.Errorf("thoughts and calls are read as %+v, %v", got, err)
	}
	_, err = geminiSays(t, `{"candidates":[{"finishReason":"SAFETY"}],"usageMetadata":{"promptTokenCount":9}}`)
	if err == nil || !strings.Contains(err.Error(), "blocked") {
		t.Errorf("a refusal gives %v", err)
	}
}

// TestFaultAnthropicPanicsAlone runs itself as a process of its own, as the panic is
// in a goroutine where nobody can recover it.
func TestFaultAnthropicPanicsAlone(t *testing.T) {
	if os.Getenv("LLM_TEST_PANIC") != "" {
		body := "data: {\"type\":\"content_block_delta\",\"index\":-1,\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}\n\n"
		client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) { return answer(r, body), nil })}
		_, _ = bareAnthropic(t)(client).GenerateContent(t.Context(), hello, streaming)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFaultAnthropicPanicsAlone$")
	cmd.Env = append(os.Environ(), "LLM_TEST_PANIC=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "index out of range [-1]") {
		t.Errorf("the process ends with %v and says\n%s", err, out)
	}
}
