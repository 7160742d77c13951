package client

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/repomind/repomind/rag/dependency/manifest"
)

// getCrate takes a crate that is in cargo's registry cache at its version. Else it asks
// cargo about the crate, for which it brings that crate alone into the cache. Where a mirror stands in for the registry, and before cargo 1.82,
// it has no answer; then a project that needs the crate is fetched for, which brings
// what the crate needs, too.
func getCrate(ctx context.Context, c Config, l Library, dir string) (Archive, error) {
	if file, err := c.crate(l.Name, l.Version); err == nil && l.Version != "" {
		return Archive{File: file, Version: l.Version, Strip: 1}, nil
	}
	v, err := c.crateInfo(ctx, l, dir)
	var failed *Error
	if errors.As(err, &failed) {
		v, err = c.crateFetch(ctx, l, dir)
	}
	if err != nil {
		return Archive{}, err
	}
	file, err := c.crate(l.Name, v)
	return Archive{File: file, Version: v, Strip: 1}, err
}

var cargoVersion = regexp.MustCompile(`(?m)^version: ([0-9A-Za-z.+-]+)`)

// crateInfo gives the version of the crate that is in the cache then.
func (c Config) crateInfo(ctx context.Context, l Library, dir string) (string, error) {
	spec := l.Name
	if l.Version != "" {
		spec += "@" + l.Version
	} else if l.Constraint != "" {
		spec += "@" + strings.TrimLeft(l.Constraint, "^ ") // 1.2 means ^1.2; other ranges it does not take
	}
	out, err := c.run(ctx, dir, "cargo", "info", "--quiet", spec)
	if err != nil {
		return "", err
	}
	m := cargoVersion.FindSubmatch(out)
	if m == nil {
		return "", &Error{Client: "cargo", Err: errFailed, Said: "it names no version"}
	}
	return string(m[1]), nil
}

// scratch is a project without code, and of no workspace further up. Features stay off,
// as they need further crates.
const scratch = `[package]
name = "scratch"
version = "0.0.0"
edition = "2021"

[lib]
path = "lib.rs"

[workspace]

[dependencies]
%s = { version = %q, default-features = false }
`

func (c Config) crateFetch(ctx context.Context, l Library, dir string) (string, error) {
	want := "*"
	if l.Version != "" {
		want = "=" + l.Version
	} else if l.Constraint != "" {
		want = l.Constraint
	}
	err := errors.Join(
		os.WriteFile(filepath.Join(dir, "Cargo.toml"), fmt.Appendf(nil, scratch, l.Name, want), 0o644),
		os.WriteFile(filepath.Join(dir, "lib.rs"), nil, 0o644),
	)
	if err != nil {
		return "", err
	}
	if _, err := c.run(ctx, dir, "cargo", "fetch", "--quiet"); err != nil {
		return "", err
	}
	data, err := os.ReadFile(filepath.Join(dir, "Cargo.lock"))
	if err != nil {
		return "", err
	}
	lock, err := manifest.Parse("Cargo.lock", data)
	for _, r := range lock.Requirements {
		if r.Direct && r.Name == l.Name {
			return r.Version, nil
		}
	}
	return "", errors.Join(err, fmt.Errorf("cargo did not resolve %s", l))
}

// crate finds the file in cargo's cache, which has a directory for each registry; the
// one brought last is meant.
func (c Config) crate(name, version string) (string, error) {
	home := c.variable("CARGO_HOME")
	if home == "" {
		user := c.variable("HOME")
		if user == "" {
			user = c.variable("USERPROFILE")
		}
		home = filepath.Join(user, ".cargo")
	}
	cache := filepath.Join(home, "registry", "cache")
	dirs, err := os.ReadDir(cache)
	if err != nil {
		return "", fmt.Errorf("look into cargo's cache: %w", err)
	}
	best, newest := "", int64(0)
	for _, d := range dirs {
		file := filepath.Join(cache, d.Name(), name+"-"+version+".crate")
		if info, err := os.Stat(file); err == nil && (best == "" || info.ModTime().UnixNano() > newest) {
			best, newest = file, info.ModTime().UnixNano()
		}
	}
	if best == "" {
		return "", fmt.Errorf("%s-%s.crate is not in cargo's cache", name, version)
	}
	return best, nil
}
