package issue

import (
	"regexp"
	"testing"
)

func TestChinese(t *testing.T) {
	for english, want := range map[string]string{
		"asked for": "由用户指定",
		"the newest; it is not known when the issue was opened":                                    "最新提交；issue 的创建时间未知",
		"the issue names its path; its words are like the issue's":                                 "issue 提到了它的路径；用词与 issue 相近",
		`it says "bug", "crash"`:                                                                   `文中提到 "bug", "crash"`,
		"3 of 9 claims were not there":                                                             "9 项内容中有 3 项不存在",
		"the critic gives it 0.40, below 0.7":                                                      "评审给出 0.40，低于 0.7",
		"the first place is well ahead of the second (by 0.84 of 1), and the issue names its path": "第一个位置明显领先第二个（差 0.84，满分 1），且issue 提到了它的路径",
		"2 quotes support it, none speaks against it, and the critic gives it 0.90":                "2 处引用支持，没有反对的证据，评审给出 0.90",
		"模型写的句子":                                                                                   "模型写的句子",
		"what a model wrote":                                                                       "what a model wrote",
		"":                                                                                         "",
	} {
		if got := inChinese(english); got != want {
			t.Errorf("%q is %q, want %q", english, got, want)
		}
	}
}

// Each reason of a place has a Chinese form, and so no English is left.
func TestReasonsAreInBothLanguages(t *testing.T) {
	for _, english := range spoken {
		if got := inChinese(english); got == english || regexp.MustCompile(`\b(?:the|its|it)\b`).MatchString(got) {
			t.Errorf("%q is %q", english, got)
		}
	}
}
