package llm

import (
	"context"
	"errors"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Decode asks for an answer that is a T, a struct; see [SchemaFor] for what a T says
// of itself and [Parse] for what is taken. It is the one way to an answer with a
// type. Tools of the request are off.
//
// An answer that was cut off is asked for once more, with more room and shorter. An
// answer that is no T is asked for once more, with its faults and the schema. So there
// are at most three calls; the Response is that of the last, with the Usage of all. The
// error is an [ErrCutOff], an [ErrFiltered], an [ErrUnusable], or the model's; on the
// first three the caller takes a way without a model.
func Decode[T any](ctx context.Context, m Model, req Request) (T, Response, error) {
	var v T
	s, err := schemaOf(reflect.TypeFor[T]())
	if err != nil {
		return v, Response{}, err
	}
	resp, err := ask(ctx, m, req, s, &v)
	if err != nil {
		var none T
		return none, resp, err
	}
	return v, resp, nil
}

func ask(ctx context.Context, m Model, req Request, s *jsonschema.Schema, into any) (Response, error) {
	var err error
	if req.Schema, err = encodeJSON(s); err != nil {
		return Response{}, err
	}
	req.Tools = nil
	var spent Usage
	for widened, mended := false, false; ; {
		resp, err := m.Generate(ctx, req)
		spent = spent.Add(resp.Usage)
		resp.Usage = spent
		if err != nil {
			return resp, err
		}
		fault := judge(resp, s, into)
		bad, unusable := errors.AsType[*UnusableError](fault)
		switch {
		case errors.Is(fault, ErrCutOff) && !widened:
			widened = true
			req, err = shorter(req)
			req.Key = further(req.Key, "shorter")
		case unusable && !mended:
			mended = true
			req, err = repair(req, resp.Text, bad.Reasons)
			req.Key = further(req.Key, "repair")
		default:
			return resp, fault
		}
		if err != nil {
			return resp, err
		}
	}
}

// judge looks at the reason to stop before the text, since a cut-off answer is not
// bad JSON.
func judge(resp Response, s *jsonschema.Schema, into any) error {
	op := "read the answer of " + resp.Model
	switch resp.Stop {
	case StopFilter:
		return &Error{Op: op, Kind: ErrFiltered, Message: clip(resp.Text)}
	case StopLength:
		return &Error{Op: op, Kind: ErrCutOff}
	}
	if reasons := parse(resp.Text, s, into); len(reasons) > 0 {
		return unusable(reasons, resp.Text)
	}
	return nil
}

// further is the idempotency key of a call that follows another one.
func further(key, why string) string {
	if key == "" {
		return ""
	}
	return key + "/" + why
}

// roomMost is as many tokens as all models that we know can write.
const roomMost = 8192

func shorter(req Request) (Request, error) {
	room := req.MaxTokens
	if room == 0 {
		room = defaultMaxTokens
	}
	req.MaxTokens = max(room, min(2*room, roomMost))
	text, err := prompt("shorter", nil)
	return req.with(User(text)), err
}

// shownMost bounds what a model is shown of its own bad answer.
const shownMost = 20_000

// repair always shows the schema: the model did not keep to it, and may never have seen
// it, as some servers take a schema and ignore it.
func repair(req Request, said string, reasons []string) (Request, error) {
	text, err := prompt("repair", struct {
		Reasons []string
		Schema  string
	}{reasons, string(req.Schema)})
	if said == "" {
		return req.with(User(text)), err
	}
	turn := Message{Role: RoleAssistant, Parts: []Part{{Text: strings.ToValidUTF8(said[:min(len(said), shownMost)], "")}}}
	return req.with(turn, User(text)), err
}

// with gives the request with more messages, and leaves the old one as it is.
func (r Request) with(more ...Message) Request {
	r.Messages = append(r.Messages[:len(r.Messages):len(r.Messages)], more...)
	return r
}
