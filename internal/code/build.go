package code

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/repomind/repomind/internal/source"
)

// Build reads what the files define. Files without text or of no known language
// count for the map alone. The error is that of blobs, of the cache's directory, or
// the end of ctx; a file that cannot be parsed is no error but [Skipped].
func Build(ctx context.Context, files []source.File, blobs Blobs, cfg Config) (*Index, error) {
	kept, err := loadCache(cfg.Dir)
	if err != nil {
		return nil, err
	}
	b := &builder{cfg: cfg, kept: kept, used: map[string]bool{}, done: map[string]*facts{}}
	b.take(files)
	if err := b.read(ctx, blobs); err != nil {
		return nil, fmt.Errorf("index the code: %w", err)
	}
	if cfg.Dir != "" && len(b.missing) > 0 {
		if err := kept.save(cfg.Dir, b.used); err != nil {
			return nil, err
		}
	}
	return newIndex(files, b.done, len(b.missing)), nil
}

type builder struct {
	cfg     Config
	kept    cache
	used    map[string]bool
	done    map[string]*facts
	first   []source.File // one a key that the cache has
	missing []source.File // one a key that the cache lacks
}

// take sorts the files into those whose facts are known and those to be read.
func (b *builder) take(files []source.File) {
	var known []string
	for _, f := range files {
		k, ok := keyOf(f)
		if !ok || b.used[k] {
			continue
		}
		b.used[k] = true
		if _, ok := b.kept[k]; ok {
			known = append(known, k)
			b.first = append(b.first, f)
		} else {
			b.missing = append(b.missing, f)
		}
	}
	decoded := make([]*facts, len(known))
	var decoding sync.WaitGroup
	for w := range b.cfg.workers() {
		decoding.Go(func() {
			for i := w; i < len(known); i += b.cfg.workers() {
				decoded[i], _ = decode(b.kept[known[i]]) // a damaged record is read anew
			}
		})
	}
	decoding.Wait()
	for i, k := range known {
		if decoded[i] != nil {
			b.done[k] = decoded[i]
		} else {
			b.missing = append(b.missing, b.first[i])
		}
	}
}

func keyOf(f source.File) (string, bool) {
	lang, ok := languageFor(f.Path)
	if !f.Mode.Text() || f.Blob == "" || !ok {
		return "", false
	}
	if lang == manifest {
		lang = source.Language(path.Base(f.Path))
	}
	return f.Blob + " " + string(lang), true
}

type job struct {
	key  string
	path string
	data []byte // nil for a blob that the reader did not give
}

type result struct {
	key    string
	facts  *facts
	record []byte // nil for what another run may find otherwise
}

// read parses what is missing. The reader of the blobs runs here, parsers beside it.
func (b *builder) read(ctx context.Context, blobs Blobs) error {
	small := b.small()
	if len(small) == 0 {
		return ctx.Err()
	}
	workers := b.cfg.workers()
	jobs, results := make(chan job, workers), make(chan result, workers)
	var parsing, storing sync.WaitGroup
	for range workers {
		parsing.Go(func() { b.work(ctx, jobs, results) })
	}
	storing.Go(func() {
		for r := range results {
			b.done[r.key] = r.facts
			if r.record != nil {
				b.kept[r.key] = string(r.record)
			}
		}
	})
	err := blobs.Blobs(ctx, small, func(i int, data []byte) error {
		k, _ := keyOf(small[i])
		j := job{key: k, path: small[i].Path, data: bytes.Clone(data)}
		select {
		case jobs <- j:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	close(jobs)
	parsing.Wait()
	close(results)
	storing.Wait()
	return err
}

// small are the missing files that are not too large; the others are noted.
func (b *builder) small() []source.File {
	var small []source.File
	for _, f := range b.missing {
		if k, _ := keyOf(f); f.Size > b.cfg.maxFileSize() {
			lang, _ := languageFor(f.Path)
			b.done[k] = &facts{lang: lang, skip: tooLarge(f.Size, b.cfg.maxFileSize())}
		} else {
			small = append(small, f)
		}
	}
	// The largest first, so that the workers are done at the same time.
	slices.SortStableFunc(small, func(a, b source.File) int { return cmp.Compare(b.Size, a.Size) })
	b.missing = small
	return small
}

func tooLarge(size, limit int64) string {
	return fmt.Sprintf("%d bytes, more than %d", size, limit)
}

func (b *builder) work(ctx context.Context, jobs <-chan job, results chan<- result) {
	r := newReader(b.cfg.fileTimeout())
	defer r.close()
	for j := range jobs {
		if ctx.Err() != nil {
			continue // the sender stops as well
		}
		f, final := b.facts(r, j)
		found := result{key: j.key, facts: f}
		if final {
			found.record = encode(f)
		}
		results <- found
	}
}

// facts reads one file. They are final if they depend on its content alone, not on
// a limit or on the speed of the machine.
func (b *builder) facts(r *reader, j job) (f *facts, final bool) {
	lang, _ := languageFor(j.path)
	switch limit := b.cfg.maxFileSize(); {
	case j.data == nil:
		return &facts{lang: lang, skip: "not readable: over the reader's limit"}, false
	case int64(len(j.data)) > limit:
		return &facts{lang: lang, skip: tooLarge(int64(len(j.data)), limit)}, false
	case lang == manifest:
		return manifestFacts(path.Base(j.path), j.data), true
	case bytes.IndexByte(j.data[:min(len(j.data), 8000)], 0) >= 0:
		return &facts{lang: lang, skip: "binary content"}, true
	case minified(j.data):
		return &facts{lang: lang, skip: "minified: very long lines"}, true
	}
	f = r.facts(lang, j.data)
	return f, f.skip != errTooSlow.Error()
}

// minified tells code that no person wrote by hand by the length of its lines.
func minified(data []byte) bool {
	return len(data) > 20_000 && len(data)/(bytes.Count(data, []byte("\n"))+1) > 500
}
