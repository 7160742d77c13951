package rule

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

// manifests are the files that name dependencies, with the lock files that follow them and
// how to read what they ask for.
var manifests = map[string]struct {
	locks []string
	asks  func([]byte) map[string]string
}{
	"package.json":   {[]string{"package-lock.json", "yarn.lock", "pnpm-lock.yaml", "bun.lockb", "bun.lock", "npm-shrinkwrap.json"}, fromPackageJSON},
	"Cargo.toml":     {[]string{"Cargo.lock"}, fromTOML(regexp.MustCompile(`^(?:target\..*\.)?(?:dev-|build-)?dependencies$|^workspace\.dependencies$`))},
	"pyproject.toml": {[]string{"poetry.lock", "uv.lock", "pdm.lock"}, fromTOML(regexp.MustCompile(`^tool\.poetry(?:\.group\.[\w-]+)?\.(?:dev-)?dependencies$`))},
	"go.mod":         {[]string{"go.sum"}, fromGoMod},
	"Gemfile":        {[]string{"Gemfile.lock"}, fromGemfile},
	"composer.json":  {[]string{"composer.lock"}, fromPackageJSON},
}

// locks finds manifests that ask for something else than before, beside a lock file that
// did not change.
func locks(ctx context.Context, c Change) (out []report.Finding, err error) {
	for _, f := range c.Files {
		kind, ok := manifests[path.Base(f.Path)]
		if !ok || f.Status == "removed" || f.Status == "added" {
			continue
		}
		lock := c.lockOf(f.Path, kind.locks)
		if lock == "" {
			continue
		}
		before, err := c.Base(ctx, f.Was())
		if err != nil {
			return nil, err
		}
		after, err := c.Head(ctx, f.Path)
		if err != nil {
			return nil, err
		}
		was, is := kind.asks(before), kind.asks(after)
		for _, name := range slices.Sorted(maps.Keys(is)) {
			if line, ok := f.names(name); ok && was[name] != is[name] {
				out = append(out, f.finding("lock-out-of-step", report.Medium, line,
					fmt.Sprintf("%s asks for %s %s, and %s was not changed.", path.Base(f.Path), short(name), short(is[name]), source.Quote(lock)),
					"An install that keeps to the lock file fails, or takes the version of before."))
				break
			}
		}
	}
	return out, nil
}

// lockOf is the lock file beside a manifest, or above it as in a workspace, that the change
// leaves as it is. "" if there is none, or it changed.
func (c Change) lockOf(manifest string, names []string) string {
	for dir := path.Dir(manifest); ; dir = path.Dir(dir) {
		for _, name := range names {
			lock := path.Join(dir, name)
			if _, changed := c.find(lock); changed {
				return ""
			}
			if c.Tree(lock) {
				return lock
			}
		}
		if dir == "." || dir == "/" {
			return ""
		}
	}
}

// names finds the added line that names a dependency.
func (f File) names(dependency string) (Line, bool) {
	i := slices.IndexFunc(f.Added, func(l Line) bool { return strings.Contains(l.Text, dependency) })
	if i < 0 {
		return Line{}, false
	}
	return f.Added[i], true
}

func fromPackageJSON(data []byte) map[string]string {
	var all map[string]json.RawMessage
	out := map[string]string{}
	if json.Unmarshal(data, &all) != nil {
		return out
	}
	for _, part := range []string{"dependencies", "devDependencies", "optionalDependencies", "require", "require-dev"} {
		var deps map[string]string
		if json.Unmarshal(all[part], &deps) != nil {
			continue
		}
		for name, version := range deps {
			if !strings.HasPrefix(version, "workspace:") && !strings.HasPrefix(version, "file:") && !strings.HasPrefix(version, "link:") {
				out[name] = version
			}
		}
	}
	return out
}

var (
	tomlSection = regexp.MustCompile(`^\s*\[([\w."'-]+)\]`)
	tomlPair    = regexp.MustCompile(`^\s*["']?([\w.-]+)["']?\s*=\s*(.+?)\s*(?:#.*)?$`)
)

// fromTOML reads the pairs of sections by their lines; a value is compared as it is written.
func fromTOML(sections *regexp.Regexp) func([]byte) map[string]string {
	return func(data []byte) map[string]string {
		out := map[string]string{}
		in := false
		for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
			if m := tomlSection.FindStringSubmatch(s.Text()); m != nil {
				in = sections.MatchString(m[1])
			} else if m := tomlPair.FindStringSubmatch(s.Text()); m != nil && in && !strings.Contains(m[2], "path") && m[1] != "python" {
				out[m[1]] = m[2]
			}
		}
		return out
	}
}

var goRequire = regexp.MustCompile(`^\s*(?:require\s+)?([\w./~-]+\.[\w./~-]+)\s+(v[\w.+-]+)`)

// fromGoMod reads what a module requires. One that is replaced by a directory has no sum.
func fromGoMod(data []byte) map[string]string {
	out := map[string]string{}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		if strings.Contains(s.Text(), "=>") {
			if name := strings.Fields(strings.TrimPrefix(strings.TrimSpace(s.Text()), "replace ")); len(name) > 0 {
				delete(out, name[0])
			}
		} else if m := goRequire.FindStringSubmatch(s.Text()); m != nil {
			out[m[1]] = m[2]
		}
	}
	return out
}

var gem = regexp.MustCompile(`^\s*gem\s+["']([\w.-]+)["']\s*(?:,\s*(["'][^"']+["']))?`)

func fromGemfile(data []byte) map[string]string {
	out := map[string]string{}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		if m := gem.FindStringSubmatch(s.Text()); m != nil {
			out[m[1]] = m[2]
		}
	}
	return out
}
