package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/tools"
)

// The head names the lines that are there and how to read on, since a loop may show the
// beginning of a result alone.
func TestReadFileHead(t *testing.T) {
	w := of(t, repotest.New(t, "Long\n-- long.py --\n"+strings.Repeat("x = 1\n", 1197)+"-- wide.py --\n"+strings.Repeat(strings.Repeat("y", 490)+"\n", 300)))
	at := w.Snapshot.Commit().Short()
	for _, tt := range []struct{ args, head, end string }{
		{`{"path": "long.py"}`, "long.py:1-400 (1197 lines in all, at commit " + at + "; read on with start_line 401)\n     1\tx = 1\n", "   400\tx = 1\n[lines 401 to 1197 are left out; read on with start_line 401]\n"},
		{`{"path": "long.py", "start_line": 100, "end_line": 600}`, "long.py:100-499 (1197 lines in all, at commit " + at + "; read on with start_line 500)\n", "[lines 500 to 600 are left out; read on with start_line 500]\n"},
		{`{"path": "long.py", "start_line": 100, "end_line": 499}`, "long.py:100-499 (1197 lines in all, at commit " + at + ")\n", "   499\tx = 1\n"},
		{`{"path": "long.py", "start_line": 801}`, "long.py:801-1197 (1197 lines in all, at commit " + at + ")\n", "  1197\tx = 1\n"},
		{`{"path": "wide.py"}`, "wide.py:1-60 (300 lines in all, at commit " + at + "; read on with start_line 61)\n", "[lines 61 to 300 are left out; read on with start_line 61]\n"},
	} {
		r := tools.All(w).Call(t.Context(), "read_file", json.RawMessage(tt.args))
		if !strings.HasPrefix(r.Text, tt.head) || !strings.HasSuffix(r.Text, tt.end) {
			t.Errorf("%s gives\n%.90s … %s", tt.args, r.Text, r.Text[max(0, len(r.Text)-90):])
		}
		shown := r.Shown[0].Span
		if !strings.HasPrefix(tt.head, shown.String()+" ") {
			t.Errorf("%s shows %v", tt.args, shown)
		}
		if first := fmt.Sprintf("%6d\t", shown.Start); !strings.HasPrefix(r.Text[r.At[0]:], first) {
			t.Errorf("%s: what is shown begins with %.20q", tt.args, r.Text[r.At[0]:])
		}
	}
}
