package run

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
)

// prefix is what the names of all runs on a target begin with: the repository's name, a
// mark of the kind, and the number.
func prefix(t github.Target, from repo.Origin, mark string) string {
	clean := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '.', c == '_':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return '-'
	}, cmp.Or(t.Repo.Name, from.Repo.Name, filepath.Base(from.Dir)))
	clean = cmp.Or(strings.Trim(clean, "-._"), "run") + mark
	if t.Number == 0 {
		return clean
	}
	return clean + "-" + strconv.Itoa(t.Number)
}

// name is a new one with a prefix.
func name(prefix string) string { return prefix + "-" + strings.ToLower(rand.Text()[:4]) }

func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode %T: %v", v, err)) // plain values, which checkpoints hold too
	}
	return string(data)
}
