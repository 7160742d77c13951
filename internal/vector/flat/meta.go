package flat

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/repomind/repomind/internal/vector"
)

// Metadata is stored as its pairs in the order of their names. A pair is
// the length of the name in a byte, the name, a type, and the value: a text with
// its length before it, or the eight bytes of a number.
const (
	isText = 0
	isInt  = 1
)

func encodeMeta(m vector.Meta) []byte {
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(m)) {
		b = appendPair(b, name, m[name])
	}
	return b
}

func appendPair(b []byte, name string, v vector.Value) []byte {
	b = append(append(b, byte(len(name))), name...)
	if n, ok := v.Int(); ok {
		return binary.LittleEndian.AppendUint64(append(b, isInt), uint64(n))
	}
	s, _ := v.Text()
	return appendText(append(b, isText), s)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// cutPair splits the first pair off. ok is false if s does not begin with one.
func cutPair(s string) (name string, v vector.Value, rest string, ok bool) {
	if s == "" || len(s) < int(s[0])+2 {
		return "", v, "", false
	}
	name, s = s[1:1+s[0]], s[1+s[0]:]
	switch kind := s[0]; kind {
	case isInt:
		if len(s) < 9 {
			return "", v, "", false
		}
		return name, vector.Int(int64(binary.LittleEndian.Uint64([]byte(s[1:9])))), s[9:], true
	case isText:
		text, rest, ok := cutText(s[1:], vector.MaxText)
		return name, vector.Text(text), rest, ok
	}
	return "", v, "", false
}

// cutText splits off a text that has its length, at most most, before it.
func cutText(s string, most int) (text, rest string, ok bool) {
	n, used := uint64(0), 0
	for shift := 0; used < len(s) && shift < 28; shift += 7 {
		c := s[used]
		used++
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			ok = true
			break
		}
	}
	if !ok || n > uint64(most) || n > uint64(len(s)-used) {
		return "", "", false
	}
	return s[used : used+int(n)], s[used+int(n):], true
}

// validMeta says whether s is what encodeMeta gives.
func validMeta(s string) bool {
	last := ""
	for pairs := 0; s != ""; pairs++ {
		name, v, rest, ok := cutPair(s)
		text, _ := v.Text()
		if !ok || pairs == vector.MaxPairs || name <= last || !vector.CheckName(name) ||
			!utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0 {
			return false
		}
		last, s = name, rest
	}
	return true
}

// decodeMeta is the Meta of a valid s, nil if that is empty.
func decodeMeta(s string) vector.Meta {
	if s == "" {
		return nil
	}
	m := vector.Meta{}
	for s != "" {
		name, v, rest, ok := cutPair(s)
		if !ok {
			break
		}
		m[strings.Clone(name)], s = v, rest
	}
	return m
}

// has says whether a valid s holds all pairs of where.
func has(s string, where vector.Meta) bool {
	found := 0
	for s != "" && found < len(where) {
		name, v, rest, ok := cutPair(s)
		if !ok {
			break
		}
		if want, asked := where[name]; asked {
			if v != want {
				return false
			}
			found++
		}
		s = rest
	}
	return found == len(where)
}
