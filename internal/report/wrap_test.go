package report

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		line  string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"a  bc d", 5, []string{"a bc", "d"}},
		{"  a bc d", 5, []string{"  a", "  bc", "  d"}},
		{"longer_than_it_may_be a", 5, []string{"longer_than_it_may_be", "a"}},
		{"第二次调用会覆盖", 8, []string{"第二次调", "用会覆盖"}},
		{"第二次调用，会覆盖", 10, []string{"第二次调用，", "会覆盖"}},
		{"第二次调。", 8, []string{"第二次调。"}},
		{"a 第二次调用", 4, []string{"a", "第二", "次调", "用"}},
	} {
		if diff := cmp.Diff(tt.want, wrap(tt.line, tt.width)); diff != "" {
			t.Errorf("%q at %d: %s", tt.line, tt.width, diff)
		}
	}
}

func TestClean(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a\tb\r\nc\rd", "a\tb\nc\nd"},
		{"\x1b[31mred\x1b[0m \x1b]0;title\x07x\x1b\x1b[2Jy", "red xy"},
		{"\u009b31m \u202eabc\u2066 \u200b\ufeff@me", "31m abc @me"},
		{"👩\u200d💻 می\u200cخواهم a\u200db", "👩\u200d💻 می\u200cخواهم ab"},
		{"\xff\u00a0\u3000\U000E0041", "\uFFFD \u3000"},
	} {
		if got := clean(tt.in); got != tt.want {
			t.Errorf("clean %q is %q, want %q", tt.in, got, tt.want)
		}
		if again := clean(tt.want); again != tt.want {
			t.Errorf("clean %q is %q", tt.want, again)
		}
	}
}
