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

// Grep searches the text files of the snapshot, each content once, for at most
// Config.ReadTime.
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
	limit := s.clone.cache.cfg.ReadTime
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("%w: the search took longer than %v; narrow the paths", ErrLimit, limit))
	defer cancel()
	found, err := s.grep(ctx, p, q, files)
	if err != nil {
		return Found{}, fmt.Errorf("grep: %w", err)
	}
	return found, nil
}

// grep counts the lines that match in all files, and then takes those that are given
// from the few files that have them: what it holds does not grow with the tree.
func (s *Snapshot) grep(ctx context.Context, p *pattern, q Query, files []source.File) (Found, error) {
	counts, err := s.count(ctx, p, files)
	if err != nil {
		return Found{}, err
	}
	var found Found
	var first []source.File
	for _, f := range files {
		switch n := counts[f.Blob]; {
		case !f.Mode.Text():
		case n == unread:
			found.Unseen = append(found.Unseen, f)
		case n == notText:
			found.Binary++
		case n > 0:
			if found.Total < q.Max {
				first = append(first, f)
			}
			found.Total, found.Files = found.Total+n, found.Files+1
		}
	}
	err = s.Blobs(ctx, first, func(i int, data []byte) error {
		found.take(p, q, first[i], data)
		return ctx.Err()
	})
	return found, err
}

// What count gives for a file that was not searched.
const (
	unread  = -1
	notText = -2
)

// count gives the number of matching lines for each content. The files are handed out
// in parts to the processors.
func (s *Snapshot) count(ctx context.Context, p *pattern, files []source.File) (map[string]int, error) {
	counts := make(map[string]int, len(files))
	var distinct []source.File
	for _, f := range files {
		if _, again := counts[f.Blob]; !again && f.Mode.Text() {
			counts[f.Blob] = unread
			distinct = append(distinct, f)
		}
	}
	parts := slices.Collect(slices.Chunk(distinct, part))
	errs := make([]error, len(parts))
	var next atomic.Int64
	var mu sync.Mutex
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxSearchers, len(parts)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(parts) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				errs[i] = s.Blobs(ctx, parts[i], func(j int, data []byte) error {
					n := p.count(data)
					mu.Lock()
					defer mu.Unlock()
					counts[parts[i][j].Blob] = n
					return ctx.Err()
				})
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return counts, errors.Join(errs...)
}

// A part is small enough to spread large files, and large enough to keep git busy.
const (
	part         = 128
	maxSearchers = 8
)

// count is the number of lines that match, unread for no data, notText for binary data.
func (p *pattern) count(data []byte) (n int) {
	switch {
	case data == nil:
		return unread
	case binary(data):
		return notText
	}
	p.lines(data, func(int, int) { n++ })
	return n
}

// take adds the matches of one file, up to Max in all.
func (f *Found) take(p *pattern, q Query, file source.File, data []byte) {
	line, counted := 1, 0
	p.lines(data, func(start, end int) {
		if len(f.Matches) == q.Max {
			return
		}
		line += bytes.Count(data[counted:start], []byte("\n"))
		counted = start
		f.Matches = append(f.Matches, match(p, q, file.Path, line, data, start, end))
	})
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
