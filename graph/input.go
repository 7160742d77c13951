package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Input says how a run begins: [Start], [Continue] or [Resume].
type Input[S any] struct{ input }

// input is an Input without its types.
type input struct {
	start   bool
	state   any // *S
	answers []Answer
}

// Start begins a new thread with state s. A thread that exists is refused with
// [ErrThreadExists]: go on with it, fork it, or delete it.
func Start[S any](s S) Input[S] { return Input[S]{input{start: true, state: &s}} }

// Continue goes on with a thread that was interrupted, killed, cancelled or
// failed. A thread that is done gives its state, and one that waits for people
// goes on waiting.
func Continue[S any]() Input[S] { return Input[S]{} }

// Resume records answers and goes on. If one of them is refused, none is recorded
// and nothing runs. Questions without an answer stay open, and their tasks are
// not entered.
func Resume[S any](answers ...Answer) Input[S] { return Input[S]{input{answers: answers}} }

// Answer is a person's answer to an [Interrupt].
type Answer struct {
	// ID is the id of the Pause. Empty means the only one that is pending.
	ID string
	// Value is the answer in JSON.
	Value json.RawMessage
	// Who answered; it is required and kept.
	Who string

	err error
}

// AnswerTo makes an Answer from a Go value. It need not be of the very type that
// the Interrupt asked for, but its JSON must fit it.
func AnswerTo[T any](id string, v T, who string) Answer {
	data, err := encodeJSON(&v)
	return Answer{ID: id, Value: data, Who: who, err: err}
}

// Pause is an open question.
type Pause struct {
	ID      string          `json:"id"`
	Node    string          `json:"node"`
	Task    string          `json:"task"`
	Key     string          `json:"key"`
	Payload json.RawMessage `json:"payload"`
	Schema  json.RawMessage `json:"schema"` // of the answer: JSON Schema as in OpenAPI 3.0
	Shown   string          `json:"shown"`  // hex SHA-256 of Payload
}

// checkAnswers turns answers into rows, or says why one of them is refused.
func checkAnswers(answers []Answer, pending []Pause, given map[string]AnswerRow, now time.Time) ([]AnswerRow, error) {
	var rows []AnswerRow
	for _, a := range answers {
		if a.err != nil {
			return nil, fmt.Errorf("%w: %w", ErrAnswerType, a.err)
		}
		if strings.TrimSpace(a.Who) == "" {
			return nil, fmt.Errorf("graph: answer %q does not say who gave it", a.ID)
		}
		p, err := question(a.ID, pending, given)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(rows, func(r AnswerRow) bool { return r.ID == p.ID }) {
			return nil, fmt.Errorf("%w: %s twice in one call", ErrAlreadyAnswered, p.ID)
		}
		value, err := p.check(a.Value)
		if err != nil {
			return nil, fmt.Errorf("%w: %s (%s: %s): %w", ErrAnswerType, p.ID, p.Node, p.Key, err)
		}
		if old, ok := given[p.ID]; ok && !bytes.Equal(old.Value, value) {
			return nil, fmt.Errorf("%w: %s by %s", ErrAlreadyAnswered, p.ID, old.Who)
		}
		rows = append(rows, AnswerRow{ID: p.ID, Node: p.Node, Key: p.Key, Value: value, Who: a.Who, At: now, Shown: p.Shown})
	}
	return rows, nil
}

// question finds the pause that an answer is for. A question whose answer is
// stored but not yet used may be answered again with the same value.
func question(id string, pending []Pause, given map[string]AnswerRow) (Pause, error) {
	open := unanswered(pending, given)
	if id == "" {
		switch len(open) {
		case 0:
			return Pause{}, fmt.Errorf("%w: nothing is pending", ErrUnknownInterrupt)
		case 1:
			return open[0], nil
		}
		return Pause{}, fmt.Errorf("%w: name one of %s", ErrAmbiguousAnswer, describe(open))
	}
	if i := slices.IndexFunc(pending, func(p Pause) bool { return p.ID == id }); i >= 0 {
		return pending[i], nil
	}
	if old, ok := given[id]; ok {
		return Pause{}, fmt.Errorf("%w: %s by %s", ErrAlreadyAnswered, id, old.Who)
	}
	return Pause{}, fmt.Errorf("%w: %s; pending: %s", ErrUnknownInterrupt, id, describe(open))
}

func unanswered(pauses []Pause, given map[string]AnswerRow) []Pause {
	return slices.DeleteFunc(slices.Clone(pauses), func(p Pause) bool { _, ok := given[p.ID]; return ok })
}

// know takes in the answers that are stored.
func (s *session) know(rows []AnswerRow) {
	for _, row := range rows {
		s.answers[row.ID] = row
	}
}

// open gives those of the questions that have no answer yet.
func (s *session) open(pauses []Pause) []Pause { return unanswered(pauses, s.answers) }

// check gives the compact form of an answer that fits the question.
func (p Pause) check(value []byte) ([]byte, error) {
	var buf bytes.Buffer
	if err := json.Compact(&buf, value); err != nil {
		return nil, err
	}
	if !utf8.Valid(value) {
		return nil, ErrInvalidUTF8
	}
	return buf.Bytes(), checkAnswer(p.Schema, buf.Bytes())
}

// putAnswers checks answers against the open questions and records them.
func (s *session) putAnswers(ctx context.Context, answers []Answer, pending []Pause) error {
	rows, err := checkAnswers(answers, pending, s.answers, s.cfg.Now())
	if err != nil || len(rows) == 0 {
		return err
	}
	if err := s.store.PutAnswers(context.WithoutCancel(ctx), s.root, rows); err != nil {
		return err
	}
	for _, row := range rows {
		if _, ok := s.answers[row.ID]; !ok {
			s.answers[row.ID] = row
		}
	}
	return nil
}
