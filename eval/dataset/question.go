package dataset

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/repomind/repomind/internal/source"
)

// Question is an issue that asks something, with what a maintainer answered.
type Question struct {
	ID       string // unique in its file
	Topic    string // such as usage or design-decision; "" is unknown
	Language source.Language
	Input    Input
	Gold     Answer
}

// Answer is what a question is held against.
type Answer struct {
	Text   string // never ""
	By     string // who gave it, in words
	Files  []string
	Number int // of the issue; 0 is unknown
}

// Questions reads questions, in the order of the file. The first error ends the
// sequence. name stands for the file in errors.
func Questions(name string, r io.Reader, limits Limits) iter.Seq2[Question, error] {
	return records[rawQuestion](name, r, limits)
}

type rawQuestion struct {
	rawHead
	rawIssue
	Number int      `json:"number"`
	Topic  string   `json:"question_kind"`
	Answer string   `json:"answer"`
	By     string   `json:"answer_by"`
	Files  []string `json:"relevant_files"`
}

func (r rawQuestion) build() (Question, error) {
	q := Question{ID: r.ID, Topic: r.Topic, Language: r.language(),
		Gold: Answer{Text: r.Answer, By: r.By, Files: r.Files, Number: r.Number}}
	switch {
	case r.Kind != "question":
		return q, fmt.Errorf("kind is %q, not question", clip(r.Kind))
	case r.Answer == "":
		return q, errors.New("answer is missing")
	case r.Number < 0:
		return q, errors.New("number is negative")
	}
	if _, err := paths("relevant_files", r.Files); err != nil {
		return q, err
	}
	var err error
	q.Input, err = r.input(r.rawHead)
	return q, err
}
