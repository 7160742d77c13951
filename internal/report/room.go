package report

import "io"

// room is how much may be written. The zero value has no end.
type room struct {
	most int // bytes; what is begun may go beyond
	size int // what is written
	left int // parts for which there was no room
}

// full says whether there is none, where so many bytes are not counted yet.
func (r *room) full(ahead int) bool { return r.most > 0 && r.size+ahead > r.most }

// take asks for room for one more part, and counts those that get none.
func (r *room) take(ahead int) bool {
	if r.full(ahead) {
		r.left++
		return false
	}
	return true
}

// through gives a writer that counts what goes through it to w.
func (r *room) through(w io.Writer) io.Writer {
	return writerFunc(func(p []byte) (int, error) {
		n, err := w.Write(p)
		r.size += n
		return n, err
	})
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
