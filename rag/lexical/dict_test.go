package lexical

import (
	"strings"
	"testing"
	"unsafe"
)

// TestDictSpreads: terms that are in a row, or alike in their low or high bits, stand
// near their places all the same.
func TestDictSpreads(t *testing.T) {
	const n = 1 << 16
	for _, shift := range []int{0, 16, 32, 48} {
		var d dict
		for i := range n {
			if id := d.add(Term(i) << shift); int(id) != i {
				t.Fatalf("term %d has number %d", i, id)
			}
		}
		steps := 0
		for i, s := range d.slots {
			if s.id != 0 {
				steps += (i - int(uint64(s.term)*d.factor>>d.shift)) & (len(d.slots) - 1)
			}
		}
		if steps > 40*n { // with a factor of 1 it is thousands
			t.Errorf("shifted by %d: %d steps for a term", shift, steps/n)
		}
		if _, ok := d.find(Term(n+1) << shift); ok && shift < 48 {
			t.Errorf("shifted by %d: finds a term that is not there", shift)
		}
	}
}

// TestDictsDiffer: nobody can know where a term stands.
func TestDictsDiffer(t *testing.T) {
	var a, b dict
	a.add(1)
	b.add(1)
	if a.factor == b.factor {
		t.Errorf("both have the factor %d", a.factor)
	}
}

// FuzzSplit: words stand in the text, have letters or digits, and none is empty.
func FuzzSplit(f *testing.F) {
	for _, s := range []string{"HTTPServers _x __a1b2__", "“größe_max” 服务器ABc é", "\xff_\xccé", strings.Repeat("A_", 40), "aG8vc2Rm+MjM0/Zm8wLWJhcmZv é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		begin := uintptr(unsafe.Pointer(unsafe.StringData(text)))
		words(text, func(w string, term Term) {
			at := uintptr(unsafe.Pointer(unsafe.StringData(w))) - begin
			if strings.Trim(w, "_") == "" || term == offset {
				t.Errorf("an empty word: %q", w)
			}
			if at > uintptr(len(text)) || at+uintptr(len(w)) > uintptr(len(text)) {
				t.Errorf("%q is not in the text", w)
			}
			if len(w) > maxWord {
				t.Errorf("a word of %d bytes", len(w))
			}
		})
	})
}
