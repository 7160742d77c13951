package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/repomind/repomind/internal/repo"
)

const rounds = 9

// searches compares the same search done four ways, in turn.
func (b *bench) searches() error {
	rg, err := b.export()
	if err != nil {
		return err
	}
	fmt.Printf("| search | lines | ours, first | ours, next | git grep | ripgrep | first : git | next : git |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, q := range []repo.Query{{Pattern: "self"}, {Pattern: "import"}, {Pattern: "err"}, {Pattern: `def \w+_type\(|func \w+Type\(`}, {Pattern: "TypeVar", IgnoreCase: true}} {
		if err := b.search(q, rg); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) search(q repo.Query, rg bool) error {
	var first, next, git, ripgrep []time.Duration
	lines := 0
	for range rounds {
		if err := b.open(); err != nil {
			return err
		}
		for _, times := range []*[]time.Duration{&first, &next} {
			start := time.Now()
			found, err := b.snapshot.Grep(b.ctx, q)
			if err != nil {
				return err
			}
			*times = append(*times, time.Since(start))
			lines = found.Total
		}
		// A walk over the bare repository, as a person would: lines with numbers, no binaries.
		args := []string{"-C", b.from.Dir, "grep", "-n", "-I", "-P"}
		if q.IgnoreCase {
			args = append(args, "-i")
		}
		took, err := timed("git", append(args, "-e", q.Pattern, string(b.snapshot.Commit()))...)
		if err != nil {
			return err
		}
		git = append(git, took)
		if rg {
			args := []string{"--no-config", "--no-ignore", "--hidden", "-n"}
			if q.IgnoreCase {
				args = append(args, "-i")
			}
			if took, err = timed("rg", append(args, "-e", q.Pattern, b.tree)...); err != nil {
				return err
			}
			ripgrep = append(ripgrep, took)
		}
	}
	beside := "-"
	if rg {
		beside = fmt.Sprintf("%.0f ms", ms(median(ripgrep)))
	}
	name := q.Pattern
	if q.IgnoreCase {
		name = "(?i)" + name
	}
	fmt.Printf("| `%s` | %d | %.0f ms | %.0f ms | %.0f ms | %s | %.2f | %.2f |\n", string(bytes.ReplaceAll([]byte(name), []byte("|"), []byte(`\|`))), lines,
		ms(median(first)), ms(median(next)), ms(median(git)), beside, ratio(first, git), ratio(next, git))
	return nil
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func ratio(a, b []time.Duration) float64 { return float64(median(a)) / float64(median(b)) }

// timed runs a search; exit code 1 is a search that found nothing.
func timed(name string, args ...string) (time.Duration, error) {
	start := time.Now()
	_, err := exec.Command(name, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	if errors.As(err, &exit) {
		err = fmt.Errorf("%s: %w: %s", name, err, exit.Stderr)
	}
	return time.Since(start), err
}

// export writes the files for ripgrep, which reads no repository; false if there is
// no ripgrep.
func (b *bench) export() (bool, error) {
	if _, err := exec.LookPath("rg"); err != nil {
		fmt.Fprintln(os.Stderr, "ripgrep is not installed; its column stays empty")
		return false, nil
	}
	files := b.snapshot.Files()
	return true, b.snapshot.Blobs(b.ctx, files, func(i int, data []byte) error {
		if data == nil || !files[i].Mode.Text() {
			return nil
		}
		name := filepath.Join(b.tree, filepath.FromSlash(files[i].Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		return os.WriteFile(name, data, 0o644)
	})
}
