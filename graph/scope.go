package graph

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"sync"
)

// scope is a task as the functions called inside its node see it.
type scope struct {
	ses     *session
	thread  string
	step    int
	index   int
	node    string
	label   string
	attempt int
	fresh   bool // it has never run before: nothing of it is stored

	mu      sync.Mutex
	used    map[[2]string]bool // the keys of this attempt
	pauses  []Pause            // the open questions of this attempt
	effects map[string][]byte  // what Once has kept
}

type scopeKey struct{}

var errOutside = errors.New("graph: called outside of a node, or with a context that is not the node's")

func scopeOf(ctx context.Context) (*scope, error) {
	s, ok := ctx.Value(scopeKey{}).(*scope)
	if !ok {
		return nil, errOutside
	}
	return s, nil
}

// RunInfo says where a node runs.
type RunInfo struct {
	Thread  string
	Run     string
	Step    int
	Node    string
	Task    string
	Attempt int // counts from 1
}

// Info tells a node where it runs. Outside of a node it is zero.
func Info(ctx context.Context) RunInfo {
	s, err := scopeOf(ctx)
	if err != nil {
		return RunInfo{}
	}
	return RunInfo{s.thread, s.ses.run, s.step, s.node, s.label, s.attempt}
}

// IdempotencyKey names an effect of this task for an outside service: the same
// in every attempt and after every crash, and in no other task.
func (i RunInfo) IdempotencyKey(key string) string {
	return digest(i.Run, i.Thread, strconv.Itoa(i.Step), i.Task, key)
}

// digest hashes its parts, kept apart by their lengths.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// Emit sends v to whoever streams the run, as an [EventCustom] event. It waits for
// room, so a slow listener slows the node. Outside of a node it does nothing.
func Emit(ctx context.Context, v any) {
	if s, err := scopeOf(ctx); err == nil {
		s.emit(EventCustom, v)
	}
}

func (s *scope) emit(kind EventKind, data any) {
	if s.ses.sink != nil {
		s.ses.emit(Event{Kind: kind, Thread: s.thread, Step: s.step, Task: s.label, Node: s.node, Data: data})
	}
}

// Interrupt asks a person. The first time it returns a *[Paused], which the node
// must return; the run then stops when its other branches are done. When the
// answer is there, the node runs AGAIN FROM ITS FIRST LINE, and Interrupt returns
// the answer. So put effects that must not happen twice, and values that must not
// differ, into [Once].
//
// key tells the questions of one task apart; in a loop, make it part of it. The
// payload is what the person is shown. An answer holds for exactly that payload:
// if the node comes back with another one, it is a new question.
func Interrupt[T any](ctx context.Context, key string, payload any) (T, error) {
	var answer T
	s, err := scopeOf(ctx)
	if err != nil {
		return answer, err
	}
	if err := checkType(reflect.TypeFor[T](), "answer"); err != nil {
		return answer, err
	}
	err = s.ask(key, payload, reflect.TypeFor[T](), func(data []byte) error { return decodeJSON(data, &answer) })
	return answer, err
}

// ask gives the answer to take, or leaves a question behind. An answer that the
// stored schema let pass but that take refuses makes it a new question.
func (s *scope) ask(key string, payload any, t reflect.Type, take func([]byte) error) error {
	if s.ses.store == nil {
		return fmt.Errorf("%w: Interrupt %q needs one", ErrNoStore, key)
	}
	shown, err := encodeJSON(payload)
	if err != nil {
		return fmt.Errorf("payload of %q: %w", key, err)
	}
	schema, err := encodeJSON(schemaOf(t))
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.use("Interrupt", key); err != nil {
		return err
	}
	sum := sha256.Sum256(shown)
	p := Pause{Node: s.node, Task: s.label, Key: key, Payload: shown, Schema: schema, Shown: hex.EncodeToString(sum[:])}
	for refused := ""; ; {
		p.ID = digest(s.ses.run, s.thread, strconv.Itoa(s.step), strconv.Itoa(s.index), key, p.Shown, refused)
		a, ok := s.ses.answers[p.ID]
		if !ok {
			s.pauses = append(s.pauses, p)
			return &Paused{s.ses.root, []Pause{p}}
		}
		if take(a.Value) == nil {
			return nil
		}
		refused = digest(refused, string(a.Value))
	}
}

// use marks a key as used in this attempt.
func (s *scope) use(what, key string) error {
	if s.used == nil {
		s.used = map[[2]string]bool{}
	}
	if s.used[[2]string{what, key}] {
		return fmt.Errorf("%w: %s %q", ErrKeyReused, what, key)
	}
	s.used[[2]string{what, key}] = true
	return nil
}

// Once runs fn and keeps what it returned, durably, before it returns it: every
// later execution of the task, after a pause, a retry or a crash, gets the kept
// value and does not call fn. A crash while fn runs, or before its value is kept,
// calls it again; where even that must not happen, give the outside service
// [RunInfo.IdempotencyKey]. An error of fn is not kept.
//
// key tells the effects of one task apart; in a loop, make it part of it.
func Once[T any](ctx context.Context, key string, fn func(context.Context) (T, error)) (T, error) {
	var v T
	s, err := scopeOf(ctx)
	if err != nil {
		return v, err
	}
	if err := checkType(reflect.TypeFor[T](), "value of Once"); err != nil {
		return v, err
	}
	data, err := s.once(ctx, key, func() ([]byte, error) {
		v, err := fn(ctx)
		if err != nil {
			return nil, err
		}
		return encodeJSON(&v)
	})
	if err != nil {
		return v, err
	}
	return v, decodeJSON(data, &v)
}

func (s *scope) once(ctx context.Context, key string, fn func() ([]byte, error)) ([]byte, error) {
	s.mu.Lock()
	err := s.use("Once", key)
	data, known := s.effects[key]
	s.mu.Unlock()
	if err != nil || known {
		return data, err
	}
	if data, err = fn(); err != nil {
		s.mu.Lock()
		delete(s.used, [2]string{"Once", key}) // the node may try it again
		s.mu.Unlock()
		return nil, err
	}
	if s.ses.store != nil {
		e := EffectRow{Task: s.index, Key: key, Data: data}
		if err := s.ses.store.PutEffect(context.WithoutCancel(ctx), s.ses.lease, s.thread, s.step, e); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.remember(key, data)
	return data, nil
}

func (s *scope) remember(key string, data []byte) {
	if s.effects == nil {
		s.effects = map[string][]byte{}
	}
	s.effects[key] = data
}
