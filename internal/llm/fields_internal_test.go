package llm

import (
	"encoding/json"
	"testing"
)

// FuzzMembers compares the quick reader with package json, on what it may be given:
// valid JSON.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1,"b":{"c":[1,{"d":"}"}]},"e":"\\\"{"}`, ` { "a" : "\\" , "b" : [ ] } `, `{"a":"\"","a":2}`, `[1]`, `{"\u0061":1}`, `{"a"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := members([]byte(s))
		var want map[string]json.RawMessage
		if json.Unmarshal([]byte(s), &want) != nil || want == nil || !plain7(s) {
			return // it must not panic, and no more
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%s gives %v, %v", s, got, err)
		}
		for name, value := range want {
			if string(got[name]) != string(value) {
				t.Errorf("%s: %q is %s, want %s", s, name, got[name], value)
			}
		}
	})
}

// plain7 leaves out names with escapes that Go's strings do not have: none of
// langchaingo's has any.
func plain7(s string) bool {
	for _, c := range s {
		if c == '\\' || c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

func TestMembers(t *testing.T) {
	got, err := members([]byte(" { \"a\" : \"\\\\\" , \"b\":[{\"}\":\"\\\"]\"},2]}\n"))
	if err != nil || string(got["a"]) != `"\\"` || string(got["b"]) != `[{"}":"\"]"},2]` || len(got) != 2 {
		t.Errorf("members are %q, %v", got, err)
	}
	if text := string(got.text()); text != `{"a":"\\","b":[{"}":"\"]"},2]}` {
		t.Errorf("written %s", text)
	}
	all, err := elements([]byte(`[{"a":1},{}]`))
	if err != nil || string(list(all)) != `[{"a":1},{}]` {
		t.Errorf("elements are %q, %v", all, err)
	}
	for _, bad := range []string{"", "{", "{]", `{"a"}`, `{"a:1}`, `{1:2}`, `[{"a":1}`} {
		if got, err := members([]byte(bad)); err == nil {
			t.Errorf("%s gives %q", bad, got)
		}
	}
}
