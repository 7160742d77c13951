package llm

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// Limit holds back the calls to one provider. All its models share one, and a wait
// that the provider asks one of them for holds for all.
type Limit struct {
	// Concurrent is how many calls may be under way. Zero means 4.
	Concurrent int
	// PerMinute is how many may begin in a minute, evenly spread. Zero means any number.
	PerMinute int

	once  sync.Once
	slots chan struct{}
	mu    sync.Mutex
	next  time.Time // when the next call may begin
}

// Guard gives m behind the limit. A call that waits too long ends with its context.
func (l *Limit) Guard(m Model) Model {
	l.once.Do(func() { l.slots = make(chan struct{}, max(cmp.Or(l.Concurrent, 4), 1)) })
	return limited{l, m}
}

type limited struct {
	limit *Limit
	model Model
}

func (g limited) Generate(ctx context.Context, req Request) (Response, error) {
	select {
	case g.limit.slots <- struct{}{}:
		defer func() { <-g.limit.slots }()
	case <-ctx.Done():
		return Response{}, context.Cause(ctx)
	}
	if err := g.limit.wait(ctx); err != nil {
		return Response{}, err
	}
	resp, err := g.model.Generate(ctx, req)
	if after := retryAfter(err); after > 0 {
		g.limit.hold(after)
	}
	return resp, err
}

// wait takes the next time to begin and waits for it. Where a hold was set in the
// meantime it queues again.
func (l *Limit) wait(ctx context.Context) error {
	for {
		until := l.take()
		if until <= 0 {
			return ctx.Err()
		}
		timer := time.NewTimer(until)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
	}
}

// take says how long to wait, and takes the place when that is not at all.
func (l *Limit) take() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if until := l.next.Sub(now); until > 0 {
		return until
	}
	if l.PerMinute > 0 {
		l.next = now.Add(time.Minute / time.Duration(l.PerMinute))
	}
	return 0
}

// holdMost keeps a provider's nonsense from stopping all work.
const holdMost = time.Minute

func (l *Limit) hold(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until := time.Now().Add(min(d, holdMost)); until.After(l.next) {
		l.next = until
	}
}
