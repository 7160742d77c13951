package embed

import (
	"io"
	"os"
)

// log is a file of records that only grows. A record is
//
//	mark (4 bytes) | n (4) | key (32) | n float32 | CRC-32C of all before (4)
//
// all little-endian. Records are appended with one write to a file opened for
// appending, so that those of two processes do not mix. If a process dies in the
// middle, the next good record is found by its mark and its checksum.
type log struct {
	f       *os.File
	at      map[key]place
	read    int64 // how far the file is known
	dropped int64 // bytes that are part of no good record
	pending int64 // bytes at the end that are not a whole record yet
}

// place is where a record stands.
type place struct {
	offset int64
	dim    int
}

func openLog(path string) (*log, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	l := &log{f: f, at: map[key]place{}}
	if err := l.refresh(); err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

func (l *log) close() error { return l.f.Close() }

// chunk is how much of the file is read at a time: more than two records.
const chunk = 1 << 20

// refresh reads what the file has gained, by whomever.
func (l *log) refresh() error {
	info, err := l.f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < l.read { // somebody cut the file
		l.at, l.read, l.dropped = map[key]place{}, 0, 0
	}
	defer func() { l.pending = info.Size() - l.read }()
	buf := make([]byte, min(chunk, info.Size()-l.read))
	for l.read < info.Size() {
		n, err := l.f.ReadAt(buf[:min(int64(len(buf)), info.Size()-l.read)], l.read)
		if err != nil && err != io.EOF {
			return err
		}
		used := l.take(buf[:n], l.read+int64(n) == info.Size())
		if used == 0 {
			return nil // the rest is not whole yet
		}
		l.read += int64(used)
	}
	return nil
}

// take notes the records in b and returns how many bytes are done with. What may be
// the beginning of a record stays; at the end of the file only if no good one
// follows, because then it was cut or its length is wrong.
func (l *log) take(b []byte, last bool) (used int) {
	for {
		rest := b[used:]
		size, state := examine(rest)
		switch {
		case state == good:
			l.at[key(rest[8:headSize])] = place{l.read + int64(used), (size - headSize - 4) / 4}
			used += size
		case state == cut && !last && used > 0:
			return used
		default:
			n := skip(rest)
			if state == cut && last {
				n = ahead(rest)
			}
			l.dropped += int64(n)
			if used += n; n == 0 {
				return used
			}
		}
	}
}

// get reads a vector; nil if there is none.
func (l *log) get(k key) ([]float32, error) {
	p, ok := l.at[k]
	if !ok {
		return nil, nil
	}
	b := make([]byte, recordSize(p.dim))
	if _, err := l.f.ReadAt(b, p.offset); err != nil {
		delete(l.at, k)
		return nil, err
	}
	if _, c := examine(b); c != good || key(b[8:headSize]) != k {
		delete(l.at, k)
		return nil, errRecord
	}
	return vectorOf(b), nil
}

// append writes records in one go.
func (l *log) append(records []byte) error {
	if _, err := l.f.Write(records); err != nil {
		return err
	}
	return l.refresh()
}
