// Package safetensors reads files of tensors in the safetensors format: eight
// bytes of length, a JSON header, then the tensors one after another.
//
// A file is foreign input. Open checks everything that the header claims against
// the size of the file before anything is read by it, so a file that lies gives an
// error that wraps [ErrFormat] and costs no more memory than the file is long.
package safetensors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// ErrFormat says that a file is not what the format asks for, or lacks a tensor
// that was asked for.
var ErrFormat = errors.New("not a sound safetensors file")

// headerLimit bounds the header. A model of a thousand tensors has one of 100 KB.
const headerLimit = 8 << 20

// Tensor says where the values of one tensor stand.
type Tensor struct {
	DType string  // "F32", "I64", …
	Shape []int64 // none for a single number
	Begin int64   // bytes from the end of the header
	End   int64
}

// File is an open file of tensors. Its methods can be called at the same time.
type File struct {
	Tensors map[string]Tensor
	r       io.ReaderAt
	base    int64
	close   func() error
}

// Open reads the header of the file at path.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	file, err := Read(f, info.Size())
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	file.close = f.Close
	return file, nil
}

// Read reads the header of a file of size bytes.
func Read(r io.ReaderAt, size int64) (*File, error) {
	var length [8]byte
	if size < int64(len(length)) {
		return nil, fault("it has %d bytes, and the length of the header alone takes 8", size)
	}
	if _, err := r.ReadAt(length[:], 0); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > headerLimit || int64(n) > size-8 {
		return nil, fault("it claims a header of %d bytes in a file of %d", n, size)
	}
	header := make([]byte, n)
	if _, err := r.ReadAt(header, 8); err != nil {
		return nil, err
	}
	tensors, err := parse(header)
	if err != nil {
		return nil, err
	}
	if err := check(tensors, size-8-int64(n)); err != nil {
		return nil, err
	}
	return &File{Tensors: tensors, r: r, base: 8 + int64(n)}, nil
}

// Close closes a file that [Open] opened.
func (f *File) Close() error {
	if f.close == nil {
		return nil
	}
	return f.close()
}

// Float32 reads the tensor of that name, which must hold float32 and have exactly
// that shape.
func (f *File) Float32(name string, shape ...int) ([]float32, error) {
	t, ok := f.Tensors[name]
	if !ok {
		return nil, fault("it has no tensor %q", name)
	}
	if t.DType != "F32" {
		return nil, fault("%q holds %.20q; only F32 can be used", name, t.DType)
	}
	if !slices.EqualFunc(t.Shape, shape, func(a int64, b int) bool { return a == int64(b) }) {
		return nil, fault("%q has the shape %v, want %v", name, t.Shape, shape)
	}
	return f.read(t, name)
}

// read converts through a small buffer, so that a tensor is in memory once.
func (f *File) read(t Tensor, name string) ([]float32, error) {
	values := make([]float32, (t.End-t.Begin)/4)
	buf := make([]byte, min(t.End-t.Begin, 64<<10))
	for i, at := 0, f.base+t.Begin; i < len(values); at += int64(len(buf)) {
		buf = buf[:min(len(buf), 4*(len(values)-i))]
		if _, err := f.r.ReadAt(buf, at); err != nil {
			return nil, fmt.Errorf("read tensor %q: %w", name, err)
		}
		for b := buf; len(b) > 0; b = b[4:] {
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
			i++
		}
	}
	return values, nil
}

func fault(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrFormat}, args...)...)
}
