package code

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// MapConfig says what a project map shows.
type MapConfig struct {
	Tokens    int      // the budget, at four bytes a token. Zero means 2,000
	Mentioned []string // names, paths and parts of paths that the question is about
}

func (c MapConfig) bytes() int {
	if c.Tokens > 0 {
		return 4 * min(c.Tokens, 1_000_000)
	}
	return 8000
}

// Map is a text that shows a project to someone who has not seen it: its languages,
// manifests and entry points, its directories, and the files and definitions that
// most others lead to. It keeps to the budget; the parts give way in that order from
// the end. The error is the end of ctx.
func Map(ctx context.Context, idx *Index, cfg MapConfig) (string, error) {
	r, err := idx.central(ctx, cfg.Mentioned)
	if err != nil {
		return "", err
	}
	budget := cfg.bytes()
	var b strings.Builder
	part := func(share int, title string, lines []string) {
		b.WriteString(section(min(share, budget-b.Len()), title, lines))
	}
	part(budget/8, "", idx.languages())
	part(budget/10, "manifests", idx.manifests())
	part(budget/10, "entry points", idx.entries(r))
	part(budget/5, "directories", idx.directories(budget/5))
	rest := budget - b.Len()
	b.WriteString(idx.fit(r, rest))
	return b.String(), nil
}

// section is as many of the lines as fit into limit bytes, below a title, and how many
// more there are. It is empty if not even one fits.
func section(limit int, title string, lines []string) string {
	var b strings.Builder
	indent := ""
	if title != "" {
		b.WriteString(title + ":\n")
		indent = "  "
	}
	for i, l := range lines {
		more := fmt.Sprintf("%s… %d more\n", indent, len(lines)-i)
		last := i == len(lines)-1
		if room := limit - b.Len() - len(indent) - len(l) - 1; room < 0 || !last && room < len(more) {
			if i == 0 || b.Len()+len(more) > limit {
				break
			}
			b.WriteString(more)
			return b.String()
		}
		b.WriteString(indent + l + "\n")
	}
	if b.Len() > limit || len(lines) == 0 || strings.Count(b.String(), "\n") < 1+yes(title != "") {
		return ""
	}
	return b.String()
}

// languages is one line: the languages by their number of files.
func (x *Index) languages() []string {
	count := map[source.Language]int{}
	for i := range x.files {
		if x.files[i].lang != manifest {
			count[x.files[i].lang]++
		}
	}
	var names []source.Language
	for l := range count {
		names = append(names, l)
	}
	slices.SortFunc(names, func(a, b source.Language) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	var parts []string
	for _, l := range names {
		parts = append(parts, fmt.Sprintf("%s %d", l, count[l]))
	}
	return []string{fmt.Sprintf("%d files; of code: %s", len(x.paths), cmp.Or(strings.Join(parts, ", "), "none"))}
}

var manifestFiles = words(`go.mod go.work package.json pyproject.toml setup.py setup.cfg requirements.txt tox.ini Cargo.toml pom.xml
build.gradle build.gradle.kts settings.gradle Gemfile composer.json mix.exs Package.swift CMakeLists.txt Makefile Dockerfile
docker-compose.yml build.sbt tsconfig.json meson.build BUILD.bazel WORKSPACE MODULE.bazel deno.json`)

func (x *Index) manifests() []string {
	var out []string
	for _, p := range x.paths {
		if role := source.RoleOf(p); manifestFiles[path.Base(p)] && role != source.Vendored && role != source.Test && role != source.Example {
			out = append(out, source.Quote(p))
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	return out
}

// entries are the files that a program starts in, the most central first.
func (x *Index) entries(r ranking) []string {
	var files []int
	for i := range x.files {
		f := &x.files[i]
		if main := stem(f.path) == "__main__" || f.entry; main && source.RoleOf(f.path) == source.Code {
			files = append(files, i)
		}
	}
	slices.SortStableFunc(files, func(a, b int) int {
		return cmp.Or(strings.Count(x.files[a].path, "/")-strings.Count(x.files[b].path, "/"), cmp.Compare(r.files[b], r.files[a]))
	})
	var out []string
	for _, i := range files {
		out = append(out, source.Quote(x.files[i].path))
	}
	return out
}

// directories are as deep as fits into limit bytes, with the number of files below.
func (x *Index) directories(limit int) []string {
	var best []string
	for depth := 1; depth <= 6; depth++ {
		count := map[string]int{}
		for _, p := range x.paths {
			parts := strings.Split(p, "/")
			for d := 1; d <= min(depth, len(parts)-1); d++ {
				name := strings.Join(parts[:d], "/")
				if d > 1 && source.RoleOf(name+"/x.go") != source.Code {
					break // of tests and copies only the top
				}
				count[name]++
			}
		}
		var lines []string
		size := 0
		for _, d := range sortedKeys(count) {
			l := fmt.Sprintf("%s/ %d", source.Quote(d), count[d])
			lines = append(lines, l)
			size += len(l) + 3
		}
		if len(lines) == len(best) || best != nil && size > limit {
			break
		}
		best = lines
	}
	return best
}

func sortedKeys(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// fit shows as many of the best definitions as fit, by their files.
func (x *Index) fit(r ranking, limit int) string {
	const head = "central files and definitions:\n"
	if limit < len(head)+40 {
		return ""
	}
	n := sort.Search(len(r.defs), func(n int) bool { return len(x.listing(r, n+1)) > limit-len(head) })
	if n == 0 {
		return ""
	}
	return head + x.listing(r, n)
}

// listing shows the first n definitions, the file with the best one first.
func (x *Index) listing(r ranking, n int) string {
	by := map[int32][]place{}
	var order []int32
	for _, d := range r.defs[:n] {
		if by[d.p.file] == nil {
			order = append(order, d.p.file)
		}
		by[d.p.file] = append(by[d.p.file], d.p)
	}
	var b strings.Builder
	for _, f := range order {
		fmt.Fprintf(&b, "%s\n", source.Quote(x.files[f].path))
		ps := by[f]
		slices.SortFunc(ps, func(a, b place) int { return cmp.Compare(x.at(a).start, x.at(b).start) })
		for _, p := range ps {
			fmt.Fprintf(&b, "  %d: %s%s\n", x.at(p).name0, x.prefix(p), shorten(x.at(p).sig, 100))
		}
	}
	return b.String()
}

// prefix names the type that a member belongs to.
func (x *Index) prefix(p place) string {
	q := unnumbered(x.qualified(p))
	if i := strings.LastIndexByte(q, '.'); i > 0 && x.files[p.file].lang != source.Go {
		return q[:i] + ": "
	}
	return ""
}

func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
