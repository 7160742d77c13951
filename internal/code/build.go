package code

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/repomind/repomind/internal/records"
	"github.com/repomind/repomind/internal/source"
)

// Build reads what the files define. Files without text or of no known language
// count for the map alone. The error is that of blobs, of a parser that cannot be
// started or fails on all files, or the end of ctx; a file that cannot be parsed is
// no error but [Skipped].
func Build(ctx context.Context, files []source.File, blobs Blobs, cfg Config) (*Index, error) {
	kept, trouble := loadCache(cfg.Dir)
	b := &builder{cfg: cfg, kept: kept, used: map[string]bool{}, done: map[string]*facts{}}
	b.take(files)
	if err := b.read(ctx, blobs); err != nil {
		return nil, fmt.Errorf("index the code: %w", err)
	}
	if cfg.Dir != "" && len(b.missing) > 0 {
		trouble = cmp.Or(trouble, saveCache(cfg.Dir, kept, b.used))
	}
	if trouble != nil && cfg.Notify != nil {
		cfg.Notify(trouble.Error())
	}
	return newIndex(files, b.done, len(b.missing)), nil
}

type builder struct {
	cfg     Config
	kept    records.Records
	used    map[string]bool
	done    map[string]*facts
	first   []source.File // one a key that the cache has
	missing []source.File // one a key that the cache lacks
	failed  atomic.Int32  // files in a row that killed their parser
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
				decoded[i] = b.known(known[i])
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

// known are facts of the cache, nil for a damaged record, which is read anew. The second
// part is trusted: who wrote it has read or made it, and the file has a checksum.
func (b *builder) known(key string) *facts {
	f, err := decodeFirst(b.kept[key])
	if err != nil {
		return nil
	}
	return f
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

// minified tells code that no person wrote by hand by the length of its lines.
func minified(data []byte) bool {
	return len(data) > 20_000 && len(data)/(bytes.Count(data, []byte("\n"))+1) > 500
}
