package report

// words are the program's own sentences in one language.
type words struct {
	Confidence, At, Severity                                                      string
	NoModel, Rejected, RejectedBy, Approved                                       string
	Where, WholeFile, Why, Evidence, Hypotheses, Regression, Fix, Linked, Missing string
	Critic, Lessons, Checked, AllThere, Warnings, Usage, Design, Feature, Details string
	Chosen, RuledOut, Open, For, Against                                          string
	Since, Suspects, Good, Bad, InHead, NotInHead, HeadUnknown                    string
	Exists, Feasibility, Intrusiveness, Breaking, Plan                            string
	IsBug, None, Files, More, Removed, LessonNote, Calls, ByNode                  string
	Class                                                                         map[string]string
}

var english = words{
	Confidence: "confidence %.2f", At: "%s at %s: %s", Severity: "%s %s (%s)",
	NoModel:  "No model has read the code. The places are ranked by what the issue says and names, and by history.",
	Rejected: "The analysis was not allowed.", RejectedBy: "%s decided so on %s", Approved: "%s allowed the analysis on %s",
	Where: "Where", WholeFile: "whole file", Why: "Why this class", Evidence: "Evidence", Hypotheses: "Hypotheses", Regression: "Regression",
	Fix: "Fix", Linked: "Changes tied to the issue", Missing: "What is missing", Critic: "What the critic has against it",
	Lessons: "Earlier runs on this repository", Checked: "%d claims were looked up at the commit, and %d were not there.", AllThere: "All %d claims were found at the commit.", Warnings: "Notes",
	Usage: "How to use it", Design: "Why it is so", Feature: "The request", Details: "Details",
	Chosen: "chosen", RuledOut: "ruled out", Open: "open", For: "for %s", Against: "against %s",
	Since: "since %s", Suspects: "Commits that changed these places", Good: "worked in %s", Bad: "does not in %s",
	InHead: "the newest commit has it", NotInHead: "the newest commit does not have it", HeadUnknown: "it is not known whether the newest commit has it",
	Exists: "exists already: %s", Feasibility: "feasibility: %s", Intrusiveness: "intrusiveness: %s", Breaking: "Could break", Plan: "Plan",
	IsBug: "The code does not do what its documentation says: it is a bug.", None: "none", Files: "files: %s", More: "… %d more lines",
	Removed: "removed: %s", LessonNote: "%s, saved %s at %s, %s, recalled for %s", Calls: "%d calls, %d tokens in, %d out, %s", ByNode: "node",
	Class: map[string]string{},
}

var chinese = words{
	Confidence: "置信度 %.2f", At: "%s，提交 %s：%s", Severity: "%s，%s（%s）",
	NoModel:  "没有模型阅读过代码。位置按照 issue 的文字、其中提到的名称以及历史记录排序。",
	Rejected: "分析未获批准。", RejectedBy: "决定者：%s，时间：%s", Approved: "%s 于 %s 批准了分析",
	Where: "位置", WholeFile: "整个文件", Why: "分级依据", Evidence: "证据", Hypotheses: "假设", Regression: "回归",
	Fix: "修复建议", Linked: "与该 issue 关联的修改", Missing: "缺少的证据", Critic: "评审的异议",
	Lessons: "该仓库以往的分析", Checked: "在该提交上核对了 %d 项内容，其中 %d 项不存在。", AllThere: "全部 %d 项内容均已在该提交上核对。", Warnings: "说明",
	Usage: "使用方法", Design: "设计原因", Feature: "需求", Details: "详情",
	Chosen: "采纳", RuledOut: "排除", Open: "待定", For: "支持 %s", Against: "反对 %s",
	Since: "始于 %s", Suspects: "修改过这些位置的提交", Good: "%s 中正常", Bad: "%s 中不正常",
	InHead: "最新提交已包含", NotInHead: "最新提交未包含", HeadUnknown: "不清楚最新提交是否包含",
	Exists: "是否已存在：%s", Feasibility: "可行性：%s", Intrusiveness: "侵入性：%s", Breaking: "可能破坏", Plan: "方案",
	IsBug: "代码与其文档不符：这是一个 bug。", None: "无", Files: "文件：%s", More: "… 还有 %d 行",
	Removed: "已移除：%s", LessonNote: "%s，保存于 %s，提交 %s，%s，召回原因：%s", Calls: "%d 次调用，输入 %d，输出 %d，%s", ByNode: "节点",
	Class: map[string]string{"CONFIRMED": "CONFIRMED（已确认）", "LIKELY": "LIKELY（很可能）", "INCONCLUSIVE": "INCONCLUSIVE（无法确定）", "bug": "缺陷", "feature": "新功能", "question": "问题", "security": "安全", "critical": "致命", "high": "高", "medium": "中", "low": "低", "rejected": "未获批准", "answer": "回答"},
}

// say gives what a fixed value is called.
func (w words) say(value string) string {
	if s := w.Class[value]; s != "" {
		return s
	}
	return value
}

func wordsOf(lang string) words {
	if lang == "zh" {
		return chinese
	}
	return english
}
