package code_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// TestConcurrentQuestions: an index may be asked by several at once, and answers as
// it does one after the other.
func TestConcurrentQuestions(t *testing.T) {
	m, files := &memory{}, []source.File(nil)
	for i := range 20 {
		files = append(files, m.add(fmt.Sprintf("p/m%d.py", i), fmt.Sprintf("from p.m%d import *\nclass C%d(C%d):\n    def f(self): return self.f()\n", i-1, i, i-1)))
	}
	alone, shared := build(t, m, code.Config{}, files...), build(t, m, code.Config{}, files...)
	var want []code.Reference
	for _, s := range alone.Definitions("f") {
		want = append(want, alone.Callers(s)...)
	}
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			var got []code.Reference
			for _, s := range shared.Definitions("f") {
				got = append(got, shared.Callers(s)...)
			}
			shared.Similar("C1x", 3)
			shared.Definitions("c1")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-alone +shared):\n%s", diff)
			}
		})
	}
	asking.Wait()
}

// TestUnknownLanguage: a file that no grammar reads has an error that callers can
// tell, and one that is too large has another.
func TestUnknownLanguage(t *testing.T) {
	for path, want := range map[string]string{"a.txt": "a.txt: no grammar for this language", "a.py": "a.py: 2000000 bytes, more than 1048576"} {
		_, err := code.Skeleton(path, []byte(strings.Repeat("x", 2_000_000)))
		if err == nil || err.Error() != want {
			t.Errorf("Skeleton(%s): %v, want %s", path, err, want)
		}
	}
}
