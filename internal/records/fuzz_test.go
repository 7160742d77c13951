package records_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/records"
)

// FuzzParse: no bytes under a right checksum make the reader fail or give more than
// they hold, and what it gives is written and read back as it is.
func FuzzParse(f *testing.F) {
	f.Add(sample.Bytes(version)[records.HeadSize:])
	f.Add(records.Records{}.Bytes(version)[records.HeadSize:])
	for _, body := range forged {
		f.Add(body[:min(len(body), 1000)])
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		records.Parse(body)
		r, ok := records.Parse(records.Seal(version, body))
		if !ok {
			return
		}
		size := 0
		for k, v := range r {
			size += len(k) + len(v)
		}
		if size > len(body) || len(r) > len(body) {
			t.Errorf("%d records of %d bytes from %d", len(r), size, len(body))
		}
		again, ok := records.Parse(r.Bytes(version))
		if diff := cmp.Diff(r, again); !ok || diff != "" {
			t.Errorf("read back otherwise (-first +again):\n%s", diff)
		}
	})
}

// FuzzRoundTrip: all keys and values come back.
func FuzzRoundTrip(f *testing.F) {
	f.Add("a", "1", "b", "2")
	f.Add("", "", "\xff", "\x00")
	f.Fuzz(func(t *testing.T, k1, v1, k2, v2 string) {
		r := records.Records{k1: v1, k2: v2}
		got, ok := records.Parse(r.Bytes(version))
		if diff := cmp.Diff(r, got); !ok || diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
