package run

import (
	"context"
	"errors"
	"sync"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/place"
	"github.com/repomind/repomind/rag"
	"github.com/repomind/repomind/rag/dependency"
	"github.com/repomind/repomind/tools"
)

// Places opens each repository, and each commit of one, once. It is a place.Opener.
type Places struct {
	// Cache keeps the clones.
	Cache *repo.Cache
	// Parser is the command that parses files, as code.Config has it.
	Parser []string
	// Search gives what helps to search a repository, and how to let go of it. Nil gives
	// nothing.
	Search func(context.Context, repo.Origin) (rag.Options, func(), error)
	// Dependencies gives the libraries of a snapshot. Nil gives none.
	Dependencies func(*repo.Snapshot, repo.Origin) (tools.Dependencies, *dependency.Finder, error)
	// Notify is told what takes long or could not be kept. Nil is nobody.
	Notify func(event string)

	mu     sync.Mutex
	clones map[repo.Origin]*repo.Clone
	at     map[placeKey]*place.Place
	closes []func()
}

type placeKey struct {
	from repo.Origin
	at   source.Commit
}

// Close lets go of all that was opened.
func (p *Places) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.closes {
		c()
	}
	for _, c := range p.clones {
		c.Close()
	}
	p.closes, p.clones, p.at = nil, nil, nil
}

// Clone implements place.Opener.
func (p *Places) Clone(ctx context.Context, from repo.Origin) (*repo.Clone, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.clone(ctx, from)
}

func (p *Places) clone(ctx context.Context, from repo.Origin, want ...string) (*repo.Clone, error) {
	was := p.clones[from]
	if was != nil && has(ctx, was, want) {
		return was, nil
	}
	c, err := p.Cache.Open(ctx, from, want...)
	if err != nil {
		return nil, err
	}
	if was != nil { // it did not have the commit; somebody may still read it
		p.closes = append(p.closes, was.Close)
	}
	if p.clones == nil {
		p.clones = map[repo.Origin]*repo.Clone{}
	}
	p.clones[from] = c
	return c, nil
}

// has says whether a clone has all the commits.
func has(ctx context.Context, c *repo.Clone, want []string) bool {
	for _, w := range want {
		if _, err := c.Resolve(ctx, w); err != nil {
			return false
		}
	}
	return true
}

// At implements place.Opener. A clone that has the commit is not brought up to date.
func (p *Places) At(ctx context.Context, from repo.Origin, at source.Commit) (*place.Place, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := placeKey{from, at}
	if known := p.at[key]; known != nil {
		return known, nil
	}
	clone, err := p.clone(ctx, from, string(at))
	if err != nil {
		return nil, err
	}
	snapshot, err := clone.Snapshot(ctx, at)
	if err != nil {
		return nil, err
	}
	opened, err := p.open(ctx, from, clone, snapshot)
	if err != nil {
		return nil, err
	}
	if p.at == nil {
		p.at = map[placeKey]*place.Place{}
	}
	p.at[key] = opened
	return opened, nil
}

func (p *Places) open(ctx context.Context, from repo.Origin, clone *repo.Clone, s *repo.Snapshot) (*place.Place, error) {
	symbols := once(func(ctx context.Context) (*code.Index, error) {
		return code.Build(ctx, s.Files(), s, code.Config{Dir: clone.Derived("symbols"), Parser: p.Parser, Notify: p.Notify})
	})
	place := &place.Place{Snapshot: s, Code: symbols, Index: once(func(ctx context.Context) (*rag.Index, error) {
		return rag.Open(ctx, s, rag.Config{Dir: clone.Derived("rag"), Code: symbols, Repo: from.Repo, Notify: p.Notify})
	})}
	w := tools.Workspace{Snapshot: s, Index: symbols}
	if p.Dependencies != nil {
		deps, finder, err := p.Dependencies(s, from)
		if err != nil {
			return nil, err
		}
		w.Dependencies, place.Libraries = deps, once(finder.Libraries)
	}
	place.Tools = tools.All(w)
	if p.Search == nil {
		return place, nil
	}
	options, done, err := p.Search(ctx, from)
	if err != nil {
		return nil, errors.Join(err, ctx.Err())
	}
	place.Search, p.closes = options, append(p.closes, done)
	return place, nil
}

// once makes a thing at the first call that succeeds; others wait for it.
func once[T any](build func(context.Context) (*T, error)) func(context.Context) (*T, error) {
	var mu sync.Mutex
	var made *T
	return func(ctx context.Context) (*T, error) {
		mu.Lock()
		defer mu.Unlock()
		if made != nil {
			return made, nil
		}
		got, err := build(ctx)
		if err == nil {
			made = got
		}
		return got, err
	}
}
