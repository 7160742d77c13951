// Command bench cuts all files of a commit into chunks and prints how many there are,
// how large, and how fast they are made. The repository is a bare clone:
//
//	go run ./rag/chunk/bench -repo mypy.git -commit 8b3e7d8b9f
package main

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/chunk"
)

func main() {
	repo := flag.String("repo", "", "bare clone")
	commit := flag.String("commit", "HEAD", "commit of the repository")
	show := flag.String("show", "", "print the chunks of this path instead")
	flag.Parse()
	if err := run(context.Background(), *repo, *commit, *show); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, repo, commit, show string) error {
	files, err := read(ctx, repo, commit)
	if err != nil {
		return err
	}
	index, err := code.Build(ctx, files.list, files, code.Config{})
	if err != nil {
		return err
	}
	var all tally
	for _, f := range files.list {
		layout, _ := index.Layout(f.Path)
		data := files.data[f.Path]
		began := time.Now()
		chunks := chunk.Split(f.Path, data, layout, chunk.Limits{})
		took := time.Since(began)
		if f.Path == show {
			for _, c := range chunks {
				fmt.Printf("%s %q %s %d/%d %v\n", c.Span, c.Symbol, c.Kind, c.Part, c.Parts, c.Holds)
			}
		}
		all.add(data, chunks, took, len(layout.Cuts) > 0)
	}
	if show == "" {
		all.print()
	}
	return nil
}

// tally counts chunks of code and of the rest.
type tally [2]struct {
	files, bytes, named, parts int
	sizes                      []int // characters that are not white
	took                       time.Duration
}

func (t *tally) add(data []byte, chunks []chunk.Chunk, took time.Duration, isCode bool) {
	s := &t[1]
	if isCode {
		s = &t[0]
	}
	s.files++
	s.bytes += len(data)
	s.took += took
	for _, c := range chunks {
		s.sizes = append(s.sizes, len(bytes.Join(bytes.Fields(data[c.From:c.To]), nil)))
		if c.Symbol != "" {
			s.named++
		}
		if c.Parts > 1 {
			s.parts++
		}
	}
}

func (t *tally) print() {
	for i, name := range []string{"code", "rest"} {
		s := t[i]
		if len(s.sizes) == 0 {
			continue
		}
		slices.Sort(s.sizes)
		at := func(share int) int { return s.sizes[(len(s.sizes)-1)*share/100] }
		fmt.Printf("%s: %d files, %.1f MB, %d chunks, %d %% named, %d parts; size 5 %% %d, 25 %% %d, median %d, 75 %% %d, 95 %% %d, largest %d; %v, %.0f MB/s\n",
			name, s.files, float64(s.bytes)/1e6, len(s.sizes), 100*s.named/len(s.sizes), s.parts,
			at(5), at(25), at(50), at(75), at(95), at(100), s.took.Round(time.Millisecond), float64(s.bytes)/1e6/s.took.Seconds())
	}
}

// tree is the files of a commit, without those of more than 1 MB and binary ones.
type tree struct {
	list []source.File
	data map[string][]byte
}

func (t *tree) Blobs(_ context.Context, files []source.File, each func(int, []byte) error) error {
	for i, f := range files {
		if err := each(i, t.data[f.Path]); err != nil {
			return err
		}
	}
	return nil
}

func read(ctx context.Context, repo, commit string) (*tree, error) {
	listed, err := exec.CommandContext(ctx, "git", "-C", repo, "ls-tree", "-rz", commit).Output()
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", commit, err)
	}
	t := &tree{data: map[string][]byte{}}
	var names strings.Builder
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(listed), "\x00"), "\x00") {
		head, path, _ := strings.Cut(entry, "\t")
		if f := strings.Fields(head); len(f) == 3 && f[1] == "blob" && f[0] != "120000" {
			t.list = append(t.list, source.File{Path: path, Blob: f[2]})
			fmt.Fprintln(&names, f[2])
		}
	}
	cmd := exec.CommandContext(ctx, "git", "-C", repo, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(names.String())
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("read the blobs: %w", err)
	}
	return t, t.fill(bufio.NewReader(bytes.NewReader(out)))
}

func (t *tree) fill(r *bufio.Reader) error {
	kept := t.list[:0]
	for _, f := range t.list {
		head, err := r.ReadString('\n')
		if err != nil {
			return err
		}
		if strings.HasSuffix(head, " missing\n") { // of a partial clone
			continue
		}
		var hash, kind string
		if _, err := fmt.Sscan(head, &hash, &kind, &f.Size); err != nil {
			return err
		}
		data := make([]byte, f.Size+1)
		if _, err := io.ReadFull(r, data); err != nil {
			return err
		}
		data = data[:f.Size]
		if f.Size <= 1<<20 && bytes.IndexByte(data[:min(len(data), 8000)], 0) < 0 {
			t.data[f.Path] = data
			kept = append(kept, f)
		}
	}
	t.list = kept
	return nil
}
