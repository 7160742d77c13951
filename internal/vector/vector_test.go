package vector_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/internal/vector"
)

func TestUnitKeepsTheDirection(t *testing.T) {
	for _, tt := range []struct{ in, want []float32 }{
		{[]float32{3, 4}, []float32{0.6, 0.8}},
		{[]float32{-2, 0}, []float32{-1, 0}},
		{[]float32{1e38, 1e38}, []float32{math.Sqrt2 / 2, math.Sqrt2 / 2}},
		{[]float32{1e-45, 0}, []float32{1, 0}},
	} {
		got, err := vector.Unit(tt.in, 2)
		if err != nil {
			t.Errorf("Unit(%v): %v", tt.in, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Unit(%v) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestPrepareKeepsTheLastOfEqualIDs(t *testing.T) {
	got, err := vector.Prepare([]vector.Item{
		{ID: "a", Vector: []float32{1, 0}},
		{ID: "b", Vector: []float32{0, 1}},
		{ID: "a", Vector: []float32{0, -2}, Meta: vector.Meta{"n": vector.Int(1)}},
	}, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := []vector.Item{
		{ID: "a", Vector: []float32{0, -1}, Meta: vector.Meta{"n": vector.Int(1)}},
		{ID: "b", Vector: []float32{0, 1}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestValuesOfTwoTypesDiffer(t *testing.T) {
	m := vector.Meta{"n": vector.Int(1), "s": vector.Text("")}
	for _, tt := range []struct {
		where vector.Meta
		want  bool
	}{
		{nil, true},
		{vector.Meta{"n": vector.Int(1)}, true},
		{vector.Meta{"n": vector.Int(1), "s": vector.Text("")}, true},
		{vector.Meta{"n": vector.Text("1")}, false},
		{vector.Meta{"s": vector.Int(0)}, false},
		{vector.Meta{"absent": vector.Text("")}, false},
	} {
		if got := m.Has(tt.where); got != tt.want {
			t.Errorf("%v.Has(%v) = %v", m, tt.where, got)
		}
	}
}

func TestKeysAreText(t *testing.T) {
	for _, k := range []vector.Key{
		{}, {Repo: "a"}, {Model: "m"}, {Repo: "a\nb", Model: "m"}, {Repo: "a", Model: "\xff"},
		{Repo: strings.Repeat("a", 257), Model: "m"},
	} {
		if err := k.Check(); !errors.Is(err, vector.ErrInvalid) {
			t.Errorf("%q: %v", k, err)
		}
	}
	if err := (vector.Key{Repo: "café/日本", Model: "minilm"}).Check(); err != nil {
		t.Error(err)
	}
}

func TestNamesAreWords(t *testing.T) {
	for s, want := range map[string]bool{
		"path": true, "a_1": true, "Z": true, strings.Repeat("a", 64): true,
		"": false, "1a": false, "_a": false, "a-b": false, "é": false, "#document": false, "chroma:x": false,
		"[": false, "`": false, strings.Repeat("a", 65): false,
	} {
		if got := vector.CheckName(s); got != want {
			t.Errorf("CheckName(%q) = %v", s, got)
		}
	}
}

func TestMessagesAreShort(t *testing.T) {
	err := vector.CheckID(strings.Repeat("x", 1<<20))
	want := `ID "` + strings.Repeat("x", 40) + `…" of 1048576 bytes: want 1 to 1024 of UTF-8 without NUL: invalid`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
