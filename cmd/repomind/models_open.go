package main

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/repomind/repomind/internal/llm"
)

// models are what a command may call, and what it may spend.
type models struct {
	llm.Set
	Names  llm.Names
	Budget *llm.Budget
	// Replayed means that no call is made.
	Replayed bool
	// Where has the address of each provider that is in use.
	Where map[string]string
}

// open makes the models that the flags name. A call that fails for a reason that may
// pass is made again up to tries times, after a word on progress; 0 means 3, less than
// 0 never.
func (f modelFlags) open(getenv func(string) string, tries int, progress io.Writer) (*models, error) {
	if err := f.validate(); err != nil {
		return nil, err
	}
	set := &models{Names: f.Names.Defaults(), Replayed: f.Replay != "", Where: map[string]string{}, Budget: &llm.Budget{
		MaxCost: llm.Dollars(f.MaxCost), MaxTokens: f.MaxTokens, MaxTime: f.Timeout,
	}}
	limits := map[string]*llm.Limit{}
	var err error
	set.Set, err = llm.OpenSet(set.Names, func(name string) (llm.Model, error) {
		c, err := f.config(name, getenv)
		if err != nil {
			return nil, usageError{err}
		}
		set.Where[c.Provider] = address(c)
		m, err := f.tape(name, c)
		if err != nil {
			return nil, err
		}
		if limits[c.Provider] == nil {
			limits[c.Provider] = &llm.Limit{}
		}
		m = set.Budget.Guard(limits[c.Provider].Guard(m))
		return llm.Retry{Model: m, Tries: tries, Notify: func(wait time.Duration, err error) {
			fmt.Fprintf(progress, "repomind: %v (waiting %s)\n", err, wait.Round(time.Second))
		}}, nil
	})
	return set, err
}

// config is what the flags and the environment say about a model. --base-url is that of
// the main model's provider.
func (f modelFlags) config(name string, getenv func(string) string) (llm.Config, error) {
	main, _, err := llm.ParseName(f.Names.Defaults().Main)
	if err != nil {
		return llm.Config{}, err
	}
	provider, model, err := llm.ParseName(name)
	if err != nil {
		return llm.Config{}, err
	}
	c := llm.Config{Provider: provider, Model: model, Timeout: f.callTime(), Secrets: secrets(getenv)}
	c.Key, c.BaseURL = providerEnv(provider, getenv)
	if provider == main && f.BaseURL != "" {
		c.BaseURL = f.BaseURL
	}
	return c, nil
}

// tape opens a model, with its recorder, or takes a record in its place.
func (f modelFlags) tape(name string, c llm.Config) (llm.Model, error) {
	secrets := append(c.Secrets, c.Key)
	if f.Replay != "" {
		return llm.Replay(f.Replay, name, secrets...), nil
	}
	m, err := llm.Open(c)
	if err != nil {
		return nil, explainOpen(name, c.Provider, err)
	}
	if f.Record != "" {
		m = llm.Record(f.Record, name, m, secrets...)
	}
	return m, nil
}

// explainOpen tells a missing key, which a person can set, from wrong use.
func explainOpen(name, provider string, err error) error {
	if !errors.Is(err, llm.ErrAuth) {
		return usageError{err}
	}
	return fmt.Errorf("%s: %w: no key is set\nhint: set %s", name, llm.ErrAuth, keyVariable(provider))
}
