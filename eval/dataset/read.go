package dataset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/source"
)

// Limits bounds what a reader takes from one file.
type Limits struct {
	Line    int // bytes of a record. Zero means 8 MiB.
	Records int // Zero means 100,000.
}

func (l Limits) withDefaults() Limits {
	if l.Line == 0 {
		l.Line = 8 << 20
	}
	if l.Records == 0 {
		l.Records = 100_000
	}
	return l
}

// LineError says what is wrong with which line of a file.
type LineError struct {
	File string
	Line int // from 1
	Err  error
}

// Error is file:line: what is wrong, in one printable line.
func (e *LineError) Error() string {
	return fmt.Sprintf("%s:%d: %v", source.Quote(e.File), e.Line, e.Err)
}

// Unwrap gives Err.
func (e *LineError) Unwrap() error { return e.Err }

// Load reads a whole file with [Cases], [Pulls] or [Questions]. One bad line
// spoils the file: Load gives no records beside an error.
func Load[T any](path string, limits Limits, read func(name string, r io.Reader, limits Limits) iter.Seq2[T, error]) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read data set: %w", err)
	}
	defer f.Close() // only read from: closing cannot lose anything
	var all []T
	for record, err := range read(path, f, limits) {
		if err != nil {
			return nil, fmt.Errorf("read data set: %w", err)
		}
		all = append(all, record)
	}
	return all, nil
}

// raw is a record as its file spells it.
type raw[T any] interface {
	key() string
	build() (T, error)
}

// records reads line by line. It holds one line and the ids so far.
func records[R raw[T], T any](name string, r io.Reader, limits Limits) iter.Seq2[T, error] {
	limits = limits.withDefaults()
	return func(yield func(T, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, limits.Line+2) // with the line's end
		first := map[string]int{}        // by id, the line that it stands on
		var none T
		n := 0
		for lines.Scan() {
			n++
			v, err := parse[R, T](lines.Bytes(), n, first, limits)
			if err != nil {
				yield(none, &LineError{File: name, Line: n, Err: err})
				return
			}
			if !yield(v, nil) {
				return
			}
		}
		if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
			yield(none, &LineError{File: name, Line: n + 1, Err: tooLong(limits)})
		} else if err != nil {
			yield(none, &LineError{File: name, Line: n + 1, Err: err})
		}
	}
}

func tooLong(l Limits) error { return fmt.Errorf("the record has more than %d bytes", l.Line) }

func parse[R raw[T], T any](line []byte, n int, first map[string]int, limits Limits) (v T, err error) {
	switch {
	case n > limits.Records:
		return v, fmt.Errorf("there are more than %d records", limits.Records)
	case len(line) > limits.Line:
		return v, tooLong(limits)
	case !utf8.Valid(line):
		return v, errors.New("the record is not UTF-8")
	}
	if err := onceEach(line); err != nil {
		return v, err
	}
	var r R
	if err := json.Unmarshal(line, &r); err != nil {
		return v, wrongType(err)
	}
	id := r.key()
	if !idForm.MatchString(id) {
		return v, fmt.Errorf("id %q is missing or is not a name of letters, digits, dots and dashes", clip(id))
	}
	if at, again := first[id]; again {
		return v, fmt.Errorf("id %q is taken by line %d", id, at)
	}
	first[id] = n
	return r.build()
}

// wrongType names the field as the file does, without the Go structs that hold it,
// and keeps a number of a million digits out of the message.
func wrongType(err error) error {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		names := slices.DeleteFunc(strings.Split(t.Field, "."), func(s string) bool { return strings.HasPrefix(s, "raw") })
		return fmt.Errorf("%s holds a %s, not a %s", strings.Join(names, "."), clip(t.Value), t.Type)
	}
	return err
}

// maxFields is far above what any data set has; looking at each takes time.
const maxFields = 1000

// onceEach refuses an object that names a field twice: which of the two counts
// would depend on who reads it. Case does not tell names apart, as in
// encoding/json.
func onceEach(line []byte) error {
	dec := json.NewDecoder(bytes.NewReader(line))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return errors.New("the record is not a JSON object")
	}
	seen := map[string]bool{}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return err
		}
		name, _ := t.(string) // a key is a string, or Token has failed
		folded := strings.ToLower(strings.ToUpper(name))
		if seen[folded] {
			return fmt.Errorf("the field %q is there twice", clip(name))
		}
		if seen[folded] = true; len(seen) > maxFields {
			return fmt.Errorf("the record has more than %d fields", maxFields)
		}
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			return fmt.Errorf("the field %q: %w", clip(name), err)
		}
	}
	return nil
}
