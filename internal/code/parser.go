package code

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/repomind/repomind/internal/source"
)

// A grammar is C code that reads what strangers wrote: some end the process by an
// assertion, others take all of its memory, and none can be told to stop. So files
// are parsed in processes that may die, see Config.Parser. What they say to each
// other, with all lengths as varints:
//
//	parser:  the greeting, once
//	builder: length, language, length, content
//	parser:  length, record (see record.go)

// greeting has the version of the cache, as that is the version of the records: a
// program that was replaced since the builder started is told by it.
var greeting = fmt.Sprintf("repomind parser %d\n", cacheVersion)

const (
	maxContent = 64 << 20
	maxAnswer  = 32 << 20 // the records of a megabyte of source are below 5 MB
)

var errMessage = errors.New("damaged message")

// ParserVariable is set in the environment of a parser, and nothing else is. A program
// that finds it is a parser, and must not start others.
const ParserVariable = "REPOMIND_PARSER"

// ServeParser is the work of a process that Config.Parser starts, until r ends. It
// takes the process for itself: it bounds its memory and turns off its core dumps,
// and a hostile file may end it. It starts no processes.
func ServeParser(r io.Reader, w io.Writer) error {
	if err := confine(); err != nil {
		return fmt.Errorf("confine the parser: %w", err)
	}
	in, out := bufio.NewReader(r), bufio.NewWriter(w)
	out.WriteString(greeting) //nolint:errcheck // Flush has the error
	if err := out.Flush(); err != nil {
		return fmt.Errorf("greet: %w", err)
	}
	files := newReader(0) // the builder has the clock, and needs no help
	files.expendable = true
	defer files.close()
	for {
		lang, err := readPart(in, 100)
		if err == io.EOF {
			return nil
		}
		data, err2 := readPart(in, maxContent)
		if err := errors.Join(err, err2); err != nil {
			return fmt.Errorf("read a file to parse: %w", err)
		}
		if err := writeParts(out, encode(files.facts(source.Language(lang), data))); err != nil {
			return fmt.Errorf("answer: %w", err)
		}
	}
}

func readPart(r *bufio.Reader, limit uint64) ([]byte, error) {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, fmt.Errorf("%w: %d bytes, more than %d", errMessage, n, limit)
	}
	data := make([]byte, n)
	_, err = io.ReadFull(r, data)
	return data, err
}

func writeParts(w *bufio.Writer, parts ...[]byte) error {
	for _, p := range parts {
		w.Write(binary.AppendUvarint(nil, uint64(len(p)))) //nolint:errcheck // Flush has the error
		w.Write(p)                                         //nolint:errcheck // Flush has the error
	}
	return w.Flush()
}

// readGreeting says what a process says that is no parser.
func readGreeting(r io.Reader) error {
	said := make([]byte, len(greeting))
	n, err := io.ReadFull(r, said)
	if err == nil && !bytes.Equal(said, []byte(greeting)) || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("it says %q, not %q", said[:n], greeting)
	}
	return err
}
