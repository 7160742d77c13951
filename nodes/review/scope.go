package review

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

// maxChanged is how many changed lines of one file are looked at: more were made by a
// program, or are too many for one review.
const maxChanged = 5000

// sorted says of each changed file whether it is reviewed, the riskiest first. What is left
// out is left out alone, and listed. That a file says of itself that a program made it
// counts if the base says so: a change cannot take a file out of its own review.
func sorted(ctx context.Context, base *repo.Snapshot, changes []repo.FileChange, p Policy) ([]File, error) {
	var files []File
	var ask []source.File
	for _, c := range changes {
		f := File{FileChange: c, Counts: isSource(c.Path), Risk: risk(c)}
		if f.Skip = p.of(c.Path).skips(c); f.Skip == "" {
			if stat, err := base.Stat(before(f)); err == nil {
				ask = append(ask, stat)
			}
		}
		files = append(files, f)
	}
	made := map[string]bool{}
	err := base.Blobs(ctx, ask, func(i int, data []byte) error {
		made[ask[i].Path] = generated.Match(data[:min(len(data), 1000)])
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, f := range files {
		if made[before(f)] && f.Skip == "" {
			files[i].Skip, files[i].Counts = "made by a program, as its first lines say", false
		}
	}
	slices.SortStableFunc(files, func(a, b File) int { return b.Risk - a.Risk })
	return files, nil
}

// generated is the mark of files that programs made: that of Go, and what others write.
var generated = regexp.MustCompile(`(?m)^\W*(?:Code generated .* DO NOT EDIT|@generated\b|(?:This file (?:is|was) )?(?:auto-?generated|automatically generated)\b.*(?:do not|don't) (?:edit|modify))`)

// lockFiles are looked at by rules alone.
var lockFiles = strings.Fields(`package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb Cargo.lock poetry.lock uv.lock pdm.lock
	Pipfile.lock Gemfile.lock composer.lock go.sum mix.lock pubspec.lock Podfile.lock gradle.lockfile packages.lock.json flake.lock deno.lock`)

var minified = regexp.MustCompile(`\.min\.(?:js|css)$|\.(?:map|snap|svg|lock|sum|pb\.go|g\.dart)$|_pb2(?:_grpc)?\.pyi?$|_generated\.\w+$`)

// skips says why a file is not reviewed, "" if it is.
func (p Policy) skips(c repo.FileChange) string {
	switch {
	case !p.includes(c.Path):
		return "not among the files that are to be reviewed"
	case c.Unseen:
		return "too large to be read"
	case c.Binary:
		return "not a text"
	case slices.Contains(lockFiles, path.Base(c.Path)):
		return "a lock file: rules look at it, models do not"
	case source.RoleOf(c.Path) == source.Vendored:
		return "copied from elsewhere, or made by a program"
	case minified.MatchString(c.Path):
		return "made by a program, as its name says"
	case c.Added+c.Deleted == 0:
		return "no line of it changed"
	case c.Added+c.Deleted > maxChanged:
		return fmt.Sprintf("%d lines changed, more than %d", c.Added+c.Deleted, maxChanged)
	}
	return ""
}

// includes says whether the policy wants a file: it matches an include, if there is one,
// and no exclude.
func (p Policy) includes(name string) bool {
	return (len(p.Include) == 0 || matches(p.Include, name)) && !matches(p.Exclude, name)
}

// matches says whether a glob matches a path. One without a slash is of names, at any depth.
func matches(globs []string, name string) bool {
	return slices.ContainsFunc(globs, func(g string) bool {
		if !strings.Contains(g, "/") {
			g = "**/" + g
		}
		ok, err := doublestar.Match(strings.TrimPrefix(g, "/"), name)
		return err == nil && ok
	})
}

// isSource says whether a file has to be seen for an approval: code, and what says how it
// is built, shipped and run.
func isSource(p string) bool {
	if source.LanguageOf(p, nil) != "" {
		return true
	}
	switch base := path.Base(p); {
	case strings.HasPrefix(p, ".github/"), strings.HasPrefix(base, "Dockerfile"), base == "Makefile", base == "go.mod":
		return true
	}
	return slices.Contains([]string{".toml", ".cfg", ".ini", ".yml", ".yaml", ".json", ".sql", ".tf", ".proto", ".gradle", ".xml", ".html", ".vue", ".svelte", ".css"}, path.Ext(p))
}

// risky are words of paths whose changes go wrong dearly.
var risky = regexp.MustCompile(`(?i)auth|crypt|secur|permission|passw|token|session|sql|migrat|payment|deploy|\.github/workflows|Dockerfile`)

// risk is what decides the order: code before tests before documents, what is named like
// something dear first, and among those the larger change.
func risk(c repo.FileChange) int {
	base := map[source.Role]int{source.Code: 300, source.Other: 200, source.Test: 100}[source.RoleOf(c.Path)]
	if risky.MatchString(c.Path) {
		base += 50
	}
	if c.Status == "removed" {
		base -= 80
	}
	return base + min((c.Added+c.Deleted)/10, 40)
}
