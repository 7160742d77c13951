package repo

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"sync"

	"github.com/repomind/repomind/internal/source"
)

// pool keeps git cat-file --batch processes, so that a read costs no start of one.
type pool struct {
	dir  string
	free chan *batch
	mu   sync.Mutex
	done bool
}

// maxIdle is how many processes wait for work; more run while more is asked for.
const maxIdle = 2

func newPool(dir string) *pool { return &pool{dir: dir, free: make(chan *batch, maxIdle)} }

func (p *pool) get() (*batch, error) {
	select {
	case b := <-p.free:
		return b, nil
	default:
		return startBatch(p.dir)
	}
}

// put takes a process back, unless it is in the middle of an answer.
func (p *pool) put(b *batch, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil && !p.done {
		select {
		case p.free <- b:
			return
		default:
		}
	}
	b.stop()
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = true
	for len(p.free) > 0 {
		(<-p.free).stop()
	}
}

// read gives the content of each object, in order; nil for one that the clone does
// not have. data is valid only during the call.
func (p *pool) read(ctx context.Context, hashes []string, each func(i int, data []byte) error) error {
	b, err := p.get()
	if err != nil {
		return err
	}
	watch := context.AfterFunc(ctx, b.kill)
	err = b.read(hashes, each)
	if !watch() {
		err = context.Cause(ctx)
	}
	p.put(b, err)
	return err
}

// batch is one git cat-file --batch. It is asked by hash alone: nothing that comes
// from a repository or a person is written to it.
type batch struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startBatch(dir string) (*batch, error) {
	cmd, _ := git{dir: dir}.command(context.Background(), []string{"cat-file", "--batch"})
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("run git: %w (is it installed?)", err)
	}
	widen(out)
	return &batch{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 256<<10)}, nil
}

func (b *batch) kill() { killGroup(b.cmd) }

func (b *batch) stop() {
	b.kill()
	b.cmd.Wait() //nolint:errcheck // it was killed
}

// Some questions are asked ahead, so that git works while its answer is read. They
// fit in a pipe's buffer: neither side can wait for the other.
const ahead = 100

func (b *batch) read(hashes []string, each func(i int, data []byte) error) error {
	for i := range hashes {
		if i%ahead == 0 {
			if err := b.ask(hashes[i:min(i+ahead, len(hashes))]); err != nil {
				return err
			}
		}
		data, err := b.next(hashes[i])
		if err == nil {
			err = each(i, data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) ask(hashes []string) error {
	var lines bytes.Buffer
	for _, h := range hashes {
		if !isHash(h) {
			return fmt.Errorf("%q is not an object's hash", h)
		}
		lines.WriteString(h + "\n")
	}
	_, err := b.in.Write(lines.Bytes())
	return err
}

var errBatch = errors.New("git cat-file ended: corrupt object")

// next reads one answer: "hash type size", the content, a line feed.
func (b *batch) next(hash string) ([]byte, error) {
	line, err := b.out.ReadSlice('\n')
	if err != nil {
		return nil, fmt.Errorf("%w (at %s)", errBatch, hash)
	}
	f := bytes.Fields(line)
	if len(f) == 2 && string(f[1]) == "missing" {
		return nil, nil
	}
	if len(f) != 3 {
		return nil, fmt.Errorf("%w: %q", errBatch, line)
	}
	size, err := strconv.Atoi(string(f[2]))
	if err != nil || size > maxOutput {
		return nil, fmt.Errorf("%w: an object of %s bytes", ErrLimit, f[2])
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(b.out, data); err != nil {
		return nil, fmt.Errorf("%w (at %s)", errBatch, hash)
	}
	return data[:size:size], nil
}

func isHash(s string) bool {
	_, err := source.ParseCommit(s)
	return err == nil
}
