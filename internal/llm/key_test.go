package llm_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

const canary = "canary+secret/4711=x"

func TestKeyPrintsNothing(t *testing.T) {
	key := llm.NewKey(canary)
	holder := struct {
		Key llm.Key
		key llm.Key
	}{key, key}
	config := llm.Config{Provider: "openai", Key: key, Secrets: []llm.Key{key}}
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+" "+verb+"\n", key, &key, holder, config)
	}
	for _, h := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(h).Info("x", "key", key, "holder", holder, "config", config)
	}
	out.WriteString(key.String() + key.GoString())
	data, err := json.Marshal([]any{key, holder.Key, map[string]llm.Key{"k": key}})
	if err != nil || string(data) != `["***","***",{"k":"***"}]` {
		t.Errorf("as JSON it is %s, %v", data, err)
	}
	if s := out.String(); strings.Contains(s, "canary") || strings.Contains(s, fmt.Sprintf("%x", canary)) || !strings.Contains(s, "***") {
		t.Errorf("it is printed:\n%s", s)
	}
	if !llm.NewKey("").IsZero() || key.IsZero() {
		t.Error("IsZero is wrong")
	}
}

// TestSecretsStayOut has a secret in each text of a request, in several forms.
func TestSecretsStayOut(t *testing.T) {
	secret := "ghp_canary+secret/4711=x"
	forms := []string{secret, url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte("user:" + secret)), base64.RawURLEncoding.EncodeToString([]byte("a" + secret + "b"))}
	for _, provider := range []string{"openai", "anthropic", "gemini"} {
		wire := map[string]llmtest.Wire{"openai": llmtest.OpenAI, "anthropic": llmtest.Anthropic, "gemini": llmtest.Gemini}[provider]
		server := llmtest.NewServer(t, wire, llmtest.Turn{Text: "ok", Input: 1, Output: 1})
		m, err := llm.Open(llm.Config{Provider: provider, Model: "m", BaseURL: server.URL, Key: llm.NewKey(llmtest.TestKey), Secrets: []llm.Key{llm.NewKey(secret), llm.NewKey("")}})
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(forms, " ") + " " + llmtest.TestKey
		args, _ := json.Marshal(map[string]string{"q": all})
		req := llm.Request{Tools: []llm.Tool{{Name: "grep"}}, Messages: []llm.Message{
			llm.System(all), llm.User(all),
			{Role: llm.RoleAssistant, Parts: []llm.Part{{Text: all}, {Call: &llm.ToolCall{ID: "1", Name: "grep", Args: args}}}},
			llm.Results(llm.ToolResult{ID: "1", Name: "grep", Text: all}),
		}}
		before, _ := json.Marshal(req)
		if _, err := m.Generate(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		body := string(server.Heard()[0].Body)
		for _, form := range append(forms, llmtest.TestKey, "canary", base64.StdEncoding.EncodeToString([]byte("canary"))) {
			if strings.Contains(body, form) {
				t.Errorf("%s is sent %q", provider, form)
			}
		}
		if after, _ := json.Marshal(req); string(after) != string(before) {
			t.Error("the caller's request was changed")
		}
	}
}

// TestKeyGoesToOneHost has a redirect to another host, an environment that names one,
// and errors that quote the key.
func TestKeyGoesToOneHost(t *testing.T) {
	for _, name := range []string{"OPENAI_BASE_URL", "OPENAI_API_BASE", "OPENAI_ORGANIZATION", "OPENAI_MODEL", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY"} {
		t.Setenv(name, "http://evil.example")
	}
	for provider, header := range map[string]string{"openai": "Authorization", "anthropic": "X-Api-Key", "gemini": "X-Goog-Api-Key"} {
		var hosts []string
		carry := roundTrip(func(r *http.Request) (*http.Response, error) {
			hosts = append(hosts, r.URL.Host)
			if got := strings.TrimPrefix(r.Header.Get(header), "Bearer "); got != canary || len(r.Header) != map[bool]int{true: 4, false: 3}[provider == "anthropic"] {
				t.Errorf("%s gets the headers %v", provider, r.Header)
			}
			resp := answer(r, canary)
			resp.StatusCode = http.StatusPermanentRedirect
			resp.Header.Set("Location", "https://evil.example/")
			return resp, nil
		})
		m, err := llm.Open(llm.Config{Provider: provider, Model: "m", Key: llm.NewKey(canary), Transport: carry})
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Generate(t.Context(), ask("x"))
		if !errors.Is(err, llm.ErrRequest) || strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: a redirect gives %v", provider, err)
		}
		if len(hosts) != 1 || strings.Contains(hosts[0], "evil") {
			t.Errorf("%s calls %v", provider, hosts)
		}
	}
}

// TestHalfAKey has the key at all places of long errors, so that each cut falls into
// it once.
func TestHalfAKey(t *testing.T) {
	key := "Zq7Xw2Lk9Vb4Np6Rt8Ym3" // of no known shape
	for pad := 0; pad < 330; pad++ {
		for status, body := range map[int]string{
			400: `{"error":{"message":"` + strings.Repeat("x", pad) + key + `"}}`,
			500: strings.Repeat("<", pad) + key,
			200: `{"choices": ` + strings.Repeat("]", pad) + key,
		} {
			m, err := llm.Open(llm.Config{Provider: "openai", Model: "m", Key: llm.NewKey(key), Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				resp := answer(r, body)
				resp.StatusCode = status
				return resp, nil
			})})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := m.Generate(t.Context(), ask("x")); err == nil || strings.Contains(err.Error(), key[:6]) || len(err.Error()) > 600 {
				t.Fatalf("status %d, %d before the key: %v", status, pad, err)
			}
		}
	}
}

// TestSecretForms has secrets as JSON writes them, and one that is a number there.
func TestSecretForms(t *testing.T) {
	secret := `p"w\<a>&/1`
	server := llmtest.NewServer(t, llmtest.OpenAI, llmtest.Turn{Text: "ok", Input: 1, Output: 1})
	m, err := llm.Open(llm.Config{Provider: "compatible", Model: "m", BaseURL: server.URL, Secrets: []llm.Key{llm.NewKey(secret), llm.NewKey("73519284")}})
	if err != nil {
		t.Fatal(err)
	}
	html, _ := json.Marshal(secret)
	req := ask("as JSON " + string(html) + ", as PHP writes it p\"w\\<a>&\\/1")
	req.Messages = append(req.Messages,
		llm.Message{Role: llm.RoleAssistant, Parts: []llm.Part{{Call: &llm.ToolCall{ID: "1", Name: "f", Args: json.RawMessage(`{"n":73519284}`)}}, {Call: &llm.ToolCall{ID: "2", Name: "f", Args: json.RawMessage(`{"s":"p\"w\\<a>&/1"}`)}}}},
		llm.Results(llm.ToolResult{ID: "1", Text: "x"}, llm.ToolResult{ID: "2", Text: "y"}))
	if _, err := m.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	want := []string{`user says as JSON "***", as PHP writes it ***`, "assistant calls f {}", `assistant calls f {"s":"***"}`, "tool says x", "tool says y"}
	if diff := cmp.Diff(want, server.Heard()[0].Said); diff != "" {
		t.Errorf("said (-want +got):\n%s", diff)
	}
}

func TestNoKeyNoHeader(t *testing.T) {
	m, err := llm.Open(llm.Config{Provider: "ollama", Model: "m", Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if _, ok := r.Header["Authorization"]; ok || len(r.Header) != 2 {
			t.Errorf("without a key the headers are %v", r.Header)
		}
		return answer(r, `{"choices":[{"message":{"content":"a"}}]}`), nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Generate(t.Context(), ask("x")); err != nil {
		t.Error(err)
	}
}

func TestNetworkErrorHidesKey(t *testing.T) {
	m, err := llm.Open(llm.Config{Provider: "openai", Model: "m", Key: llm.NewKey(canary), Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, errors.New("proxy http://user:" + canary + "@host refused sk-abcdefghijklmnop")
	})})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := m.Generate(t.Context(), ask("x"))
	want := `call openai/m: the provider is not available: "proxy http://user:***@host refused ***"`
	if err == nil || err.Error() != want || resp.Usage.Calls != 1 || resp.Usage.Failed != 1 {
		t.Errorf("the error is %v, usage %+v", err, resp.Usage)
	}
}
