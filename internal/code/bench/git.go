package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// clone is a bare repository that git reads.
type clone string

func (c clone) git(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, "git", append([]string{"--git-dir=" + string(c)}, args...)...)
}

// name is the last telling part of the clone's path.
func (c clone) name() string {
	p := strings.TrimSuffix(filepath.Clean(string(c)), ".git")
	if base := filepath.Base(p); base != "repo" {
		return base
	}
	return filepath.Base(filepath.Dir(p))
}

func (c clone) tree(ctx context.Context, commit string) ([]source.File, error) {
	out, err := c.git(ctx, "ls-tree", "-r", "-l", "-z", commit).Output()
	if err != nil {
		return nil, fmt.Errorf("list %s of %s: %w", commit, c, err)
	}
	modes := map[string]source.Mode{"100755": source.Executable, "120000": source.Symlink, "160000": source.Submodule}
	var files []source.File
	for e := range bytes.SplitSeq(bytes.TrimRight(out, "\x00"), []byte{0}) {
		head, path, _ := strings.Cut(string(e), "\t")
		f := strings.Fields(head)
		size, _ := strconv.ParseInt(f[3], 10, 64) // "-" for a submodule
		files = append(files, source.File{Path: path, Blob: f[2], Size: size, Mode: modes[f[0]]})
	}
	return files, nil
}

// Blobs reads with one git cat-file --batch.
func (c clone) Blobs(ctx context.Context, files []source.File, each func(i int, data []byte) error) error {
	cmd := c.git(ctx, "cat-file", "--batch")
	var names strings.Builder
	for _, f := range files {
		names.WriteString(f.Blob + "\n")
	}
	cmd.Stdin = strings.NewReader(names.String())
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r := bufio.NewReaderSize(out, 1<<20)
	for i := range files {
		data, err := readBlob(r)
		if err == nil {
			err = each(i, data)
		}
		if err != nil {
			return fmt.Errorf("blob of %s: %w", files[i].Path, err)
		}
	}
	return cmd.Wait()
}

func readBlob(r *bufio.Reader) ([]byte, error) {
	head, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	f := strings.Fields(head)
	if len(f) != 3 {
		return nil, fmt.Errorf("git says %q", strings.TrimSpace(head))
	}
	size, err := strconv.Atoi(f[2])
	if err != nil {
		return nil, err
	}
	data := make([]byte, size+1)
	_, err = io.ReadFull(r, data)
	return data[:size], err
}
