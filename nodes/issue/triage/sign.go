package triage

import (
	"regexp"

	"github.com/repomind/repomind/internal/report"
)

// part is where a sign is looked for.
type part int

const (
	inTitle part = iota
	inHeads
	inProse
)

// sign is a wording that speaks for a kind.
type sign struct {
	in     part
	kind   report.Kind
	weight float64
	re     *regexp.Regexp
}

// signs are what the wording is weighed by. The words are those that people use in
// trackers; the weights say how rarely they mean something else. A Chinese character is no
// \w for \b, so these words stand outside of it.
var signs = []sign{
	// What the reporter put in front.
	{inTitle, report.Bug, 4, regexp.MustCompile(`(?i)^\W*bug\b|^\s*fix[:(]|\bbug:|^\W*(?:regression|crash|defect)\b\W*:`)},
	{inTitle, report.Feature, 5, regexp.MustCompile(`(?i)^\W*(?:features?|feat|rfe|enhancement|proposal|feature[ -]requests?|fr|rfc|suggestion|idea|wishlist)\b|^\W*(?:功能请求|新功能|特性|需求|建议|feature)`)},
	{inTitle, report.Question, 5, regexp.MustCompile(`(?i)^\W*(?:question|help)\b\W*[:\]】]|^\W*(?:\w+: )?how (?:do|does|can|to|should|would|could)\b|^\s*what (?:is|are|does|should)\b.*\?|^\s*where (?:is|are|can|do|should)\b.*\?|请问|如何|怎么|怎样|为什么|请教|求助`)},

	// How titles ask, wish and complain.
	{inTitle, report.Question, 2, regexp.MustCompile(`(?i)^\s*(?:why|when|which|is (?:it|there|this)|are there|can (?:i|we|you|someone|anyone)|could (?:someone|i|we)|should (?:i|we)|does|do i)\b.*[?？]\s*$|^\s*why (?:does|is|are|do|did)\b|吗[?？]?\s*$`)},
	{inTitle, report.Question, 1, regexp.MustCompile(`[?？]\s*$`)},
	{inTitle, report.Feature, 3, regexp.MustCompile(`(?i)^\W*(?:[\w./-]+\W{0,2}: *)?(?:please\s+)?(?:support|add|allow|provide|expose|implement|introduce|enable|make it possible|consider|include|let\b|option (?:to|for)|ability to|want(?:ed)? (?:to|a|an)|i need a way|extend|replace|use|configurable|customi[sz]able)\b|^\s*(?:希望|支持|增加|添加|新增|能否|可否|是否可以)`)},
	{inTitle, report.Feature, 2, regexp.MustCompile(`(?i)^\W*(?:[\w./-]+\W{0,2}: *)?(?:set|make|show|print|display|improve|optimi[sz]e|switch to|migrate to)\b`)},
	{inTitle, report.Feature, 2, regexp.MustCompile(`(?i)\b(?:support for|add support|feature request|would be (?:nice|great|useful)|should (?:support|allow|accept|provide)|needs? (?:an? )?(?:option|way)|configurable|(?:is )?it possible (?:to )?add)\b|\bsupport\s*$`)},
	{inTitle, report.Bug, 2, regexp.MustCompile(`(?i)\b(?:crash(?:es|ed|ing)?|fails?|failed|failure|failing|broken|breaks?|wrong(?:ly)?|incorrect(?:ly)?|panics?|segfaults?|hangs?|deadlocks?|leaks?|regression|traceback|does(?:n[’']?t| not)|do(?:n[’']?t| not)|can(?:[’']?t|not)|unable|unexpected(?:ly)?|ignored|ignores|no longer|not work(?:ing)?|bug|raises|throws?|lost|duplicated?|inconsistent|infinite|corrupt\w*|false positive|mismatch|[a-z]+Error|[a-z]+Exception)\b|报错|崩溃|错误|失败|异常|无法|不能|失效|不生效|死锁|泄漏|卡死|丢失`)},
	{inTitle, report.Bug, 1, regexp.MustCompile(`(?i)\b(?:error|exception|invalid|missing|issue|problem|misleading|weird|strange)s?\b|问题`)},

	// What templates ask for. A heading that has no answer does not count.
	{inHeads, report.Bug, 2, regexp.MustCompile(`(?i)\b(?:steps to reproduce|to reproduce|how to reproduce|reproduc\w+|expected (?:behaviou?r|result|output)|actual (?:behaviou?r|result|output)|current behaviou?r|describe the bug|bug (?:report|description)|what (?:happened|happens|went wrong)|minimal.{0,30}example|expected vs\.? actual|what (?:did )?you expect(?:ed)?|what did you (?:see|do)|traceback|stack ?trace|error (?:message|log)s?|crash)\b|复现|重现|期望|预期|实际|错误日志`)},
	{inHeads, report.Feature, 4, regexp.MustCompile(`(?i)related to a problem|\b(?:describe the (?:solution|feature)|feature (?:request|description)|describe alternatives|alternatives (?:you|considered)|the solution you|proposed solution|proposal|motivation|use[ -]?cases?|problem (?:solved by|you.?d like to solve)|related problem|wanted change|what (?:would|do) you (?:like|want)|describe the enhancement)\b|功能描述|解决方案|使用场景|需求描述`)},
	{inHeads, report.Question, 4, regexp.MustCompile(`(?i)^\W*(?:(?:your |my |the )?questions?|what (?:are|were) you trying to (?:do|achieve|accomplish))\b`)},

	// How people write.
	{inProse, report.Feature, 2, regexp.MustCompile(`(?i)\b(?:it would be (?:\w+ )?(?:nice|great|good|useful|helpful|convenient|awesome|cool)|would be (?:nice|great|useful|helpful|convenient) (?:to|if)|feature request|i(?:[’']d| would) (?:like|love) to (?:be able|have|see|use|propose|suggest)|please (?:add|support|make|provide|implement|consider)|is there any (?:plan|chance)|(?:any|have) plans? (?:to|for)|there is (?:currently )?no (?:way|option|support)|(?:doesn[’']t|does not|don[’']t) (?:provide|have) an? (?:function|way|option)|can we (?:add|get|have)|we should (?:also )?(?:support|allow|add)|hope this feature|this could work nicely|should be able to specify)\b|希望(?:能|可以|支持|增加|添加|有)|建议(?:增加|添加|支持)|能否(?:支持|增加|添加)|(?:目前|现在|暂时)不支持`)},
	{inProse, report.Feature, 1, regexp.MustCompile(`(?i)\b(?:i (?:propose|suggest)|my (?:proposal|suggestion)|proposal:|it would be better|does not allow|maybe we (?:should|could)|as an enhancement|new feature|makes sense (?:to|as)|would (?:you )?consider)\b`)},
	{inProse, report.Bug, 2, regexp.MustCompile(`(?i)\b(?:instead of|i (?:get|got|see|saw|am getting|have|receive)(?: the| an?)?(?: following)? (?:error|exception|warning|message|crash)|raises|throws|crash(?:es|ed|ing)?|traceback|the (?:bug|problem|issue) (?:is|was|seems|occurs|happens)|expected (?:behaviou?r|result|output|to|that)|should (?:not|have)\b|used to work|no longer works?|stopped working|fails? (?:with|to|when|if)|is (?:wrong|broken|incorrect|ignored)|it is a bug|this is a bug|regression|unexpected(?:ly)?|panics?|hangs?|wrongly|incorrectly|does(?:n[’']t| not) work)\b|报错|崩溃|报了|抛出|应该是|而不是|复现|不生效`)},
	{inProse, report.Question, 2, regexp.MustCompile(`(?i)\b(?:how (?:do|can|should|would) i|is there (?:a|any) way (?:to|of)|what(?:[’']s| is) the (?:right|correct|best|recommended|proper) way|i have a question|my question|could (?:someone|anyone|you) (?:explain|tell|help)|can (?:someone|anyone) (?:explain|help|tell)|is (?:this|that|it) (?:a bug|expected|intended|by design|intentional|on purpose|a feature)|am i (?:missing|doing)|what am i doing wrong|can i (?:do|use)|where can i find|any help (?:is|would be))\b|请问|想了解|请教|是不是我`)},
	{inProse, report.Question, 1, regexp.MustCompile(`(?i)\b(?:how (?:do|can|should|would) (?:we|one|you)|i(?:[’']m| am) wondering|i wonder|i (?:don[’']t|do not) understand|(?:the|any) (?:reason|rationale) (?:why|for|behind)|why (?:is|does|do|are) (?:this|that|it|the)|misunderst\w+)\b|怎么|如何|为什么`)},
}

// answers are what maintainers say when they sort an issue.
var answers = []sign{
	{kind: report.Question, weight: 2, re: regexp.MustCompile(`(?i)\b(?:(?:this|that|it)(?:[’']s| is) (?:the )?(?:expected|intended|intentional|by design)|works? as (?:intended|designed|expected)|not a bug|as documented|please (?:use|ask (?:on|in)) (?:the )?(?:forum|discussions?|stack ?overflow|discord|mailing list))\b|预期行为|不是(?:bug|问题)`)},
	{kind: report.Feature, weight: 2, re: regexp.MustCompile(`(?i)\b(?:feature request|(?:this|that) (?:would be|is) (?:a|an) (?:new )?(?:feature|enhancement))\b`)},
	{kind: report.Bug, weight: 2, re: regexp.MustCompile(`(?i)\b(?:(?:this|that|it)(?:[’']s| is| looks like| seems (?:like|to be)) (?:definitely |indeed |clearly )?a (?:real )?bug|i can (?:reproduce|confirm)|confirmed|able to reproduce|good catch)\b|已确认|可以复现`)},
}
