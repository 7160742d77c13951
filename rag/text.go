package rag

import (
	"context"
	"fmt"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Text gives the lines of a span.
func (x *Index) Text(ctx context.Context, s source.Span) (string, error) {
	l, err := x.snapshot.ReadLines(ctx, s.Path, s.Start, s.End)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", s, err)
	}
	return strings.Join(l.Text, "\n"), nil
}
