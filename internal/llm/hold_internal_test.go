package llm

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// TestRelease has what langchaingo must not do with a held text: lose it, repeat it,
// or write something beside it.
func TestRelease(t *testing.T) {
	one, two := strings.Repeat("a\"<\n", 200), strings.Repeat("b", holdFrom)
	for body, ok := range map[string]bool{
		`{"m":["#1","#0"]}`:          true,
		`{"m":["#0","#1"]}`:          true,
		`{"m":["#0"]}`:               false,
		`{"m":["#0","#0"]}`:          false,
		`{"m":["#0","#2"]}`:          false,
		`{"m":["#0","#1 and more"]}`: false,
	} {
		x := &exchange{}
		words := []string{x.hold(one), x.hold(two), x.mark + "-2."}
		if x.hold("short") != "short" {
			t.Error("a short text is held")
		}
		for i, w := range words {
			body = strings.ReplaceAll(body, "#"+string(rune('0'+i)), w)
		}
		got, err := x.release([]byte(body))
		if !ok {
			if !errors.Is(err, errHeld) {
				t.Errorf("%s gives %.50s, %v", body, got, err)
			}
			continue
		}
		var back struct{ M []string }
		if err := json.Unmarshal(got, &back); err != nil || len(back.M) != 2 || len(back.M[0])+len(back.M[1]) != len(one)+len(two) || !strings.Contains(strings.Join(back.M, ""), one) {
			t.Errorf("%s gives %v %.60q", body, err, back.M)
		}
	}
}

// TestHoldIsRandom shows that no text can be taken for another one's word.
func TestHoldIsRandom(t *testing.T) {
	long := strings.Repeat("x", holdFrom)
	a, b := (&exchange{}).hold(long), (&exchange{}).hold(long)
	if a == b || len(a) < 20 {
		t.Errorf("the words are %q and %q", a, b)
	}
}
