package chunk

import "bytes"

// text is a file by lines. As in internal/code a line ends with a line feed, and what
// follows the last one is a line if there is a byte in it.
type text struct {
	data  []byte
	start []uint32 // of each line, and the end of the last
	solid []uint32 // characters that are not white before each line, and in all
}

func newText(data []byte) *text {
	t := &text{data: data, start: make([]uint32, 1, len(data)/30+2), solid: make([]uint32, 1, len(data)/30+2)}
	count := uint32(0)
	for at := 0; at < len(data); {
		end := lineEnd(data, at)
		count += uint32(solid(data[at:end]))
		t.start = append(t.start, uint32(end))
		t.solid = append(t.solid, count)
		at = end
	}
	return t
}

func lineEnd(data []byte, at int) int {
	if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(data)
}

// solid counts the characters that are not white; of invalid UTF-8, bytes that may
// start one.
func solid(line []byte) (n int) {
	for _, c := range line {
		if c > ' ' && c&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

// count is the number of lines.
func (t *text) count() int { return len(t.start) - 1 }

// size is that of the lines from a to b, which count from 1.
func (t *text) size(a, b int) int { return int(t.solid[b] - t.solid[a-1]) }

func (t *text) bytes(a, b int) int { return int(t.start[b] - t.start[a-1]) }

const maxLook = 2000 // bytes of a line that the readers of forms look at

// line is the start of a line, without its end and what is white there.
func (t *text) line(n int) []byte {
	from, to := t.start[n-1], t.start[n]
	return bytes.TrimRight(t.data[from:min(to, from+maxLook)], " \t\r\n\f\v")
}

// indent is how far a line is set in, a tab counting as eight, and -1 for an empty one.
func indent(line []byte) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8
		default:
			return n
		}
	}
	return -1
}
