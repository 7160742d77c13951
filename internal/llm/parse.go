package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// UnusableError says why an answer is no T. It is an [ErrUnusable].
type UnusableError struct {
	Reasons []string // for people and for the model, at most ten
	Text    string   // the beginning of the answer
}

func (e *UnusableError) Error() string {
	return fmt.Sprintf("%s: %s (it begins %q)", ErrUnusable, strings.Join(e.Reasons, "; "), e.Text)
}

func (e *UnusableError) Unwrap() error { return ErrUnusable }

// Validator is what a T may implement to check more than its schema says.
type Validator interface{ Validate() error }

// Parse reads a T, a struct, out of a model's text. It takes what clearly means one:
// JSON in a fence or between prose, trailing commas, "0.8" or "80%" for a number,
// one value for a list of one, a member in another spelling; members that T does not
// have are dropped. It never guesses what is missing. The error is an
// [UnusableError], or one about T.
func Parse[T any](text string) (T, error) {
	var v T
	s, err := schemaOf(reflect.TypeFor[T]())
	if err != nil {
		return v, err
	}
	if reasons := parse(text, s, &v); len(reasons) > 0 {
		var none T
		return none, unusable(reasons, text)
	}
	return v, nil
}

// maxText bounds what is looked at for an answer: the longest that models write, 128k
// tokens, are half a megabyte, and a value may take fifty times its text in memory.
const maxText = 2 << 20

// maxReasons is as many as a model can mend at once.
const maxReasons = 10

func unusable(reasons []string, text string) error {
	return &UnusableError{reasons[:min(len(reasons), maxReasons)], clip(text[:min(len(text), 600)])}
}

// parse tries the values that the text holds, and keeps the first that fits. The
// reasons are those of the first that could be read at all.
func parse(text string, s *jsonschema.Schema, into any) (reasons []string) {
	if len(text) > maxText {
		return []string{fmt.Sprintf("the answer is longer than %d MB", maxText>>20)}
	}
	broken := errNoObject
	for v, err := range jsonIn(text) {
		switch {
		case err != nil && errors.Is(broken, errNoObject):
			broken = err
		case err != nil:
		default:
			faults := fill(v, s, into)
			if len(faults) == 0 {
				return nil
			}
			if reasons == nil {
				reasons = faults
			}
		}
	}
	if reasons == nil {
		return []string{broken.Error()}
	}
	return reasons
}

// fill fits one value to the schema and writes it into a T.
func fill(v any, s *jsonschema.Schema, into any) []string {
	f := &fitter{}
	fitted := f.fit(v, s, "")
	if len(f.faults) > 0 {
		return f.faults
	}
	data, err := json.Marshal(fitted)
	if err != nil {
		return []string{err.Error()}
	}
	reflect.ValueOf(into).Elem().SetZero() // of what an earlier value left
	if err := json.Unmarshal(data, into); err != nil {
		return []string{strings.TrimPrefix(err.Error(), "json: ")}
	}
	return invalid(into)
}

func invalid(v any) []string {
	check, ok := v.(Validator) // a pointer has the methods of its value too
	if !ok {
		return nil
	}
	err := check.Validate()
	if err == nil {
		return nil
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var all []string
		for _, e := range many.Unwrap() {
			all = append(all, e.Error())
		}
		return all
	}
	return []string{err.Error()}
}
