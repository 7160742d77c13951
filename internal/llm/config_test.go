package llm_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

func TestOpenRefuses(t *testing.T) {
	key := llm.NewKey("sk-0123456789")
	for want, c := range map[string]llm.Config{
		`open model: unknown provider "x": use one of openai, deepseek, mimo, openrouter, ollama, compatible, anthropic, gemini`: {Provider: "x", Model: "m"},
		`open model: openai: no model is named`:                                                             {Provider: "openai", Key: key},
		`open model: compatible: give the address of the server`:                                            {Provider: "compatible", Model: "m"},
		`open model: openai: the address must be http:// or https:// and a host, without a user or a query`: {Provider: "openai", Model: "m", Key: key, BaseURL: "https://u:p@host/v1"},
		`open model: ollama: the address must be http:// or https:// and a host, without a user or a query`: {Provider: "ollama", Model: "m", BaseURL: "localhost:11434"},
		`open model deepseek/m: not authorised: "no key is set": check the provider's key`:                  {Provider: "deepseek", Model: "m"},
		`open model: ollama: the timeout is -1s, want more than 0`:                                          {Provider: "ollama", Model: "m", Timeout: -time.Second},
	} {
		if m, err := llm.Open(c); err == nil || err.Error() != want {
			t.Errorf("%v gives %v, %v; want %s", c, m, err, want)
		}
	}
	if _, err := llm.Open(llm.Config{Provider: "deepseek", Model: "m"}); !errors.Is(err, llm.ErrAuth) {
		t.Errorf("no key gives %v", err)
	}
	for _, c := range []llm.Config{{Provider: "ollama", Model: "m"}, {Provider: "openai", Model: "m", BaseURL: "http://localhost:8080/v1"}} {
		if _, err := llm.Open(c); err != nil {
			t.Errorf("%s without a key gives %v", c.Provider, err)
		}
	}
}

// TestProviders pins what a person must know of each before a model can be opened.
func TestProviders(t *testing.T) {
	want := []llm.Provider{
		{Name: "openai", Address: "https://api.openai.com/v1", Keyed: true},
		{Name: "deepseek", Address: "https://api.deepseek.com/v1", Keyed: true},
		{Name: "mimo", Address: "https://api.xiaomimimo.com/v1", Keyed: true},
		{Name: "openrouter", Address: "https://openrouter.ai/api/v1", Keyed: true},
		{Name: "ollama", Address: "http://localhost:11434/v1"},
		{Name: "compatible"},
		{Name: "anthropic", Address: "https://api.anthropic.com/v1", Keyed: true},
		{Name: "gemini", Address: "https://generativelanguage.googleapis.com/v1beta", Keyed: true},
	}
	got := llm.Providers()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("providers (-want +got):\n%s", diff)
	}
	got[0].Name = "mine"
	if again := llm.Providers(); again[0].Name != "openai" {
		t.Error("the list is not the caller's own")
	}
	for _, p := range want {
		_, err := llm.Open(llm.Config{Provider: p.Name, Model: "m", BaseURL: p.Address})
		if keyless := err == nil || !errors.Is(err, llm.ErrAuth); keyless == p.Keyed {
			t.Errorf("%s without a key gives %v", p.Name, err)
		}
	}
}

func TestParseName(t *testing.T) {
	for _, tt := range []struct{ in, provider, model, err string }{
		{"deepseek/deepseek-chat", "deepseek", "deepseek-chat", ""},
		{"openrouter/qwen/qwen3:free", "openrouter", "qwen/qwen3:free", ""},
		{"gpt-4o", "", "", `model "gpt-4o": unknown provider "gpt-4o": use one of openai, deepseek, mimo, openrouter, ollama, compatible, anthropic, gemini`},
		{"openai/", "", "", `model "openai/": write it as provider/name`},
	} {
		provider, model, err := llm.ParseName(tt.in)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if provider != tt.provider || model != tt.model || text != tt.err {
			t.Errorf("ParseName(%q) = %q, %q, %q", tt.in, provider, model, text)
		}
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct{ in, want llm.Names }{
		{llm.Names{}, llm.Names{Main: "deepseek/deepseek-chat", Small: "deepseek/deepseek-chat", Critic: "deepseek/deepseek-chat", Vision: "deepseek/deepseek-vl2"}},
		{llm.Names{Main: "openai/gpt-4o", Small: "openai/gpt-4o-mini"}, llm.Names{Main: "openai/gpt-4o", Small: "openai/gpt-4o-mini", Critic: "openai/gpt-4o", Vision: "openai/gpt-4o"}},
	} {
		if diff := cmp.Diff(tt.want, tt.in.Defaults()); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestOpenSet(t *testing.T) {
	var opened []string
	models := map[string]llm.Model{}
	open := func(name string) (llm.Model, error) {
		opened = append(opened, name)
		models[name] = llmtest.Script(t)
		return models[name], nil
	}
	s, err := llm.OpenSet(llm.Names{Main: "openai/a", Critic: "gemini/b"}, open)
	if diff := cmp.Diff([]string{"openai/a", "gemini/b"}, opened); err != nil || diff != "" {
		t.Errorf("opened %v (-want +got):\n%s", err, diff)
	}
	if s.Main != models["openai/a"] || s.Small != s.Main || s.Vision != s.Main || s.Critic != models["gemini/b"] {
		t.Errorf("the set is %+v", s)
	}
	bad := errors.New("no key")
	if _, err := llm.OpenSet(llm.Names{}, func(string) (llm.Model, error) { return nil, bad }); !errors.Is(err, bad) {
		t.Errorf("a model that does not open gives %v", err)
	}
}

func TestRequestRefused(t *testing.T) {
	user := llm.User("x")
	for want, req := range map[string]llm.Request{
		"the request has no message of a user":                                                                                    {Messages: []llm.Message{llm.System("x")}},
		"the request ends with a message of the assistant, want one of the user or of a tool":                                     {Messages: []llm.Message{user, {Role: llm.RoleAssistant}}},
		`message 1 of the user: an image of the type "image/svg+xml\",": use one of image/png, image/jpeg, image/webp, image/gif`: {Messages: []llm.Message{llm.User("x", llm.Image{MIME: `image/svg+xml",`})}},
		"message 1 of the oracle: no such role":                                                                                   {Messages: []llm.Message{{Role: "oracle"}, user}},
		"message 2 of the user: a part that this role cannot have":                                                                {Messages: []llm.Message{user, {Role: llm.RoleUser, Parts: []llm.Part{{Result: &llm.ToolResult{}}}}}},
		"message 1 of the assistant: a part that this role cannot have":                                                           {Messages: []llm.Message{{Role: llm.RoleAssistant, Parts: []llm.Part{{Call: &llm.ToolCall{Args: []byte("{")}}}}, user}},
		`tool "f" has no name or a schema that is not JSON`:                                                                       {Messages: []llm.Message{user}, Tools: []llm.Tool{{Name: "f", Schema: []byte("{")}}},
		"the schema of the answer is not JSON":                                                                                    {Messages: []llm.Message{user}, Schema: []byte("{")},
	} {
		resp, err := open(t, "openai", "http://127.0.0.1:1").Generate(t.Context(), req)
		if err == nil || err.Error() != "call openai/gpt-4o: "+want || resp.Usage.Calls != 0 {
			t.Errorf("%v, usage %s; want %s", err, resp.Usage, want)
		}
	}
}

func TestMessageText(t *testing.T) {
	m := llm.User("a", llm.Image{MIME: "image/png"})
	m.Parts = append(m.Parts, llm.Part{Text: "b"})
	if got := m.Text(); got != "a\n\nb" {
		t.Errorf("the text is %q", got)
	}
}

// TestParallel is for the race detector: one model, many calls.
func TestParallel(t *testing.T) {
	for provider, wire := range wires {
		turns := repeat(llmtest.Turn{Text: "a", Input: 10, Output: 1}, 8)
		server := llmtest.NewServer(t, wire, turns...)
		budget := &llm.Budget{}
		m := llm.Retry{Model: budget.Guard((&llm.Limit{Concurrent: 3}).Guard(open(t, provider, server.URL)))}
		errs := make(chan error)
		for range turns {
			go func() {
				_, err := m.Generate(context.WithoutCancel(t.Context()), ask("x"))
				errs <- err
			}()
		}
		for range turns {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if got := budget.Spent(); got.Calls != 8 || got.Input != 80 {
			t.Errorf("%s spent %s", provider, got)
		}
	}
}
