package settings

import (
	"fmt"
	"net/url"
	"strings"
)

func isModel(v string) error {
	if provider, name, ok := strings.Cut(v, "/"); !ok || provider == "" || name == "" {
		return fmt.Errorf("%.40q: want provider/name, as deepseek/deepseek-chat", v)
	}
	return nil
}

func isURL(v string) error {
	if u, err := url.Parse(v); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return fmt.Errorf("%.60q: want an address as http://localhost:8080/v1, without a password", v)
	}
	return nil
}

func isVectors(v string) error {
	kind, model, _ := strings.Cut(v, "/")
	if v == "none" || v == "minilm" || (kind == "openai" || kind == "ollama") && model != "" {
		return nil
	}
	return fmt.Errorf("%.40q: want none, minilm, openai/MODEL or ollama/MODEL", v)
}

func isChroma(v string) error {
	if u, err := url.Parse(v); err != nil || u.Scheme != "chroma" || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" {
		return fmt.Errorf("%.60q: want chroma://HOST:PORT", v)
	}
	return nil
}
