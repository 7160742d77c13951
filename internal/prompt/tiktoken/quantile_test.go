package tiktoken_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/prompt"
)

// corpora are texts of the kinds that go into prompts.
func corpora(t *testing.T) map[string]string {
	t.Helper()
	read := func(pattern string) string {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(names), err)
		}
		var all strings.Builder
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(data)
		}
		return all.String()
	}
	var random []byte
	for i := range 1000 {
		sum := sha256.Sum256([]byte(fmt.Sprint(i)))
		random = append(random, sum[:]...)
	}
	return map[string]string{
		"english": read("../../../docs/*.md"), "go": read("../*.go"), "python": read("testdata/*.py"), "json": read("../../../tools/testdata/schema/*.json"),
		"chinese": read("testdata/chinese.txt"), "base64": base64.StdEncoding.EncodeToString(random), "hex": hex.EncodeToString(random),
	}
}

// TestEstimateQuantiles holds the estimate against what gpt-4o counts, in percent, for
// pieces of a thousand bytes.
func TestEstimateQuantiles(t *testing.T) {
	e := load(t, "gpt-4o")
	for kind, text := range corpora(t) {
		var off []int
		for from := 0; from < len(text); from += 1000 {
			piece := strings.ToValidUTF8(text[from:min(from+1000, len(text))], "")
			off = append(off, 100*prompt.Estimate(piece)/e.Count(piece)-100)
		}
		slices.Sort(off)
		at := func(percent int) int { return off[(len(off)-1)*percent/100] }
		t.Logf("%-8s %4d pieces: 5%% %+d, 25%% %+d, median %+d, 75%% %+d, 95%% %+d", kind, len(off), at(5), at(25), at(50), at(75), at(95))
		if at(5) < -15 || at(95) > 30 {
			t.Errorf("%s is off by %+d %% to %+d %%", kind, at(5), at(95))
		}
	}
}
