// Package tools holds what a model may call to look into a repository. A tool knows
// no model: it takes JSON, gives text, and says which lines it showed, so that a
// report can look them up again.
//
// A call never ends a run. What cannot be done is answered with what would work:
// the valid lines, files of the same name, "did you mean".
package tools

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/repomind/repomind/internal/source"
)

// Tool is one thing that a model may do.
type Tool struct {
	Name        string
	Description string          // Markdown, for the model
	Schema      json.RawMessage // JSON Schema of the arguments
	ReadOnly    bool            // changes nothing anywhere
	Call        func(ctx context.Context, args json.RawMessage) Result
}

// Result is the answer to a call.
type Result struct {
	Text   string // for the model: printable, at most some 30,000 bytes
	Failed bool   // Text says why, and what would work
	Shown  []Shown
}

// Shown is a piece of the repository that a result holds word for word.
type Shown struct {
	Commit source.Commit `json:"commit"`
	Span   source.Span   `json:"span"`
}

//go:embed *.md
var descriptions embed.FS

// define makes a tool of a function with typed parameters. The schema comes from the
// type, the description from the file of the tool's name.
func define[P any](name string, call func(context.Context, P) (Result, error)) Tool {
	schema, err := jsonschema.For[P](nil)
	if err != nil {
		panic(fmt.Sprintf("tools: the parameters of %s: %v", name, err)) // a mistake in this package; the golden test finds it
	}
	text, err := schema.MarshalJSON()
	if err != nil {
		panic(fmt.Sprintf("tools: the schema of %s: %v", name, err))
	}
	description, err := descriptions.ReadFile(name + ".md")
	if err != nil {
		panic(fmt.Sprintf("tools: %s has no description: %v", name, err))
	}
	return Tool{
		Name: name, Description: strings.TrimSpace(string(description)), Schema: text, ReadOnly: true,
		Call: func(ctx context.Context, args json.RawMessage) Result {
			var p P
			if err := decode(args, &p, schema); err != nil {
				return failed(err)
			}
			result, err := call(ctx, p)
			if err != nil {
				return failed(err)
			}
			return result
		},
	}
}

func failed(err error) Result { return Result{Text: brief(clean(err.Error())), Failed: true} }

// decode is strict, and tells a model what it got wrong in terms of the parameters.
func decode(args json.RawMessage, into any, schema *jsonschema.Schema) error {
	if len(bytes.TrimSpace(args)) == 0 {
		args = json.RawMessage("{}")
	}
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("something follows the object")
		}
	}
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("%s must be a %s, not a %s; the parameters are %s", wrong.Field, jsonType(wrong.Type.Kind().String()), wrong.Value, parameters(schema))
	case err != nil:
		return fmt.Errorf("the arguments must be one JSON object: %s; the parameters are %s", strings.TrimPrefix(err.Error(), "json: "), parameters(schema))
	}
	return missing(args, schema)
}

func missing(args json.RawMessage, schema *jsonschema.Schema) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(args, &given); err != nil {
		return err
	}
	for _, name := range schema.Required {
		if value, ok := given[name]; !ok || string(value) == "null" || string(value) == `""` {
			return fmt.Errorf("%s is missing; the parameters are %s", name, parameters(schema))
		}
	}
	return nil
}

func jsonType(kind string) string {
	switch kind {
	case "int":
		return "whole number"
	case "bool":
		return "boolean"
	case "slice":
		return "list of strings"
	}
	return kind
}

// parameters names them, those that may be left out in brackets.
func parameters(schema *jsonschema.Schema) string {
	required := map[string]bool{}
	for _, name := range schema.Required {
		required[name] = true
	}
	var names []string
	for _, name := range schema.PropertyOrder {
		if !required[name] {
			name = "[" + name + "]"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
