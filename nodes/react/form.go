package react

import (
	"encoding/json"
	"fmt"
)

// The schema of a turn in the JSON protocol. A server that holds a model to it writes the
// members in this order, the thought first.
type (
	turnForm struct {
		Type       string   `json:"type"`
		Properties turnHas  `json:"properties"`
		Required   []string `json:"required"`
		More       bool     `json:"additionalProperties"`
	}
	turnHas struct {
		Thought textForm        `json:"thought"`
		Calls   *callsForm      `json:"calls,omitempty"`
		Answer  json.RawMessage `json:"answer"`
	}
	callsForm struct {
		Type  string   `json:"type"`
		Items callForm `json:"items"`
	}
	callForm struct {
		Type       string   `json:"type"`
		Properties callHas  `json:"properties"`
		Required   []string `json:"required"`
		More       bool     `json:"additionalProperties"`
	}
	callHas struct {
		Name textForm        `json:"name"`
		Args json.RawMessage `json:"args"`
	}
	textForm struct {
		Type string   `json:"type"`
		Enum []string `json:"enum,omitempty"`
	}
)

// turnSchema is that of all turns, so that requests begin in the same way to the last. It
// is nil for a model with tool calling.
func (r *run) turnSchema() (json.RawMessage, error) {
	if !r.JSON {
		return nil, nil
	}
	has := turnHas{Thought: textForm{Type: "string"}, Answer: json.RawMessage(`{"type":"string"}`)}
	if r.schema != nil {
		has.Answer = r.schema
	}
	if len(r.tools) > 0 {
		name := textForm{Type: "string"}
		for _, t := range r.tools {
			name.Enum = append(name.Enum, t.Name)
		}
		call := callForm{"object", callHas{name, json.RawMessage(`{"type":"object"}`)}, []string{"name", "args"}, false}
		has.Calls = &callsForm{"array", call}
	}
	schema, err := encode(turnForm{"object", has, []string{"thought"}, false})
	if err != nil {
		return nil, fmt.Errorf("schema of a turn: %w", err)
	}
	return schema, nil
}
