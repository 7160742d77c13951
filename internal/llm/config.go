package llm

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Config says which model to call, and where.
type Config struct {
	// Provider is openai, deepseek, mimo, openrouter, ollama, anthropic or gemini, or
	// compatible for any server that speaks OpenAI's API at BaseURL.
	Provider string
	// Model is the name that the provider knows.
	Model string
	// BaseURL is where the API is, up to and with its version, as
	// http://localhost:8080/v1. Zero means the provider's own.
	BaseURL string
	// Key may be zero for ollama and compatible.
	Key Key
	// Timeout bounds one call with its whole answer. Zero means 3 minutes.
	Timeout time.Duration
	// Prices are laid over [DefaultPrices].
	Prices Prices
	// Secrets are values that no request may carry; they are replaced with ***.
	Secrets []Key
	// Transport carries the calls. Nil means http.DefaultTransport.
	Transport http.RoundTripper
}

// resolve checks the fields and fills in what is not set.
func (c Config) resolve() (Config, provider, error) {
	p, err := findProvider(c.Provider)
	if err != nil {
		return c, p, err
	}
	moved := c.BaseURL != "" && strings.TrimRight(c.BaseURL, "/") != p.base
	c.BaseURL = strings.TrimRight(cmp.Or(c.BaseURL, p.base), "/")
	u, err := url.Parse(c.BaseURL)
	switch {
	case c.Model == "":
		return c, p, fmt.Errorf("%s: no model is named", c.Provider)
	case c.BaseURL == "":
		return c, p, fmt.Errorf("%s: give the address of the server", c.Provider)
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "":
		return c, p, fmt.Errorf("%s: the address must be http:// or https:// and a host, without a user or a query", c.Provider)
	case p.keyed && c.Key.IsZero() && !moved:
		return c, p, &Error{Op: "open model " + c.name(), Kind: ErrAuth, Message: "no key is set"}
	case c.Timeout < 0:
		return c, p, fmt.Errorf("%s: the timeout is %s, want more than 0", c.Provider, c.Timeout)
	}
	c.Timeout = cmp.Or(c.Timeout, 3*time.Minute)
	c.Prices = c.Prices.over(DefaultPrices())
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
	}
	return c, p, nil
}

func (c Config) name() string { return c.Provider + "/" + c.Model }
