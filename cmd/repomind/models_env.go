package main

import (
	"cmp"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

// keyVariable names the variable of the environment with a provider's key.
func keyVariable(provider string) string { return strings.ToUpper(provider) + "_API_KEY" }

// providerEnv is the key that the environment has for a provider, and the address.
// Only Ollama's has a variable.
func providerEnv(provider string, getenv func(string) string) (llm.Key, string) {
	key := llm.NewKey(strings.TrimSpace(getenv(keyVariable(provider))))
	if provider == "ollama" {
		return key, ollamaAddress(getenv("OLLAMA_HOST"))
	}
	return key, ""
}

// ollamaAddress reads OLLAMA_HOST as Ollama does: host, host:port or a URL.
func ollamaAddress(host string) string {
	host = strings.TrimRight(strings.TrimSpace(host), "/")
	switch {
	case host == "":
		return ""
	case strings.Contains(host, "://"):
		return host + "/v1"
	case strings.HasPrefix(host, ":"):
		host = "localhost" + host
	case !strings.Contains(host, ":"), strings.HasSuffix(host, "]"):
		host += ":11434"
	}
	return "http://" + host + "/v1"
}

// address is where a model's calls go.
func address(c llm.Config) string {
	for _, p := range llm.Providers() {
		if p.Name == c.Provider {
			return strings.TrimRight(cmp.Or(c.BaseURL, p.Address), "/")
		}
	}
	return c.BaseURL
}

// secrets are the values of the environment that no model may read.
func secrets(getenv func(string) string) []llm.Key {
	names := []string{"GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}
	for _, p := range llm.Providers() {
		names = append(names, keyVariable(p.Name))
	}
	var keys []llm.Key
	for _, name := range names {
		if k := llm.NewKey(strings.TrimSpace(getenv(name))); !k.IsZero() {
			keys = append(keys, k)
		}
	}
	return keys
}
