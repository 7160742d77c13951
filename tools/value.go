package tools

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// mend brings one value into the parameter's type and takes out what says nothing. It
// gives the fault, or "".
func mend(given map[string]json.RawMessage, p string, schema *jsonschema.Schema) string {
	value := given[p]
	if s := string(value); s == "" || s == "null" || s == `""` {
		delete(given, p)
		if slices.Contains(schema.Required, p) {
			return p + " is missing"
		}
		return ""
	}
	kind := typeOf(schema.Properties[p])
	if given[p] = fit(value, kind); given[p] == nil {
		return fmt.Sprintf("%s must be a %s, not %s", p, typeNames[kind], short(string(value)))
	}
	return ""
}

// typeNames are the types of parameters, in words for a model.
var typeNames = map[string]string{"string": "string", "integer": "whole number", "boolean": "boolean", "array": "list of strings"}

func typeOf(s *jsonschema.Schema) string {
	if slices.Contains(s.Types, "array") {
		return "array"
	}
	return s.Type
}

// fit is the value in JSON of the type, or nil if it is none.
func fit(value json.RawMessage, kind string) json.RawMessage {
	var text string
	quoted := json.Unmarshal(value, &text) == nil
	if !quoted {
		text = string(value)
	}
	switch kind {
	case "integer":
		return whole(strings.TrimSpace(text))
	case "boolean":
		if word := strings.ToLower(strings.TrimSpace(text)); word == "true" || word == "false" {
			return json.RawMessage(word)
		}
	case "array":
		return list(text, quoted)
	case "string":
		if quoted {
			return value
		}
	}
	return nil
}

// whole reads 7, 7.0 and 7e0 as 7.
func whole(text string) json.RawMessage {
	if !json.Valid([]byte(text)) {
		return nil // 0x10, 1_000 and inf, which strconv knows
	}
	if n, err := strconv.Atoi(text); err == nil {
		return json.RawMessage(strconv.Itoa(n))
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) >= 1<<53 {
		return nil
	}
	return json.RawMessage(strconv.FormatInt(int64(x), 10))
}

// list reads a list of strings, also one in a string, and takes any other string for a
// list of one.
func list(text string, quoted bool) json.RawMessage {
	var all []string
	if strings.HasPrefix(strings.TrimSpace(text), "[") && json.Unmarshal([]byte(text), &all) == nil {
		return json.RawMessage(text)
	}
	if !quoted {
		return nil
	}
	one, err := json.Marshal([]string{text})
	if err != nil {
		return nil
	}
	return one
}

// short is the beginning of what a model wrote, to show it back.
func short(s string) string {
	const max = 40
	if s = strings.Join(strings.Fields(s), " "); len(s) <= max {
		return s
	}
	return strings.ToValidUTF8(s[:max], "") + "…"
}
