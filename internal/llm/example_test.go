package llm_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/repomind/repomind/internal/llm"
)

type Mood string

func (Mood) Enum() []string { return []string{"good", "bad", "medium"} }

// The model answers in its own way; the value is clean.
func ExampleDecode() {
	model := modelFunc(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "Sure:\n```json\n{\"Mood\": \"Med\", \"reasons\": \"rain\",}\n```", Stop: llm.StopEnd}, nil
	})
	type weather struct {
		Mood    Mood     `json:"mood" jsonschema:"how people feel"`
		Reasons []string `json:"reasons"`
	}
	v, _, err := llm.Decode[weather](context.Background(), model, llm.Request{Messages: []llm.Message{llm.User("How is the weather?")}})
	data, _ := json.Marshal(v)
	fmt.Println(string(data), err)
	// Output: {"mood":"medium","reasons":["rain"]} <nil>
}
