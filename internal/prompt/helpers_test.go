package prompt_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/prompt"
)

var update = flag.Bool("update", false, "rewrite the goldens")

const nonce = "K3XQ7ZP2MD4TBV5N"

func fence(t testing.TB) prompt.Fence {
	t.Helper()
	f, err := prompt.NewFence(nonce)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	same(t, string(want), got)
}

func same(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
