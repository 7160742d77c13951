package settings

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"
)

// maxValue bounds a text, in bytes.
const maxValue = 4096

func isModel(v string) error {
	if provider, name, ok := strings.Cut(v, "/"); !ok || provider == "" || name == "" {
		return fmt.Errorf("%.40q: want provider/name, as deepseek/deepseek-chat", v)
	}
	return nil
}

func isURL(v string) error {
	if u, err := url.Parse(v); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%s: want an address as http://localhost:8080/v1, without a password or a query", address(v))
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
		return fmt.Errorf("%s: want chroma://HOST:PORT", address(v))
	}
	return nil
}

// address quotes an address, but for what may be a password.
func address(v string) string {
	if i := strings.LastIndex(v, "@"); i >= 0 {
		v = "…" + v[i:]
	}
	if before, _, ok := strings.Cut(v, "?"); ok {
		v = before + "?…"
	}
	return fmt.Sprintf("%.60q", v)
}

// isOneLine refuses what would end a line, move a cursor or turn the order of letters.
func isOneLine(v string) bool {
	return len(v) <= maxValue && !strings.ContainsFunc(v, func(r rune) bool {
		return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
	})
}
