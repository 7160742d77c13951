package llm

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Record gives m, of which all answers go into a folder, a file for each request.
// name is that of the model, which [Replay] needs as well. Secrets, and what has the
// shape of a key, are stored as ***. A request that is made again in a run adds an
// answer; the first one of a run replaces what an earlier run left. A call that the
// provider failed is stored as its error, so that a replay fails and is repeated in
// the same way; one that the caller broke off is not. A folder has one recorder of a
// name at a time.
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
	failed, ok := errors.AsType[*Error](err)
	if err != nil && (!ok || ctx.Err() != nil || newTapeError(failed, r.scrub).Kind == "") {
		return resp, err
	}
	if lost := r.keep(newTape(req, r.scrub), newReply(resp, failed, r.scrub)); lost != nil {
		return resp, errors.Join(err, fmt.Errorf("record an answer of %s: %w", r.name, lost))
	}
	return resp, err
}

func (r *recorder) keep(t tape, reply tapeReply) error {
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
	c.Answers = append(c.Answers, reply)
	r.fresh[key] = true
	return c.save(cassetteFile(r.dir, key))
}
