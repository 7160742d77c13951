package llm

import (
	"context"
	"fmt"
	"sync"
)

// Record gives m, of which all answers go into a folder, a file for each request.
// name is that of the model, which [Replay] needs as well. Secrets, and what has the
// shape of a key, are stored as ***. A request that is made again in a run adds an
// answer; the first one of a run replaces what an earlier run left. Failed calls are
// not stored.
func Record(dir, name string, m Model, secrets ...Key) Model {
	return &recorder{dir: dir, name: name, model: m, scrub: newScrubber(secrets...), fresh: map[string]bool{}}
}

type recorder struct {
	dir, name string
	model     Model
	scrub     scrubber

	mu    sync.Mutex
	fresh map[string]bool // the keys that this run wrote
}

func (r *recorder) Generate(ctx context.Context, req Request) (Response, error) {
	resp, err := r.model.Generate(ctx, req)
	if err != nil {
		return resp, err
	}
	if err := r.keep(newTape(req, r.scrub), resp); err != nil {
		return resp, fmt.Errorf("record an answer of %s: %w", r.name, err)
	}
	return resp, nil
}

func (r *recorder) keep(t tape, resp Response) error {
	key, err := t.key(r.name)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	c := cassette{Model: r.name, Request: t}
	if r.fresh[key] {
		if c, err = loadCassette(cassetteFile(r.dir, key)); err != nil {
			return err
		}
	}
	c.Answers = append(c.Answers, newReply(resp, r.scrub))
	r.fresh[key] = true
	return c.save(cassetteFile(r.dir, key))
}
