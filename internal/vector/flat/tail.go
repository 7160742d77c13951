package flat

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/repomind/repomind/internal/vector"
)

// tail reads the frames of a log from a place to its end.
type tail struct {
	log     io.ReaderAt
	r       *bufio.Reader
	at, end int64
	buf     []byte
}

func newTail(log io.ReaderAt, at, end int64) *tail {
	size := int(min(end-at, 1<<20))
	return &tail{log: log, r: bufio.NewReaderSize(io.NewSectionReader(log, at, end-at), size), at: at, end: end}
}

// frame gives the next; ok is false at the end, or at what is no whole frame.
func (t *tail) frame(salt uint64) (payload string, ok bool, err error) {
	var head [frameHeader]byte
	if _, err := io.ReadFull(t.r, head[:]); err != nil {
		return "", false, atEnd(err)
	}
	n, want, ok := frameSize(head[:], salt, t.at)
	if !ok || int64(n) > t.end-t.at-frameHeader {
		return "", false, nil
	}
	if cap(t.buf) < n {
		t.buf = make([]byte, n)
	}
	b := t.buf[:n]
	if _, err := io.ReadFull(t.r, b); err != nil {
		return "", false, atEnd(err)
	}
	if sum(b) != want {
		return "", false, nil
	}
	t.at += frameHeader + int64(n)
	return string(b), true, nil
}

func atEnd(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return fmt.Errorf("read the log: %w", err)
}

var errDamaged = fmt.Errorf("the log is damaged before its end: %w", vector.ErrBroken)

// torn says whether the rest of the log is the beginning of a write. It is not if
// frames follow: then what was acknowledged has been lost (ErrBroken).
func (t *tail) torn(salt uint64) error {
	const step = 1 << 20
	b := make([]byte, min(t.end-t.at, step+frameHeader))
	for at := t.at + 1; at < t.end; at += step {
		n, err := t.log.ReadAt(b[:min(int64(len(b)), t.end-at)], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read the log: %w", err)
		}
		if hasFrame(b[:n], salt, at) {
			return fmt.Errorf("at byte %d: %w", t.at, errDamaged)
		}
	}
	return nil
}
