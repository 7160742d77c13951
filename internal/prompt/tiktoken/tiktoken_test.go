package tiktoken_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/prompt"
	"github.com/repomind/repomind/internal/prompt/tiktoken"
)

func load(t *testing.T, model string) *tiktoken.Encoding {
	t.Helper()
	e, err := tiktoken.Load(model)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// The numbers are those of the cookbook of OpenAI, "How to count tokens with tiktoken".
func TestCountIsThatOfTheModel(t *testing.T) {
	small, large := load(t, "openai/gpt-4"), load(t, "gpt-4o")
	got := map[string][2]int{}
	for _, text := range []string{"", "tiktoken is great!", "antidisestablishmentarianism", "2 + 2 = 4", "お誕生日おめでとう"} {
		got[text] = [2]int{small.Count(text), large.Count(text)}
	}
	want := map[string][2]int{
		"": {0, 0}, "tiktoken is great!": {6, 6}, "antidisestablishmentarianism": {6, 6}, "2 + 2 = 4": {7, 7}, "お誕生日おめでとう": {9, 8},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCountOfALongRunEnds(t *testing.T) {
	e := load(t, "gpt-4o")
	for _, text := range []string{strings.Repeat("a", 300_000), strings.Repeat("=", 300_000), strings.Repeat(" ", 300_000), strings.Repeat("aB", 150_000)} {
		if n := e.Count(text); n < 1000 || n > 300_000 {
			t.Errorf("%q… has %d tokens", text[:4], n)
		}
	}
}

func TestLoadKnowsOnlyWhatHasAVocabulary(t *testing.T) {
	for _, model := range []string{"", "deepseek/deepseek-chat", "claude-sonnet-4"} {
		if _, err := tiktoken.Load(model); err == nil || !strings.Contains(err.Error(), "prompt.Estimate") {
			t.Errorf("%q: %v", model, err)
		}
	}
}

// The estimate is held against the real thing, in percent.
func TestEstimateIsNear(t *testing.T) {
	e := load(t, "gpt-4o")
	texts := map[string]string{
		"chinese": strings.Repeat("当请求头缺少编码时，解析器会返回空字符串。请修复这个问题并添加测试。", 20),
		"russian": strings.Repeat("Если заголовок запроса не содержит кодировку, разбор возвращает пустую строку. ", 20),
		"english": strings.Repeat("When the header of a request names no encoding, the parser gives an empty string back, which nobody notices until it is far too late. ", 20),
		"hashes":  strings.Repeat("commit 0f3c9a7be1d2456789abcdef0123456789abcdef\n", 20),
		"python":  strings.Repeat("    def get_response(self, request: Request) -> Response:\n        for attempt in range(1, 12):\n            if not self._is_retryable(attempt):\n                return None\n", 20),
	}
	for name, file := range map[string]string{"go": "../clean.go", "test": "tiktoken_test.go"} {
		data, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(data)
	}
	for name, text := range texts {
		exact, estimate := e.Count(text), prompt.Estimate(text)
		percent := 100*estimate/exact - 100
		t.Logf("%s: %d tokens, estimate %d (%+d %%)", name, exact, estimate, percent)
		if percent < -12 || percent > 35 {
			t.Errorf("%s: %d tokens, estimate %d (%+d %%)", name, exact, estimate, percent)
		}
	}
}

func BenchmarkCount(b *testing.B) {
	e, err := tiktoken.Load("gpt-4o")
	if err != nil {
		b.Fatal(err)
	}
	text := strings.Repeat("func (e *Encoding) Count(text string) int {\n\treturn 0\n}\n", 1000)
	for b.Loop() {
		e.Count(text)
	}
}
