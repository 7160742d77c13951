package llm

import "context"

type keptKey struct{}

// WithKept gives a context whose user is told what answers took that were not asked for
// anew, as they were kept by a run that was broken off. A budget has to count them.
func WithKept(ctx context.Context, told func(Usage)) context.Context {
	return context.WithValue(ctx, keptKey{}, told)
}

// Kept tells of a kept answer.
func Kept(ctx context.Context, u Usage) {
	if told, ok := ctx.Value(keptKey{}).(func(Usage)); ok {
		told(u)
	}
}
