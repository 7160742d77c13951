package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/settings"
)

// finding is one thing that the doctor looked at.
type finding struct {
	Name   string `json:"name"`
	Status string `json:"status"` // ok, warning or failed
	Reason string `json:"reason"`
	Hint   string `json:"hint,omitempty"`
}

func newDoctor() *cobra.Command {
	var offline, asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Look whether all that a run needs is there",
		Long: `Look whether all that a run needs is there: git, the directories and their space, the
settings, tokens for GitHub, the key of a model and whether the model answers. The model
is asked one short question, unless --offline.`,
		Example: "  repomind doctor\n  repomind doctor --offline",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			all := examine(c, offline)
			if asJSON {
				if err := printJSON(c.OutOrStdout(), all); err != nil {
					return err
				}
			} else if err := printFindings(c.OutOrStdout(), all); err != nil {
				return err
			}
			for _, f := range all {
				if f.Status == "failed" {
					return fmt.Errorf("%s: %s", f.Name, f.Reason)
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&offline, "offline", false, "ask nobody")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func examine(c *cobra.Command, offline bool) []finding {
	ctx := c.Context()
	all := []finding{gitThere(ctx)}
	for _, dir := range []struct {
		name string
		of   func() (string, error)
		need uint64
	}{{"cache directory", cacheDir, 2 << 30}, {"state directory", stateDir, 100 << 20}} {
		path, err := dir.of()
		all = append(all, directoryThere(dir.name, path, err, dir.need))
	}
	s, err := loadSettings(c, settings.File{}, io.Discard)
	if err != nil {
		return append(all, finding{"settings", "failed", err.Error(), "repomind config show --sources"})
	}
	all = append(all, finding{Name: "settings", Status: "ok", Reason: "all are within their bounds"}, tokenThere(ctx))
	m := analysisFlags{}
	set, err := m.open(s, io.Discard)
	switch {
	case err != nil:
		return append(all, finding{"model", "failed", err.Error(), ""})
	case set == nil:
		return append(all, finding{"model", "warning", "there is none: places are ranked by retrieval alone", "set " + keyVariable("deepseek") + ", or --model and the key of its provider"})
	case offline:
		return append(all, finding{Name: "model", Status: "ok", Reason: set.Names.Main + " has a key; it was not asked"})
	}
	return append(all, answers(ctx, set))
}

func gitThere(ctx context.Context) finding {
	out, err := exec.CommandContext(ctx, "git", "version").Output()
	if err != nil {
		return finding{"git", "failed", err.Error(), "install git"}
	}
	return finding{Name: "git", Status: "ok", Reason: strings.TrimSpace(string(bytes.TrimPrefix(out, []byte("git version "))))}
}

// directoryThere writes a file, and looks at the space.
func directoryThere(name, path string, err error, need uint64) finding {
	if err == nil {
		err = os.MkdirAll(path, 0o700)
	}
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(path, "doctor-*"); err == nil {
			err = errors.Join(f.Close(), os.Remove(f.Name()))
		}
	}
	if err != nil {
		return finding{name, "failed", err.Error(), "set REPOMIND_CACHE_DIR and REPOMIND_STATE_DIR to directories that can be written"}
	}
	free, known := freeSpace(path)
	switch {
	case !known:
		return finding{Name: name, Status: "ok", Reason: filepath.Clean(path)}
	case free < need:
		return finding{name, "warning", fmt.Sprintf("%s has %s left", path, bytesText(free)), "repomind cache clear makes room"}
	}
	return finding{Name: name, Status: "ok", Reason: fmt.Sprintf("%s, %s left", path, bytesText(free))}
}

func bytesText(n uint64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%d MB", n>>20)
}

func tokenThere(ctx context.Context) finding {
	host := os.Getenv("GH_HOST")
	if host == "" {
		host = "github.com"
	}
	token, err := findToken(ctx, host)
	switch {
	case err != nil:
		return finding{"token for " + host, "failed", err.Error(), ""}
	case token.IsZero():
		return finding{"token for " + host, "warning", "there is none: 60 requests an hour, and public repositories only", "set GH_TOKEN, or gh auth login"}
	}
	return finding{Name: "token for " + host, Status: "ok", Reason: "from " + token.Source()}
}

// answers asks the main model one short question.
func answers(ctx context.Context, set *models) finding {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	begin := time.Now()
	_, err := set.Main.Generate(ctx, llm.Request{Messages: []llm.Message{llm.User("Answer with the one word: ready")}, MaxTokens: 200})
	if err != nil {
		return finding{"model", "failed", line(err.Error()), "repomind models check --model " + set.Names.Main}
	}
	return finding{Name: "model", Status: "ok", Reason: fmt.Sprintf("%s answered in %s", set.Names.Main, elapsed(time.Since(begin)))}
}

func printFindings(out io.Writer, all []finding) error {
	for _, f := range all {
		sign := map[string]string{"ok": "✔", "warning": "!", "failed": "✘"}[f.Status]
		if _, err := fmt.Fprintf(out, "%s %-22s %s\n", sign, f.Name, line(f.Reason)); err != nil {
			return err
		}
		if f.Hint != "" {
			fmt.Fprintf(out, "  %-22s hint: %s\n", "", f.Hint)
		}
	}
	return nil
}
