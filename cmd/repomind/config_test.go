package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/settings"
)

// The example holds all settings, as they are.
func TestEnvExample(t *testing.T) {
	const file = "../../.env.example"
	want := settings.EnvExample()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
