package flat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/repomind/repomind/internal/vector"
)

// header begins the log. gen names the file of vectors that goes with it.
type header struct {
	key       vector.Key
	dim       int
	gen, salt uint64
}

const (
	logMagic  = "RMVEC 1\n"
	byteOrder = 0x01020304 // vectors are stored in the order of the machine
	maxHeader = 1024
)

func (h header) encode() []byte {
	b := binary.NativeEndian.AppendUint32([]byte(logMagic), byteOrder)
	b = binary.LittleEndian.AppendUint32(b, uint32(h.dim))
	b = binary.LittleEndian.AppendUint64(b, h.gen)
	b = binary.LittleEndian.AppendUint64(b, h.salt)
	b = appendText(appendText(b, h.key.Repo), h.key.Model)
	return binary.LittleEndian.AppendUint32(b, sum(b))
}

// readHeader gives the header of a log and its length.
func readHeader(f io.ReaderAt) (header, int64, error) {
	buf := make([]byte, maxHeader)
	n, err := f.ReadAt(buf, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return header{}, 0, err
	}
	h, size, ok := parseHeader(buf[:n])
	if !ok {
		return header{}, 0, fmt.Errorf("the log does not begin with a header of this version and machine: %w", vector.ErrBroken)
	}
	return h, int64(size), nil
}

func parseHeader(b []byte) (h header, size int, ok bool) {
	const fixed = len(logMagic) + 24
	if len(b) < fixed || string(b[:len(logMagic)]) != logMagic || binary.NativeEndian.Uint32(b[8:]) != byteOrder {
		return h, 0, false
	}
	h.dim = int(binary.LittleEndian.Uint32(b[12:]))
	h.gen, h.salt = binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
	rest := string(b[fixed:])
	if h.key.Repo, rest, ok = cutText(rest, 256); !ok {
		return h, 0, false
	}
	if h.key.Model, rest, ok = cutText(rest, 256); !ok || len(rest) < 4 {
		return h, 0, false
	}
	size = len(b) - len(rest)
	ok = binary.LittleEndian.Uint32(b[size:]) == sum(b[:size]) && h.key.Check() == nil && vector.CheckDim(h.dim) == nil
	return h, size + 4, ok
}

// headerOf reads the header of the log at that path.
func headerOf(path string) (header, error) {
	f, err := os.Open(path)
	if err != nil {
		return header{}, err
	}
	defer f.Close()
	h, _, err := readHeader(f)
	return h, err
}
