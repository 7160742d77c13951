package llm

import (
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

func (f *fitter) object(v any, s *jsonschema.Schema, path string) any {
	m, ok := asObject(v, s)
	if !ok {
		return f.fault(path, "want an object, got %s", kind(v))
	}
	out := map[string]any{}
	in := &spelt{named: m}
	for _, name := range sortedKeys(s.Properties) {
		if got := f.member(in, name, s, join(path, name)); got != nil {
			out[name] = got
		}
	}
	if more := s.AdditionalProperties; more != nil && more.Not == nil { // a map
		for _, name := range sortedKeys(m) {
			if len(f.faults) > maxReasons {
				break
			}
			out[name] = f.fit(m[name], more, join(path, name))
		}
	}
	return out
}

// member gives nil for one that is absent.
func (f *fitter) member(m *spelt, name string, s *jsonschema.Schema, path string) any {
	v, found := m.find(name)
	required := slices.Contains(s.Required, name)
	p := s.Properties[name]
	switch {
	case v == nil && !required:
		return nil
	case v == nil && found && p.Type == "array":
		return []any{}
	case v == nil && p.Type != "":
		return f.fault(path, "is missing")
	}
	if text, ok := v.(string); ok && strings.TrimSpace(text) == "" && p.Type != "array" {
		if required {
			return f.fault(path, "must not be empty")
		}
		return nil
	}
	return f.fit(v, p, path)
}

// spelt are the members of an object by their names, and by names that differ in case,
// "_" and "-": the first of several, in the order of the alphabet.
type spelt struct {
	named map[string]any
	loose map[string]string // the names, by their squashed forms; made when needed
}

func (m *spelt) find(name string) (any, bool) {
	if v, ok := m.named[name]; ok {
		return v, true
	}
	if m.loose == nil {
		m.loose = make(map[string]string, len(m.named))
		for _, key := range slices.Backward(sortedKeys(m.named)) {
			m.loose[squash(key)] = key
		}
	}
	key, ok := m.loose[squash(name)]
	return m.named[key], ok
}

// asObject takes an object, one in a list of one or in a text, and for an object
// with one list in it, that list.
func asObject(v any, s *jsonschema.Schema) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, true
	case string:
		if inner, err := decodeJSON([]byte(v)); err == nil {
			m, ok := inner.(map[string]any)
			return m, ok
		}
	case []any:
		if names := sortedKeys(s.Properties); len(names) == 1 && s.Properties[names[0]].Type == "array" {
			return map[string]any{names[0]: v}, true
		}
		if len(v) == 1 {
			m, ok := v[0].(map[string]any)
			return m, ok
		}
	}
	return nil, false
}
