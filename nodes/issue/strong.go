package issue

import (
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/rag"
)

// The signs that point at one file by name rather than by likeness.
var pointing = []string{"path is named", "file name is named", "module is named", "in a trace", "near the break", "has the message", "line is named"}

// lead is how far ahead the first file has to be of the second.
const lead = 0.15

// strong says why the first file of a search can be trusted, and "" if it cannot: it is
// well ahead, and something in the issue points at it by name.
func strong(res rag.Result) string {
	if len(res.Files) == 0 {
		return ""
	}
	first := res.Files[0]
	ahead := 1.0
	if len(res.Files) > 1 {
		ahead = first.Score - res.Files[1].Score
	}
	var signs []string
	for _, w := range first.Why {
		if w.Share > 0 && w.Value >= 0.5 && slices.Contains(pointing, w.Signal) {
			signs = append(signs, spoken[w.Signal])
		}
	}
	if ahead < lead || len(signs) == 0 {
		return ""
	}
	return fmt.Sprintf("the first place is well ahead of the second (by %.2f of 1), and %s", ahead, strings.Join(slices.Compact(signs), ", "))
}
