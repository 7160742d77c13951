package llm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
)

// Replay answers with what [Record] stored in a folder under the same name, and
// calls nobody. A request that is not there is a [MissError]. Secrets that may stand
// in a request are needed here too, as they are not part of its key.
func Replay(dir, name string, secrets ...Key) Model {
	return &replayer{dir: dir, name: name, scrub: newScrubber(secrets...), asked: map[string]int{}}
}

// MissError means that a request, or one more answer to it, was not recorded. It is
// an [ErrMiss].
type MissError struct {
	Model, Dir, Key string
	Asked, Recorded int    // how often it was asked, and how many answers there are
	Nearest         string // where the likest recorded request differs, or ""
}

func (e *MissError) Error() string {
	if e.Recorded > 0 {
		return fmt.Sprintf("%s: request %s to %s was asked %d times and recorded %d times in %s: record it again",
			ErrMiss, e.Key, e.Model, e.Asked, e.Recorded, e.Dir)
	}
	s := fmt.Sprintf("%s: request %s to %s is not in %s: record it again", ErrMiss, e.Key, e.Model, e.Dir)
	if e.Nearest != "" {
		s += "\n" + e.Nearest
	}
	return s
}

func (e *MissError) Unwrap() error { return ErrMiss }

type replayer struct {
	dir, name string
	scrub     scrubber

	mu    sync.Mutex
	asked map[string]int
}

func (r *replayer) Generate(ctx context.Context, req Request) (Response, error) {
	if err := ctx.Err(); err != nil {
		return Response{}, context.Cause(ctx)
	}
	t := newTape(req, r.scrub)
	key, err := t.key(r.name)
	if err != nil {
		return Response{}, err
	}
	c, err := loadCassette(cassetteFile(r.dir, key))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Response{}, err
	}
	n := r.count(key)
	if n > len(c.Answers) {
		miss := &MissError{Model: r.name, Dir: r.dir, Key: key, Asked: n, Recorded: len(c.Answers)}
		if len(c.Answers) == 0 {
			miss.Nearest = r.nearest(t)
		}
		return Response{}, miss
	}
	if failed := c.Answers[n-1].Error; failed != nil {
		return Response{Model: r.name, Usage: c.Answers[n-1].Usage}, failed.err(r.name)
	}
	resp := c.Answers[n-1].response(r.name)
	if req.Stream != nil && resp.Text != "" {
		req.Stream(resp.Text)
	}
	return resp, nil
}

func (r *replayer) count(key string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked[key]++
	return r.asked[key]
}

// nearest finds the recorded request that is the same for the longest, and shows the
// first line that differs. It is a hint: files that cannot be read are passed over.
func (r *replayer) nearest(t tape) string {
	files, err := filepath.Glob(filepath.Join(r.dir, "*.json"))
	if err != nil {
		return ""
	}
	want, best, hint := t.text(), -1, ""
	for _, file := range files {
		c, err := loadCassette(file)
		if err != nil || c.Model != r.name {
			continue
		}
		have := c.Request.text()
		if same := common(want, have); same > best {
			best = same
			hint = fmt.Sprintf("the nearest is %s, which differs in line %d of the request:\n- %s\n+ %s",
				filepath.Base(file), same+1, clip(at(have, same)), clip(at(want, same)))
		}
	}
	return hint
}

func common(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "(its end)"
}
