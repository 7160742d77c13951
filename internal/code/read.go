package code

import (
	"bytes"
	"context"
	"errors"
	"path"
	"sync"
)

type job struct {
	key  string
	path string
	data []byte // nil for a blob that the reader did not give
}

type result struct {
	key    string
	facts  *facts
	record string // "" for what another run may find otherwise
}

var errBudget = errors.New("the time for all files is over")

// read parses what is missing. The reader of the blobs runs here, parsers beside it.
func (b *builder) read(ctx context.Context, blobs Blobs) error {
	small := b.small()
	if len(small) == 0 {
		return ctx.Err()
	}
	timed, stop := context.WithTimeoutCause(ctx, b.cfg.timeout(), errBudget)
	defer stop()
	within, fail := context.WithCancelCause(timed)
	defer fail(nil)
	workers := b.cfg.workers()
	jobs, results := make(chan job, workers), make(chan result, workers)
	var parsing, storing sync.WaitGroup
	for range workers {
		parsing.Go(func() {
			if err := b.work(within, jobs, results); err != nil {
				fail(err)
			}
		})
	}
	storing.Go(func() { b.store(results) })
	err := blobs.Blobs(within, small, func(i int, data []byte) error {
		k, _ := keyOf(small[i])
		select {
		case jobs <- job{key: k, path: small[i].Path, data: bytes.Clone(data)}:
			return nil
		case <-within.Done():
			return context.Cause(within)
		}
	})
	close(jobs)
	parsing.Wait()
	close(results)
	storing.Wait()
	return b.ended(ctx, context.Cause(within), err)
}

// ended is the error of a reading that was cut short by cause, if any. The end of the
// time is none: what is not parsed by then is skipped.
func (b *builder) ended(ctx context.Context, cause, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case cause == nil:
		return err
	case !errors.Is(cause, errBudget):
		return cause
	}
	for _, f := range b.missing {
		if k, _ := keyOf(f); b.done[k] == nil {
			lang, _ := languageFor(f.Path)
			b.done[k] = &facts{lang: lang, skip: "not parsed: all files took longer than " + b.cfg.timeout().String()}
		}
	}
	return nil
}

func (b *builder) store(results <-chan result) {
	for r := range results {
		b.done[r.key] = r.facts
		if r.record != "" {
			b.kept[r.key] = r.record
		}
	}
}

// work parses until there are no jobs. What the end of ctx leaves is not reported.
func (b *builder) work(ctx context.Context, jobs <-chan job, results chan<- result) error {
	x := b.newExtractor()
	defer x.close()
	for j := range jobs {
		f, record, err := b.facts(ctx, x, j)
		if err != nil {
			return err // the sender stops as well
		}
		results <- result{j.key, f, record}
	}
	return nil
}

// facts reads one file. There is no record of what depends on a limit or on the
// speed of the machine, and not on the content alone.
func (b *builder) facts(ctx context.Context, x extractor, j job) (f *facts, record string, err error) {
	lang, _ := languageFor(j.path)
	switch limit := b.cfg.maxFileSize(); {
	case j.data == nil:
		return &facts{lang: lang, skip: "not readable: over the reader's limit"}, "", nil
	case int64(len(j.data)) > limit:
		return &facts{lang: lang, skip: tooLarge(int64(len(j.data)), limit)}, "", nil
	case lang == manifest:
		f = manifestFacts(path.Base(j.path), j.data)
	case bytes.IndexByte(j.data[:min(len(j.data), 8000)], 0) >= 0:
		f = &facts{lang: lang, skip: "binary content"}
	case minified(j.data):
		f = &facts{lang: lang, skip: "minified: very long lines"}
	default:
		return x.facts(ctx, lang, j.data)
	}
	return f, string(encode(f)), nil
}
