package code

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// extractor gives the facts of files, one after the other, with their record, which
// is "" for what another attempt may find otherwise. The error is the end of ctx, or
// that no file can be parsed.
type extractor interface {
	facts(ctx context.Context, lang source.Language, data []byte) (f *facts, record string, err error)
	close()
}

func (b *builder) newExtractor() extractor {
	if len(b.cfg.Parser) == 0 {
		return &inProcess{reader: newReader(b.cfg.fileTimeout())}
	}
	return &outOfProcess{command: b.cfg.Parser, timeout: b.cfg.fileTimeout(), failed: &b.failed}
}

// inProcess parses here.
type inProcess struct{ reader *reader }

// facts leaves a parser that does not end to itself when ctx ends.
func (p *inProcess) facts(ctx context.Context, lang source.Language, data []byte) (*facts, string, error) {
	r, found := p.reader, make(chan *facts, 1)
	go func() { found <- r.facts(lang, data) }()
	select {
	case f := <-found:
		if f.skip == errTooSlow.Error() {
			return f, "", nil
		}
		return f, string(encode(f)), nil
	case <-ctx.Done():
		p.reader = newReader(r.timeout)
		go func() {
			<-found
			r.close()
		}()
		return nil, "", context.Cause(ctx)
	}
}

func (p *inProcess) close() { p.reader.close() }

// outOfProcess has a child that parses, and another one when that dies.
type outOfProcess struct {
	command []string
	timeout time.Duration
	failed  *atomic.Int32 // files in a row, of all workers
	child   *child        // nil before the first file and after a death
}

// maxFailed is how many files in a row may fail until the parser itself is suspected.
const maxFailed = 20

func (p *outOfProcess) facts(ctx context.Context, lang source.Language, data []byte) (*facts, string, error) {
	f, record, err := p.ask(ctx, lang, data)
	switch {
	case ctx.Err() != nil:
		return nil, "", context.Cause(ctx)
	case err == nil:
		p.failed.Store(0)
		return f, record, nil
	case errors.As(err, new(*startError)):
		return nil, "", err
	case p.failed.Add(1) >= maxFailed:
		if err := p.check(ctx); err != nil {
			return nil, "", err
		}
		p.failed.Store(0)
	}
	f = &facts{lang: lang, skip: p.reason(err)}
	return f, string(encode(f)), nil
}

func (p *outOfProcess) reason(err error) string {
	switch {
	case errors.Is(err, errLate):
		return fmt.Sprintf("took longer than %s", p.timeout)
	case errors.Is(err, errMessage), errors.Is(err, errRecord):
		return "the parser's answer on it is damaged"
	}
	return "the parser died on it"
}

// ask gives the file to the child. If one dies that has had other files, what they
// left in its memory may be the cause, so a new one is asked: what is said of a file
// and kept depends on that file alone.
func (p *outOfProcess) ask(ctx context.Context, lang source.Language, data []byte) (*facts, string, error) {
	used := p.child != nil
	f, record, err := p.once(ctx, lang, data, p.timeout)
	if err != nil && used && !errors.Is(err, errLate) && ctx.Err() == nil {
		f, record, err = p.once(ctx, lang, data, p.timeout)
	}
	return f, record, err
}

func (p *outOfProcess) once(ctx context.Context, lang source.Language, data []byte, limit time.Duration) (*facts, string, error) {
	if p.child == nil {
		c, err := startChild(ctx, p.command)
		if err != nil {
			return nil, "", err
		}
		p.child = c
	}
	record, err := p.child.record(lang, data, limit)
	var f *facts
	if err == nil {
		f, err = decode(record)
	}
	if err == nil && f.lang != lang {
		err = errRecord
	}
	if err != nil {
		p.close()
	}
	return f, record, err
}

// check parses a file that no parser fails on. It tells a repository full of hostile
// files, the rest of which is worth reading, from a parser that does not work.
func (p *outOfProcess) check(ctx context.Context) error {
	_, _, err := p.once(ctx, source.Python, []byte("x = 1\n"), startTimeout)
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("the parser failed on %d files in a row, and on a plain one: %w", maxFailed, err)
	}
	return nil
}

func (p *outOfProcess) close() {
	if p.child != nil {
		p.child.end()
		p.child = nil
	}
}
