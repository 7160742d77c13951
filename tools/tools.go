// Package tools holds what a model may call to look into a repository. A tool knows
// no model: it takes JSON, gives text, and says which lines it showed, so that a
// report can look them up again.
//
// A call never ends a run. What cannot be done is answered with what would work:
// the valid lines, files of the same name, "did you mean".
package tools

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
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
	Text    string // for the model: printable, at most some 30,000 bytes
	Failed  bool   // Text says why, and what would work
	Refused bool   // it failed since the arguments do not fit the schema, or no tool has the name
	Shown   []Shown
	// At is where in Text each of Shown begins; from there it goes on line by line.
	At []int
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
				return refused(err)
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

func refused(err error) Result {
	r := failed(err)
	r.Refused = true
	return r
}
