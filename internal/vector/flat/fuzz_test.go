package flat_test

import (
	"errors"
	"os"
	"testing"

	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/flat"
)

// FuzzLog opens a collection whose log is anything, and one whose log has a frame
// of anything with checksums that fit: the answer is items, or ErrBroken.
func FuzzLog(f *testing.F) {
	dir, log, vec := filled(f)
	whole, err := os.ReadFile(log)
	must(f, err)
	vectors, err := os.ReadFile(vec)
	must(f, err)
	ends, err := flat.FrameEnds(whole)
	must(f, err)
	f.Add(whole, false)
	f.Add(whole[:ends[2]-5], false)
	f.Add([]byte{}, false)
	f.Add(whole[ends[0]+16:ends[1]], true)
	f.Add([]byte{1, 1, 'a', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, true)
	f.Add([]byte{2, 1, 'a', 2, 255, 255, 255, 255, 15}, true)
	f.Fuzz(func(t *testing.T, data []byte, frame bool) {
		if frame {
			data = flat.Framed(whole, data)
		}
		must(t, errors.Join(os.WriteFile(log, data, 0o600), os.WriteFile(vec, vectors, 0o600)))
		c, err := flat.Open(flat.Config{Dir: dir}).Open(t.Context(), key, 8)
		if err != nil {
			if !errors.Is(err, vector.ErrBroken) && !errors.Is(err, vector.ErrDimension) {
				t.Fatal(err)
			}
			return
		}
		defer c.Close()
		found, err := c.Query(t.Context(), vector.Query{Vector: make8(1), K: 1000})
		if err != nil && !errors.Is(err, vector.ErrBroken) {
			t.Fatal(err)
		}
		for _, m := range found {
			if err := errors.Join(vector.CheckID(m.ID), m.Meta.Check()); err != nil {
				t.Fatal(err)
			}
		}
	})
}
