package main

import (
	"fmt"
	"math"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/llm"
)

// modelFlags are the flags of every command that calls models.
type modelFlags struct {
	Names     llm.Names
	BaseURL   string
	MaxCost   float64
	MaxTokens int
	Timeout   time.Duration
	Record    string
	Replay    string
}

func (f *modelFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.Names.Main, "model", "", "the model, provider/name (default "+llm.Names{}.Defaults().Main+")")
	flags.StringVar(&f.Names.Small, "small-model", "", "the model for small work (default that of --model)")
	flags.StringVar(&f.Names.Critic, "critic-model", "", "the model that looks at the work of the others (default that of --model)")
	flags.StringVar(&f.Names.Vision, "vision-model", "", "the model that reads images (default that of --model, or deepseek/deepseek-vl2 beside DeepSeek)")
	flags.StringVar(&f.BaseURL, "base-url", "", "where the provider of --model is, with its version, as http://localhost:8080/v1")
	flags.Float64Var(&f.MaxCost, "max-cost", 0, "the most that all calls may cost together, in US dollars (default no limit)")
	flags.IntVar(&f.MaxTokens, "max-tokens", 0, "the most tokens that all calls may take together (default no limit)")
	flags.DurationVar(&f.Timeout, "timeout", 0, "the longest that all calls may take together (default no limit, but 3m for each call)")
	flags.StringVar(&f.Record, "record", "", "a directory to keep the models' answers in")
	flags.StringVar(&f.Replay, "replay", "", "a directory to take the models' answers from, with no call")
	c.MarkFlagsMutuallyExclusive("record", "replay")
}

func (f modelFlags) validate() error {
	switch {
	case !(f.MaxCost >= 0 && f.MaxCost < math.MaxInt32): // NaN is neither
		return usageError{fmt.Errorf("--max-cost is %v; it must be an amount from 0", f.MaxCost)}
	case f.MaxTokens < 0:
		return usageError{fmt.Errorf("--max-tokens is %d; it must not be negative", f.MaxTokens)}
	case f.Timeout < 0:
		return usageError{fmt.Errorf("--timeout is %s; it must not be negative", f.Timeout)}
	}
	if f.Replay != "" {
		if _, err := os.Stat(f.Replay); err != nil {
			return usageError{fmt.Errorf("--replay: %w", err)}
		}
	}
	return nil
}

// callTime lets one call take as long as all may take together, if that is more than
// usual; a second more, so that it is the limit that is named.
func (f modelFlags) callTime() time.Duration {
	if f.Timeout < 3*time.Minute {
		return 0
	}
	return f.Timeout + time.Second
}
