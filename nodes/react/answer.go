package react

import (
	"context"
	"encoding/json"

	"github.com/repomind/repomind/internal/llm"
)

// Answer runs a loop whose answer is a T, a struct; see llm.Parse for what is taken
// for one. It sets Check. Where the last answer does not fit, the error wraps
// ErrNoAnswer and llm.ErrUnusable.
func Answer[T any](ctx context.Context, l Loop, t Task) (T, Result, error) {
	var none T
	schema, err := llm.SchemaFor[T]()
	if err != nil {
		return none, Result{End: EndError}, err
	}
	t.System, err = render(l.Fence, "schema", struct {
		System string
		Schema json.RawMessage
		JSON   bool
	}{t.System, schema, l.JSON})
	if err != nil {
		return none, Result{End: EndError}, err
	}
	l.schema = schema
	l.Check = func(answer string) error { _, err := llm.Parse[T](answer); return err }
	result, err := l.Run(ctx, t)
	if err != nil {
		return none, result, err
	}
	v, err := llm.Parse[T](result.Answer)
	return v, result, err
}
