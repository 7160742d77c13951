package github_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/github"
)

func TestImages(t *testing.T) {
	for _, tt := range []struct{ name, md, want string }{
		{"inline", "![a](https://x.test/1) ![](https://x.test/2 \"t\") ![b c]( <https://x.test/3> 't' )", "https://x.test/1 https://x.test/2 https://x.test/3"},
		{"in a link", "[![a](https://x.test/1)](https://x.test/page)", "https://x.test/1"},
		{"brackets and parentheses", "![a [b] c](https://x.test/w_(1).png) ![a \\] b](https://x.test/2)", "https://x.test/w_(1).png https://x.test/2"},
		{"over two lines", "![a\nb](https://x.test/1)", "https://x.test/1"},
		{"references", "![a][One] ![two][] ![Two  x] ![none] ![a][nowhere]\n\n[one]: https://x.test/1\n  [two]: <https://x.test/2> \"t\"\n[two x]: https://x.test/3\n[one]: https://x.test/4", "https://x.test/1 https://x.test/2 https://x.test/3"},
		{"HTML", "<img alt=\"a\" src=\"https://x.test/1?a=1&amp;b=2\" /><IMG SRC='https://x.test/2'><img\n src=https://x.test/3>", "https://x.test/1?a=1&b=2 https://x.test/2 https://x.test/3"},
		{"HTML without an address", "<img data-src=\"https://x.test/1\"><imgx src=\"https://x.test/2\"><img alt=src>", ""},
		{"in order, each once", "<img src=\"https://x.test/2\"> ![](https://x.test/1) ![r] ![](https://x.test/2)\n\n[r]: https://x.test/0", "https://x.test/2 https://x.test/1 https://x.test/0"},
		{"fence", "```md\n![](https://x.test/1)\n```\n![](https://x.test/2)", "https://x.test/2"},
		{"fence of tildes in a list", "- a\n  ~~~~\n  ![](https://x.test/1)\n  ~~~\n  ~~~~\n![](https://x.test/2)", "https://x.test/2"},
		{"fence in a quote", "> ```\n> ![](https://x.test/1)\n> ```\n> ![](https://x.test/2)", "https://x.test/2"},
		{"fence in a fence", "````\n```\n![](https://x.test/1)\n```\n````\n![](https://x.test/2)", "https://x.test/2"},
		{"fence that does not close", "a\n```\n![](https://x.test/1)", ""},
		{"backticks in a line are no fence", "```a``` ![](https://x.test/1)", "https://x.test/1"},
		{"code span", "`![](https://x.test/1)` ``a ` ![](https://x.test/2)`` ![](https://x.test/3)", "https://x.test/3"},
		{"code span over lines", "`a\n![](https://x.test/1)` ![](https://x.test/2)", "https://x.test/2"},
		{"a backtick alone", "a ` b ![](https://x.test/1)\n\n` ![](https://x.test/2)", "https://x.test/1 https://x.test/2"},
		{"comment", "<!-- ![](https://x.test/1)\n``` -->![](https://x.test/2)", "https://x.test/2"},
		{"comment that does not close", "a <!-- ![](https://x.test/1)\n\n  <!-- ![](https://x.test/2)", "https://x.test/1"},
		{"comment in code", "`<!--` ![](https://x.test/1) `-->`", "https://x.test/1"},
		{"escaped", "\\![a](https://x.test/1) \\`![](https://x.test/2)\\`", "https://x.test/2"},
		{"escapes in an address", "![](https://x.test/a\\_b) ![](https://x.test/a&amp;b)", "https://x.test/a_b https://x.test/a&b"},
		{"other schemes", "![](data:image/png;base64,AA) ![](/a.png) ![](a.png) ![](file:///etc/passwd) ![](javascript:alert) ![](//x.test/1) ![](http://x.test/2)", "https://x.test/1 http://x.test/2"},
		{"odd addresses", "![](https://u:p@x.test/1) ![](https://) ![](https://x.test/\u202e) ![](https://x.test/#f) ![](https://" + strings.Repeat("x", 2048) + ")", "https://x.test/%E2%80%AE https://x.test/"},
		{"Windows lines", "```\r\n![](https://x.test/1)\r\n```\r\n![](https://x.test/2)\r\n", "https://x.test/2"},
		{"none", "plain [a](https://x.test/1)", ""},
	} {
		if diff := cmp.Diff(tt.want, strings.Join(github.Images(tt.md), " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if got := github.Images("![](https://x.test/1) ```", "![](https://x.test/2)", "![](https://x.test/1)"); len(got) != 2 {
		t.Errorf("of three texts: %v", got)
	}
}

// Text that makes a careless reader slow: the time for a byte must not grow with
// the length.
func BenchmarkImagesOfHostileText(b *testing.B) {
	for _, piece := range []string{
		"![", "[", "`", "``a`", "<!--", "<!---->", "<img ", "![]([", "```\n", "> ", "\\", "![a][b]", "![a](", "[a]: b\n", "(", "![](((", "`a\n\n", "![a](https://x.test/)",
	} {
		for _, size := range []int{1 << 16, 1 << 19} {
			text := strings.Repeat(piece, size/len(piece))
			b.Run(fmt.Sprintf("%q/%d", piece, size), func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					github.Images(text)
				}
			})
		}
	}
}

func FuzzImages(f *testing.F) {
	for _, s := range []string{"![a](https://x.test/1 \"t\")", "```\n![](https://x.test/1)\n```", "<img src='https://x.test/1'>", "![a][b]\n\n[b]: https://x.test/1", "`a` <!-- b --> \\!"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, md string) {
		got := github.Images(md)
		seen := map[string]bool{}
		for _, s := range got {
			u, err := url.Parse(s)
			if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || seen[s] || strings.ContainsAny(s, " \n\t\x00\x1b") {
				t.Errorf("%q gave %q", md, s)
			}
			seen[s] = true
		}
		fenced := "~~~~~~~~~~\n" + strings.ReplaceAll(md, "~~~~~~~~~~", "") + "\n~~~~~~~~~~\n"
		if in := github.Images(fenced); len(in) != 0 {
			t.Errorf("%q gave %q", fenced, in)
		}
		if diff := cmp.Diff(append(github.Images("![](https://x.test/first)"), except(got, "https://x.test/first")...), github.Images("![](https://x.test/first)", md)); diff != "" {
			t.Error(diff)
		}
	})
}

func except(all []string, s string) []string {
	var out []string
	for _, a := range all {
		if a != s {
			out = append(out, a)
		}
	}
	return out
}
