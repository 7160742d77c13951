package llm

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// fitter brings a decoded value into the shape of a schema and notes what cannot be
// brought there. It goes no deeper than the schema does.
type fitter struct{ faults []string }

func (f *fitter) fault(path, format string, args ...any) any {
	if len(f.faults) <= maxReasons {
		f.faults = append(f.faults, strings.TrimPrefix(path+": ", ": ")+fmt.Sprintf(format, args...))
	}
	return nil
}

func (f *fitter) fit(v any, s *jsonschema.Schema, path string) any {
	switch s.Type {
	case "object":
		return f.object(v, s, path)
	case "array":
		return f.array(v, s, path)
	case "string":
		return f.text(v, s, path)
	case "integer":
		return f.integer(v, s, path)
	case "number":
		return f.number(v, s, path)
	case "boolean":
		return f.boolean(v, path)
	}
	return v // the type takes anything
}

func (f *fitter) array(v any, s *jsonschema.Schema, path string) any {
	out := []any{}
	for i, item := range asList(v) {
		if len(f.faults) > maxReasons {
			break // nobody reads more
		}
		if s.Items != nil {
			item = f.fit(item, s.Items, fmt.Sprintf("%s[%d]", path, i))
		}
		out = append(out, item)
	}
	if s.MinItems != nil && len(out) != *s.MinItems {
		return f.fault(path, "want %d items, got %d", *s.MinItems, len(out))
	}
	return out
}

// asList takes a list, a list in a text, nothing for an empty one, and one value for
// a list of one.
func asList(v any) []any {
	switch v := v.(type) {
	case nil:
		return nil
	case []any:
		return v
	case string:
		if strings.TrimSpace(v) == "" {
			return nil
		}
		if inner, err := decodeJSON([]byte(v)); err == nil {
			if list, ok := inner.([]any); ok {
				return list
			}
		}
	}
	return []any{v}
}

func (f *fitter) text(v any, s *jsonschema.Schema, path string) any {
	var text string
	switch v := v.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	case bool:
		text = strconv.FormatBool(v)
	case []any:
		lines, ok := allText(v)
		if !ok {
			return f.fault(path, "want text, got a list")
		}
		text = strings.Join(lines, "\n")
	default:
		return f.fault(path, "want text, got %s", kind(v))
	}
	if s.Enum == nil {
		return text
	}
	if value, ok := meant(text, s.Enum); ok {
		return value
	}
	return f.fault(path, "%q is none of %s", clip(text), values(s.Enum))
}

func allText(list []any) ([]string, bool) {
	var lines []string
	for _, item := range list {
		line, ok := item.(string)
		if !ok {
			return nil, false
		}
		lines = append(lines, line)
	}
	return lines, true
}

func (f *fitter) boolean(v any, path string) any {
	switch v := v.(type) {
	case bool:
		return v
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true", "yes":
			return true
		case "false", "no":
			return false
		}
	}
	return f.fault(path, "want true or false, got %s", kind(v))
}

// kind names a value for a fault.
func kind(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return strconv.Quote(clip(v))
	}
	return fmt.Sprint(v)
}
