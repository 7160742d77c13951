package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/tools"
)

// This file puts the parts together. The environment is read here and nowhere below.

// cacheDir is where clones and indexes are kept: all of it can be thrown away.
func cacheDir() (string, error) {
	if dir := os.Getenv("REPOMIND_CACHE_DIR"); dir != "" {
		return dir, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("%w; set REPOMIND_CACHE_DIR to a directory", err)
	}
	return filepath.Join(dir, "repomind"), nil
}

// newCache opens the cache of clones; what takes long is said on progress.
func newCache(ctx context.Context, progress io.Writer) (*repo.Cache, error) {
	return openCache(progress, func(host string) (string, error) {
		token, err := findToken(ctx, host)
		return token.Reveal(), err
	})
}

// openCache is newCache with the tokens that are given.
func openCache(progress io.Writer, token func(host string) (string, error)) (*repo.Cache, error) {
	dir, err := cacheDir()
	if err != nil {
		return nil, err
	}
	return repo.NewCache(repo.Config{
		Dir:     filepath.Join(dir, "clones"),
		Notify:  func(event string) { fmt.Fprintf(progress, "repomind: %s\n", event) },
		Network: network(os.Environ()),
		Token:   token,
	})
}

// network is the part of an environment that says how to reach out: proxies and
// certificates.
func network(environ []string) (out []string) {
	names := strings.Fields("HTTPS_PROXY ALL_PROXY NO_PROXY https_proxy all_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR GIT_SSL_CAINFO GIT_SSL_CAPATH")
	for _, v := range environ {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(names, name) {
			out = append(out, v)
		}
	}
	return out
}

// newGitHub makes the client for a host.
func newGitHub(ctx context.Context, host string, progress io.Writer) (*github.Client, error) {
	dir, err := cacheDir()
	if err != nil {
		return nil, err
	}
	token, err := findToken(ctx, host)
	if err != nil {
		return nil, err
	}
	return github.New(github.Config{
		Host: host, Token: token, API: apiOf(host, os.Getenv), CacheDir: filepath.Join(dir, "answers"),
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second},
		Notify: func(wait time.Duration, why string) {
			if wait > 0 {
				why = fmt.Sprintf("%s (waiting %s)", why, wait.Round(time.Second))
			}
			fmt.Fprintf(progress, "repomind: %s\n", why)
		},
	})
}

// apiOf is the address of a host's API where the environment names it, as GitHub Actions
// does; "" is what GitHub documents.
func apiOf(host string, getenv func(string) string) string {
	server := getenv("GITHUB_SERVER_URL")
	if server == "" {
		server = "https://" + source.GitHub
	}
	if server == "https://"+host {
		return getenv("GITHUB_API_URL")
	}
	return ""
}

func findToken(ctx context.Context, host string) (github.Token, error) {
	return github.FindToken(ctx, host, os.Getenv, func(ctx context.Context, args ...string) ([]byte, error) {
		return exec.CommandContext(ctx, "gh", args...).Output()
	})
}

// newWorkspace gives the tools' view of one commit. close it when done.
func newWorkspace(ctx context.Context, from repo.Origin, at string, progress io.Writer) (w tools.Workspace, closeIt func(), err error) {
	w, clone, err := openClone(ctx, from, at, progress)
	if err != nil {
		return w, nil, err
	}
	return w, clone.Close, nil
}

// openClone gives the tools' view of one commit, with the clone that it is in.
func openClone(ctx context.Context, from repo.Origin, at string, progress io.Writer) (w tools.Workspace, clone *repo.Clone, err error) {
	cache, err := newCache(ctx, progress)
	if err != nil {
		return w, nil, err
	}
	var want []string
	if commit, err := source.ParseCommit(at); err == nil {
		want = []string{string(commit)}
	}
	if clone, err = cache.Open(ctx, from, want...); err != nil {
		return w, nil, err
	}
	if at == "" {
		at = "HEAD"
	}
	commit, err := clone.Resolve(ctx, at)
	if err == nil {
		w.Snapshot, err = clone.Snapshot(ctx, commit)
	}
	if err != nil {
		clone.Close()
		return w, nil, err
	}
	w.Index = indexOnce(clone, w.Snapshot, progress)
	if w.Dependencies, err = newLibraries(cache, w.Snapshot, from, progress); err != nil {
		clone.Close()
		return w, nil, err
	}
	return w, clone, nil
}

// indexOnce builds the symbol index at the first use.
func indexOnce(clone *repo.Clone, s *repo.Snapshot, progress io.Writer) func(context.Context) (*code.Index, error) {
	var mu sync.Mutex
	var index *code.Index
	return func(ctx context.Context) (*code.Index, error) {
		mu.Lock()
		defer mu.Unlock()
		if index != nil {
			return index, nil
		}
		parser, err := parserCommand()
		if err != nil {
			return nil, err
		}
		index, err = code.Build(ctx, s.Files(), s, code.Config{
			Dir:    clone.Derived("symbols"),
			Parser: parser,
			Notify: func(event string) { fmt.Fprintf(progress, "repomind: %s\n", event) },
		})
		return index, err
	}
}
