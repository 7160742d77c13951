package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/llm"
)

//go:embed probes/*.md
var probes embed.FS

// probeTokens bounds one answer. It leaves room for models that think before they say
// a word.
const probeTokens = 1024

func ask(name string, images ...llm.Image) (llm.Request, error) {
	text, err := probes.ReadFile("probes/" + name + ".md")
	return llm.Request{Messages: []llm.Message{llm.User(string(text), images...)}, MaxTokens: probeTokens}, err
}

// generate makes one call whose answer has to be whole.
func (c *checker) generate(ctx context.Context, req llm.Request) (llm.Response, error) {
	resp, err := c.model.Generate(ctx, req)
	if err != nil {
		return resp, err
	}
	switch resp.Stop {
	case llm.StopLength:
		err = fmt.Errorf("%w after %d tokens: %s", llm.ErrCutOff, req.MaxTokens, said(resp.Text))
	case llm.StopFilter:
		err = llm.ErrFiltered
	}
	return resp, err
}

// said is the beginning of what a model said.
func said(text string) string {
	const most = 48
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most]) + "…"
	}
	return strconv.Quote(text)
}

func (c *checker) answer(ctx context.Context) (string, llm.Response, error) {
	req, err := ask("answer")
	if err != nil {
		return "", llm.Response{}, err
	}
	resp, err := c.generate(ctx, req)
	if err == nil && strings.TrimSpace(resp.Text) == "" {
		err = fmt.Errorf("%w: no text", llm.ErrAnswer)
	}
	c.count(resp)
	return said(resp.Text), resp, err
}

func (c *checker) streaming(ctx context.Context) (string, llm.Response, error) {
	if c.replayed {
		return "", llm.Response{}, untried("what was recorded is no stream")
	}
	req, err := ask("stream")
	if err != nil {
		return "", llm.Response{}, err
	}
	pieces := 0
	req.Stream = func(string) { pieces++ }
	resp, err := c.generate(ctx, req)
	if errors.Is(err, llm.ErrCutOff) {
		err = nil // what came is enough to tell
	}
	if err == nil && pieces < 2 {
		err = unsupported("the text came in one piece")
	}
	c.count(resp)
	return fmt.Sprintf("%d pieces", pieces), resp, err
}

// verdict is an answer with a type.
type verdict struct {
	Kind   verdictKind `json:"kind"`
	Reason string      `json:"reason" jsonschema:"why, in one short sentence"`
}

type verdictKind string

func (verdictKind) Enum() []string { return []string{"bug", "feature", "question"} }

func (c *checker) structured(ctx context.Context) (string, llm.Response, error) {
	req, err := ask("decode")
	if err != nil {
		return "", llm.Response{}, err
	}
	v, resp, err := llm.Decode[verdict](ctx, c.model, req)
	note := "kind " + string(v.Kind)
	if resp.Usage.Calls > 1 {
		note += fmt.Sprintf(", in %d calls", resp.Usage.Calls)
	}
	return note, resp, err
}

func (c *checker) image(ctx context.Context) (string, llm.Response, error) {
	picture, err := redSquare()
	if err != nil {
		return "", llm.Response{}, err
	}
	req, err := ask("image", picture)
	if err != nil {
		return "", llm.Response{}, err
	}
	resp, err := c.generate(ctx, req)
	if err == nil && !strings.Contains(strings.ToLower(resp.Text), "red") {
		err = fmt.Errorf("the picture is red, and it said %s", said(resp.Text))
	}
	return said(resp.Text), resp, err
}

func redSquare() (llm.Image, error) {
	canvas := image.NewRGBA(image.Rect(0, 0, 64, 64))
	draw.Draw(canvas, canvas.Bounds(), image.NewUniform(color.RGBA{R: 230, A: 255}), image.Point{}, draw.Src)
	var data bytes.Buffer
	err := png.Encode(&data, canvas)
	return llm.Image{MIME: "image/png", Data: data.Bytes()}, err
}
