package chroma

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/repomind/repomind/internal/vector"
)

// maxAnswer is what is read of an answer: MaxK items with all that one may have
// stay below it, and so do the vectors of a Get in its steps.
const maxAnswer = 256 << 20

// Error is a refusal of the server. It is the sentinel of package vector that its
// status stands for: ErrNotFound, ErrUnavailable, or ErrInvalid.
type Error struct {
	Status  int    // of HTTP
	Message string // of the server, shortened and without control characters
}

func (e *Error) Error() string {
	hint := ""
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		hint = "; is the token right?"
	case http.StatusGone:
		hint = "; the server does not speak version 2 of the interface"
	}
	return fmt.Sprintf("the Chroma server answered %d %s: %s%s", e.Status, http.StatusText(e.Status), e.Message, hint)
}

// Unwrap gives the sentinel.
func (e *Error) Unwrap() error {
	switch {
	case e.Status == http.StatusNotFound:
		return vector.ErrNotFound
	case e.Status == http.StatusBadRequest, e.Status == http.StatusUnprocessableEntity, e.Status == http.StatusRequestEntityTooLarge:
		return vector.ErrInvalid
	}
	return vector.ErrUnavailable
}

type client struct {
	http  *http.Client
	token string
}

func newClient(config Config) client {
	return client{token: config.Token, http: &http.Client{
		Transport: config.Transport,
		Timeout:   cmp.Or(config.Timeout, 30*time.Second),
		// A redirect would take the token, and the vectors, to somewhere else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

func (c client) get(ctx context.Context, url string, answer any) error {
	return c.send(ctx, http.MethodGet, url, nil, answer)
}

func (c client) delete(ctx context.Context, url string) error {
	return c.send(ctx, http.MethodDelete, url, nil, nil)
}

func (c client) post(ctx context.Context, url string, body, answer any) error {
	b, err := json.Marshal(body)
	if err != nil {
		return err
	}
	return c.send(ctx, http.MethodPost, url, b, answer)
}

// send reads the answer as JSON into answer, unless that is nil.
func (c client) send(ctx context.Context, method, url string, body []byte, answer any) error {
	req, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("X-Chroma-Token", c.token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return unreachable(ctx, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return refusal(resp)
	}
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return unreachable(ctx, err)
	}
	if len(b) > maxAnswer {
		return fmt.Errorf("the Chroma server's answer is longer than %d bytes: %w", maxAnswer, vector.ErrBroken)
	}
	if answer == nil {
		return nil
	}
	if err := json.Unmarshal(b, answer); err != nil {
		return fmt.Errorf("the Chroma server's answer: %w: %w", err, vector.ErrBroken)
	}
	return nil
}

// unreachable keeps the caller's own end of the context apart from a server that
// does not answer.
func unreachable(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("ask the Chroma server: %w", errors.Join(err, vector.ErrUnavailable))
}

func refusal(resp *http.Response) error {
	b, err := io.ReadAll(io.LimitReader(resp.Body, 4096))
	if err != nil {
		b = nil // the status alone says enough
	}
	var said struct{ Message string }
	if json.Unmarshal(b, &said) != nil || said.Message == "" {
		said.Message = string(b)
	}
	return &Error{resp.StatusCode, plain(said.Message)}
}

// plain makes a line of at most 200 characters of what the server says.
func plain(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) }), " ")
	if r := []rune(s); len(r) > 200 {
		return string(r[:200]) + "…"
	}
	return s
}
