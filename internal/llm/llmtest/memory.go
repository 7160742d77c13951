package llmtest

import (
	"crypto/sha256"
	"errors"
)

// memory holds the turns that were given under an idempotency key: they are paid, and
// are given again and for nothing to who asks the same again.
type memory map[string]remembered

type remembered struct {
	body [sha256.Size]byte
	turn Turn
}

var errKeyReused = errors.New("the idempotency key stands for another request")

// recall gives the turn that was given for the same request before.
func (m memory) recall(key string, body []byte) (Turn, bool, error) {
	r, ok := m[key]
	switch {
	case key == "" || !ok:
		return Turn{}, false, nil
	case r.body != sha256.Sum256(body):
		return Turn{}, false, errKeyReused
	}
	return r.turn, true, nil
}

// keep remembers an answer. A refusal is none, and neither is a body of bytes, which
// stands for a server that is broken.
func (m memory) keep(key string, body []byte, t Turn) {
	if key == "" || !t.paid() {
		return
	}
	t.Cut, t.Hang, t.Arrived = false, false, nil // what befell the first to ask
	m[key] = remembered{sha256.Sum256(body), t}
}

// paid says whether the model has answered.
func (t Turn) paid() bool { return t.Status == 0 && t.Body == nil }
