package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

const countLines = "count_lines"

type countArgs struct {
	Path string `json:"path" jsonschema:"the file, from the root of the repository"`
}

func askTool(name string) (llm.Request, error) {
	req, err := ask(name)
	if err != nil {
		return req, err
	}
	schema, err := llm.SchemaFor[countArgs]()
	req.Tools = []llm.Tool{{Name: countLines, Description: "Counts the lines of one file.", Schema: schema}}
	return req, err
}

func (c *checker) toolCall(ctx context.Context) (string, llm.Response, error) {
	req, err := askTool("tool")
	if err != nil {
		return "", llm.Response{}, err
	}
	resp, err := c.generate(ctx, req)
	if err != nil {
		return "", resp, err
	}
	paths, err := calledPaths(resp)
	c.toolless = errors.As(err, new(unsupported))
	if err == nil && !slices.Equal(paths, []string{"src/app.go"}) {
		err = fmt.Errorf("%w: it asked for %s", errWrongCall, said(strings.Join(paths, ", ")))
	}
	if err == nil {
		c.asked, c.calls = req, resp
	}
	return countLines + " src/app.go", resp, err
}

func (c *checker) toolResult(ctx context.Context) (string, llm.Response, error) {
	if len(c.calls.Calls) == 0 {
		return "", llm.Response{}, untried("there was no call to answer")
	}
	call := c.calls.Calls[0]
	req := c.asked
	req.Messages = slices.Concat(req.Messages, []llm.Message{
		c.calls.Message(),
		llm.Results(llm.ToolResult{ID: call.ID, Name: call.Name, Text: "src/app.go has 4217 lines"}),
	})
	resp, err := c.generate(ctx, req)
	digits := strings.NewReplacer(",", "", ".", "", " ", "", "'", "").Replace(resp.Text)
	if err == nil && !strings.Contains(digits, "4217") {
		err = fmt.Errorf("%w: the result is 4217, and it said %s", errWrongCall, said(resp.Text))
	}
	return said(resp.Text), resp, err
}

func (c *checker) parallelCalls(ctx context.Context) (string, llm.Response, error) {
	if c.toolless {
		return "", llm.Response{}, untried("it calls no tools")
	}
	req, err := askTool("tools")
	if err != nil {
		return "", llm.Response{}, err
	}
	resp, err := c.generate(ctx, req)
	if err != nil {
		return "", resp, err
	}
	paths, err := calledPaths(resp)
	slices.Sort(paths)
	switch {
	case err != nil:
	case len(paths) == 1:
		err = unsupported("it makes one call at a time")
	case !slices.Equal(paths, []string{"src/app.go", "src/main.go"}):
		err = fmt.Errorf("%w: it asked for %s", errWrongCall, said(strings.Join(paths, ", ")))
	}
	return fmt.Sprintf("%d calls in one turn", len(paths)), resp, err
}

// calledPaths are the files that a model asked for.
func calledPaths(resp llm.Response) ([]string, error) {
	if len(resp.Calls) == 0 {
		return nil, unsupported("it called no tool and said " + said(resp.Text))
	}
	var paths []string
	for _, call := range resp.Calls {
		var a countArgs
		if err := json.Unmarshal(call.Args, &a); err != nil || call.Name != countLines || call.Malformed != "" {
			return paths, fmt.Errorf("%w: %s", errWrongCall, said(call.Name+" "+string(call.Args)+call.Malformed))
		}
		paths = append(paths, a.Path)
	}
	return paths, nil
}
