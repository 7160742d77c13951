package issue

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/report"
)

// phrase is a sentence of ours in both languages. {} stands for what is filled in, and
// {*} for a list whose parts are phrases themselves.
type phrase struct{ english, chinese string }

// phrases are the sentences that a report can hold. What models and people wrote is left
// as it is.
var phrases = compile([]phrase{
	{"asked for as {}", "由用户指定：{}"},
	{"asked for", "由用户指定"},
	{"the tag {} of the version that the issue names", "issue 所述版本对应的标签 {}"},
	{"the last before the issue was opened on {}; version {}, which it names, has no tag", "issue 创建（{}）之前的最后一次提交；其中提到的版本 {} 没有对应标签"},
	{"the last before the issue was opened on {}", "issue 创建（{}）之前的最后一次提交"},
	{"the newest; it is not known when the issue was opened; version {}, which it names, has no tag", "最新提交；issue 的创建时间未知；其中提到的版本 {} 没有对应标签"},
	{"the newest; it is not known when the issue was opened", "最新提交；issue 的创建时间未知"},
	{"the newest; there is none before the issue was opened", "最新提交；issue 创建之前没有提交"},
	{"it is labelled {}", "标签为 {}"},
	{"it says {}", "文中提到 {}"},
	{"a maintainer says {}", "维护者提到 {}"},
	{"nothing says that it is something else", "没有迹象表明是其他类型"},
	{"its title says {}, and the text speaks of an attack", "标题提到 {}，且正文涉及攻击"},
	{"it once worked: {}", "以前是正常的：{}"},
	{"no sign says that it is worse, or less", "没有更严重或更轻微的迹象"},
	{"nothing is broken", "没有功能损坏"},
	{"as a model reads it: {}", "模型判断：{}"},
	{"the first place is well ahead of the second (by {} of 1), and {*}", "第一个位置明显领先第二个（差 {}，满分 1），且{*}"},
	{"no model has read the code, and no strong sign points at one place", "没有模型阅读过代码，也没有明确迹象指向某一处"},
	{"no hypothesis is chosen", "没有采纳任何假设"},
	{"nothing that could be looked up supports the chosen hypothesis", "没有可核对的内容支持所采纳的假设"},
	{"the answer names no place that is there", "回答中没有真实存在的位置"},
	{"no critic has looked at it", "未经评审"},
	{"the critic gives it {}, below {}", "评审给出 {}，低于 {}"},
	{"only one quote supports it", "只有一处引用支持"},
	{"most of its quotes are from earlier commits", "多数引用来自更早的提交"},
	{"something speaks against it", "存在反对的证据"},
	{"no quote is from the first place", "没有引用来自第一个位置"},
	{"{} of {} claims were not there", "{1} 项内容中有 {0} 项不存在"},
	{"the answer itself says that something is missing", "回答本身指出尚缺证据"},
	{"{} quotes support it, none speaks against it, and the critic gives it {}", "{} 处引用支持，没有反对的证据，评审给出 {}"},
	{"the issue names its path", "issue 提到了它的路径"},
	{"the issue names the file", "issue 提到了该文件"},
	{"the issue names the module", "issue 提到了该模块"},
	{"the issue names its lines", "issue 提到了这些行"},
	{"it is in the traceback", "出现在调用栈中"},
	{"the traceback ends near it", "调用栈在其附近结束"},
	{"it holds a message that the issue quotes", "包含 issue 引用的消息"},
	{"it defines what the issue names", "定义了 issue 提到的名称"},
	{"it is called like a word of the issue", "名称与 issue 中的词相同"},
	{"its definitions are called as in the issue", "其中的定义与 issue 中的名称一致"},
	{"it uses names of the issue", "使用了 issue 中的名称"},
	{"its words are like the issue's", "用词与 issue 相近"},
	{"its path is like the issue's words", "路径与 issue 用词相近"},
	{"commits like this issue changed it", "与此 issue 相似的提交修改过它"},
	{"its commits speak of the same", "它的提交信息谈到相同内容"},
	{"its tests speak of the same", "它的测试涉及相同内容"},
	{"it is like the code that a model wrote to search with", "与模型为检索所写的代码相近"},
	{"it is near in meaning", "语义相近"},
	{"it is changed often, or near to what is above", "经常被修改，或与上述位置相关"},
	{"the first place is a file of configuration", "第一个位置是配置文件"},
	{"the traceback ends in {}, which the manifests ask for", "调用栈结束于清单所依赖的 {}"},
	{"{} images not read: {}", "{} 张图片未读取：{}"},
	{"1 image not read: {}", "1 张图片未读取：{}"},
	{"{} tries to steer the analysis, which was not followed: {}", "{} 试图左右分析，未予理会：{}"},
})

type compiled struct {
	re      *regexp.Regexp
	chinese string
	lists   []bool // which of the groups are lists of phrases
}

var hole = regexp.MustCompile(`\\\{\\?\*?\\\}`)

func compile(all []phrase) (out []compiled) {
	for _, p := range all {
		var lists []bool
		pattern := hole.ReplaceAllStringFunc(regexp.QuoteMeta(p.english), func(h string) string {
			lists = append(lists, strings.Contains(h, "*"))
			return "(.+?)"
		})
		out = append(out, compiled{regexp.MustCompile("(?s)^" + pattern + "$"), p.chinese, lists})
	}
	return out
}

// inChinese gives a sentence of ours in Chinese, and any other as it is. Sentences with
// semicolons between are taken one by one.
func inChinese(s string) string {
	if out, ok := translated(s); ok {
		return out
	}
	parts := strings.Split(s, "; ")
	for i, p := range parts {
		var ours bool
		if parts[i], ours = translated(p); !ours {
			return s // it was not written here
		}
	}
	return strings.Join(parts, "；")
}

func translated(s string) (string, bool) {
	for _, p := range phrases {
		m := p.re.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		out := p.chinese
		for i, v := range m[1:] {
			if p.lists[i] {
				v = inChinese(strings.ReplaceAll(v, ", ", "; "))
			}
			holes := []string{"{}", "{" + string(rune('0'+i)) + "}"}
			if p.lists[i] {
				holes = []string{"{*}"}
			}
			for _, h := range holes {
				if strings.Contains(out, h) {
					out = strings.Replace(out, h, v, 1)
					break
				}
			}
		}
		return out, true
	}
	return s, false
}

// translate puts what the program itself says into the report's language.
func translate(a *report.Analysis) {
	if a.Lang != "zh" {
		return
	}
	one := func(s *string) { *s = inChinese(*s) }
	many := func(all []string) (out []string) {
		for _, s := range all {
			out = append(out, inChinese(s))
		}
		return out
	}
	for _, s := range []*string{&a.Subject.ChosenBy, &a.KindWhy, &a.SeverityWhy} {
		one(s)
	}
	if a.RootCause != nil {
		a.RootCause.Why = many(a.RootCause.Why)
	}
	if a.Fix != nil {
		one(&a.Fix.Why)
	}
	locations := append([]report.Location(nil), a.Locations...)
	for i := range locations {
		one(&locations[i].Why)
	}
	a.Locations, a.Warnings = locations, many(a.Warnings)
}
