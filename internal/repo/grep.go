package repo

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/source"
)

// Query says what Grep looks for.
type Query struct {
	Pattern    string   // RE2 syntax, matched line by line
	IgnoreCase bool     //
	Paths      []string // directories, files, or globs such as *.py and src/**/x.go; none: everywhere
	Context    int      // lines before and after each match, at most 10
	Max        int      // matches that are given; all are counted. Zero means 100
	MaxLine    int      // bytes of a line that are given. Zero means 300
}

// Match is one line that matches.
type Match struct {
	source.Span          // of the line
	Text          string // cut at MaxLine around the match
	Before, After []string
}

// Found is what Grep gives: the first matches, those in code before those in tests
// and examples before all others, each in the order of paths; and the count of all.
type Found struct {
	Matches []Match
	Total   int           // matching lines
	Files   int           // files that have one
	Unseen  []source.File // in the paths asked for, but not in the clone
	Binary  int           // files passed over, as they are not text
}

// Grep searches the text files of the snapshot.
func (s *Snapshot) Grep(ctx context.Context, q Query) (Found, error) {
	p, err := compile(q.Pattern, q.IgnoreCase)
	if err != nil {
		return Found{}, err
	}
	files, err := s.tree.matching(q.Paths)
	if err != nil {
		return Found{}, err
	}
	q.Max, q.MaxLine, q.Context = cmp.Or(q.Max, 100), cmp.Or(q.MaxLine, 300), min(max(q.Context, 0), 10)
	return s.grep(ctx, p, q, files)
}

// grep hands out the files in parts to the processors; what they find is put together
// in order.
func (s *Snapshot) grep(ctx context.Context, p *pattern, q Query, files []source.File) (Found, error) {
	parts := slices.Collect(slices.Chunk(files, part))
	found := make([]Found, len(parts))
	errs := make([]error, len(parts))
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxSearchers, len(parts)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(parts) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				errs[i] = s.Blobs(ctx, parts[i], func(j int, data []byte) error {
					found[i].file(p, q, parts[i][j], data)
					return ctx.Err()
				})
			}
		})
	}
	group.Wait()
	if err := cmp.Or(ctx.Err(), errors.Join(errs...)); err != nil {
		return Found{}, fmt.Errorf("grep: %w", err)
	}
	return join(found, q.Max), nil
}

// A part is small enough to spread large files, and large enough to keep git busy.
const (
	part         = 128
	maxSearchers = 8
)

func join(found []Found, max int) (all Found) {
	for _, f := range found {
		all.Matches = append(all.Matches, f.Matches[:min(len(f.Matches), max-len(all.Matches))]...)
		all.Unseen = append(all.Unseen, f.Unseen...)
		all.Total, all.Files, all.Binary = all.Total+f.Total, all.Files+f.Files, all.Binary+f.Binary
	}
	return all
}

func (f *Found) file(p *pattern, q Query, file source.File, data []byte) {
	switch {
	case data == nil && file.Mode != source.Submodule:
		f.Unseen = append(f.Unseen, file)
		return
	case !file.Mode.Text():
		return
	case binary(data):
		f.Binary++
		return
	}
	before := f.Total
	line, counted := 1, 0
	p.lines(data, func(start, end int) {
		f.Total++
		if len(f.Matches) == q.Max {
			return
		}
		line += bytes.Count(data[counted:start], []byte("\n"))
		counted = start
		f.Matches = append(f.Matches, match(p, q, file.Path, line, data, start, end))
	})
	if f.Total > before {
		f.Files++
	}
}

func match(p *pattern, q Query, path string, line int, data []byte, start, end int) Match {
	m := Match{Span: source.Span{Path: path, Start: line, End: line}}
	text := bytes.TrimSuffix(data[start:end], []byte("\r"))
	m.Text = cut(text, q.MaxLine, p.re.FindIndex(text[:min(len(text), 1<<20)]))
	for range q.Context {
		if start == 0 {
			break
		}
		prev := bytes.LastIndexByte(data[:start-1], '\n') + 1
		m.Before = append([]string{cut(data[prev:start-1], q.MaxLine, nil)}, m.Before...)
		start = prev
	}
	for range q.Context {
		if end+1 >= len(data) {
			break
		}
		next := lineEnd(data, end+1)
		m.After = append(m.After, cut(data[end+1:next], q.MaxLine, nil))
		end = next
	}
	return m
}

// cut shortens a line to max bytes around a place in it, and says how much is left out.
func cut(line []byte, max int, at []int) string {
	line = bytes.TrimSuffix(line, []byte("\r"))
	if len(line) <= max {
		return strings.ToValidUTF8(string(line), "�")
	}
	from := 0
	if at != nil && at[1] > max {
		from = min(at[0]-min(at[0], max/4), len(line)-max)
	}
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	text := strings.ToValidUTF8(string(line[from:from+max]), "")
	if from > 0 {
		text = fmt.Sprintf("[%d bytes] …%s", from, text)
	}
	if rest := len(line) - from - max; rest > 0 {
		text = fmt.Sprintf("%s… [%d bytes]", text, rest)
	}
	return text
}
