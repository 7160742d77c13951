package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag"
)

// grow prints what an index costs of generated repositories of several sizes: the first
// one, that of the next commit, opening it again, and a query.
func grow(ctx context.Context, o options) error {
	fmt.Println("| files | text | first index | next commit | open | query, median of 9 | on disk | memory so far |")
	fmt.Println("| --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, n := range []int{1_000, 10_000, 100_000} {
		if n > o.most {
			break
		}
		if err := growTo(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

func growTo(ctx context.Context, n int) error {
	dir, err := os.MkdirTemp("", "grow")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	origin := filepath.Join(dir, "origin")
	size, err := generate(ctx, origin, n)
	if err != nil {
		return err
	}
	cache, err := repo.NewCache(repo.Config{Dir: filepath.Join(dir, "cache"), MaxSize: 1 << 40})
	if err != nil {
		return err
	}
	clone, err := cache.Open(ctx, repo.Origin{Dir: origin})
	if err != nil {
		return err
	}
	defer clone.Close()
	var took [3]time.Duration
	var x *rag.Index
	for i, rev := range []string{"HEAD~1", "HEAD", "HEAD"} {
		at, err := clone.Resolve(ctx, rev)
		if err != nil {
			return err
		}
		begin := time.Now()
		if x, err = index(ctx, clone, source.Repo{}, at); err != nil {
			return err
		}
		took[i] = time.Since(begin)
	}
	query, err := median(ctx, x)
	if err != nil {
		return err
	}
	fmt.Printf("| %d | %d MB | %s | %s | %s | %s | %d MB | %d MB |\n", n, size>>20, round(took[0]), round(took[1]), round(took[2]), round(query),
		(diskOf(clone.Derived("rag"))+diskOf(clone.Derived("code")))>>20, memory()>>20)
	return nil
}

func round(d time.Duration) time.Duration { return d.Round(time.Millisecond) }

func diskOf(dir string) (all int64) {
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := e.Info(); err == nil && !e.IsDir() {
			all += info.Size()
		}
		return nil
	})
	return all
}

// memory is what this process has got from the system, in bytes, which it rarely gives back.
func memory() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Sys
}

// generate makes a repository of n Python files with two commits, of which the second
// changes ten. It gives the size of all text.
func generate(ctx context.Context, dir string, n int) (size int, err error) {
	if err := exec.CommandContext(ctx, "git", "init", "-q", "-b", "main", dir).Run(); err != nil {
		return 0, err
	}
	cmd := exec.CommandContext(ctx, "git", "-C", dir, "fast-import", "--quiet")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	w := bufio.NewWriter(in)
	words := newWords()
	for c, files := range []int{n, 10} {
		fmt.Fprintf(w, "commit refs/heads/main\ncommitter Ada <ada@example.org> %d +0000\ndata 6\nchange\n", 1704110400+c)
		for i := range files {
			text := words.file(i, c)
			size += len(text)
			writeFile(w, fmt.Sprintf("d%d/e%d/f%d.py", i%17, i%701, i), text)
		}
	}
	if err := w.Flush(); err != nil {
		return 0, err
	}
	in.Close()
	return size, cmd.Wait()
}

func writeFile(w io.Writer, path, text string) {
	fmt.Fprintf(w, "M 100644 inline %s\ndata %d\n%s\n", path, len(text), text)
}

// textWords draws made-up words with the frequencies of real text.
type textWords struct {
	r    *rand.Rand
	zipf *rand.Zipf
}

func newWords() textWords {
	r := rand.New(rand.NewPCG(1, 2))
	return textWords{r, rand.NewZipf(r, 1.2, 3, 40_000)}
}

func (t textWords) next() string {
	n := t.zipf.Uint64()
	var b strings.Builder
	for n += 19; n > 0; n /= 19 {
		b.WriteByte("bcdfghjklmnprstvwxz"[n%19])
		b.WriteByte("aeiou"[n%5])
	}
	return b.String()
}

// file is a module of eight functions of five lines.
func (t textWords) file(i, change int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "import os\n\nSERIAL = %d\n", i*10+change)
	for range 8 {
		fmt.Fprintf(&b, "\n\ndef %s_%s(%s, %s):\n    # %s %s %s %s\n", t.next(), t.next(), t.next(), t.next(), t.next(), t.next(), t.next(), t.next())
		for range 3 {
			fmt.Fprintf(&b, "    %s = %s(%s.%s, \"%s %s\")\n", t.next(), t.next(), t.next(), t.next(), t.next(), t.next())
		}
		fmt.Fprintf(&b, "    return %s\n", t.next())
	}
	return b.String()
}
