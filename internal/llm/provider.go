package llm

import (
	"fmt"
	"slices"
	"strings"
)

// answerForm is how a provider is made to answer with JSON.
type answerForm int

const (
	byText   answerForm = iota // the prompt alone asks for it
	byObject                   // response_format json_object, and the prompt
	bySchema                   // the API takes a schema
	byTool                     // a tool that must be called takes a schema
)

// provider is what is known of one.
type provider struct {
	name   string
	wire   dialect
	base   string // the address, without a slash at the end
	keyed  bool   // it takes no call without a key
	form   answerForm
	legacy bool // the limit is called max_tokens
	unsure bool // some of its servers take a schema and ignore it
}

var providers = []provider{
	{"openai", openAI{}, "https://api.openai.com/v1", true, bySchema, false, false},
	{"deepseek", openAI{}, "https://api.deepseek.com/v1", true, byObject, true, false},
	{"mimo", openAI{}, "https://api.xiaomimimo.com/v1", true, byObject, true, false},
	{"openrouter", openAI{}, "https://openrouter.ai/api/v1", true, byObject, true, false},
	{"ollama", openAI{}, "http://localhost:11434/v1", false, bySchema, true, true},
	{"compatible", openAI{}, "", false, bySchema, true, true},
	{"anthropic", anthropicAPI{}, "https://api.anthropic.com/v1", true, bySchema, false, false},
	{"gemini", geminiAPI{}, "https://generativelanguage.googleapis.com/v1beta", true, bySchema, false, false},
}

// Provider is what a person must know of one that [Open] takes.
type Provider struct {
	Name    string
	Address string // its own, as Config.BaseURL; "" means that the caller gives one
	Keyed   bool   // at its own address it takes no call without a key
}

// Providers are all that Open takes.
func Providers() []Provider {
	all := make([]Provider, len(providers))
	for i, p := range providers {
		all[i] = Provider{Name: p.name, Address: p.base, Keyed: p.keyed}
	}
	return all
}

func findProvider(name string) (provider, error) {
	i := slices.IndexFunc(providers, func(p provider) bool { return p.name == name })
	if i < 0 {
		return provider{}, fmt.Errorf("unknown provider %q: use one of %s", name, strings.Join(providerNames(), ", "))
	}
	return providers[i], nil
}

func providerNames() []string {
	var names []string
	for _, p := range providers {
		names = append(names, p.name)
	}
	return names
}

// ParseName takes provider/name apart, as deepseek/deepseek-chat. The model's name
// may hold slashes of its own.
func ParseName(s string) (provider, model string, err error) {
	provider, model, _ = strings.Cut(s, "/")
	if _, err := findProvider(provider); err != nil {
		return "", "", fmt.Errorf("model %q: %w", s, err)
	}
	if model == "" {
		return "", "", fmt.Errorf("model %q: write it as provider/name", s)
	}
	return provider, model, nil
}
