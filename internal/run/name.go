// Package run starts, resumes and lists runs. It is behind every command that analyses
// something, and behind every service.
package run

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/repomind/repomind/nodes/issue"
)

// prefix is what the names of all runs on an issue begin with.
func prefix(in issue.Input) string {
	repo := in.Target.Repo.Name
	if repo == "" {
		if repo = in.From.Repo.Name; repo == "" {
			repo = filepath.Base(in.From.Dir)
		}
	}
	clean := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '.', c == '_':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return '-'
	}, repo)
	clean = cmp.Or(strings.Trim(clean, "-._"), "run")
	if in.Target.Number == 0 {
		return clean
	}
	return clean + "-" + strconv.Itoa(in.Target.Number)
}

func name(in issue.Input) string {
	return prefix(in) + "-" + strings.ToLower(rand.Text()[:4])
}

func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode %T: %v", v, err)) // plain values, which checkpoints hold too
	}
	return string(data)
}
