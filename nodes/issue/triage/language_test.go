package triage_test

import (
	"testing"

	"github.com/repomind/repomind/internal/github"
	"github.com/repomind/repomind/nodes/issue/triage"
)

func TestLanguage(t *testing.T) {
	for text, want := range map[string]string{
		"It crashes": "en", "购物车会丢失数量": "zh", "Cart.add 会丢失数量": "zh", "": "en",
		"It fails for 中文 names in the list of users": "en", "バグがあります": "en", "제목 버그": "en",
		"## Steps to reproduce the behavior\n调用 `collection.newTimingWheelWithClock()` 崩溃，见 https://example.com/a/long/address": "zh",
		"\xff\xfe": "en",
	} {
		if got := triage.Language(github.Issue{Body: text + "\n```\n日志日志日志日志\n```"}); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
