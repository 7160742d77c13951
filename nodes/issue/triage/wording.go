package triage

import "regexp"

// wording is a way to say that something once worked. The group good is the version that
// did, bad that which does not; of are words that must not name another thing, gap are
// words that must not deny it, and not makes it mean something else.
type wording struct {
	re     *regexp.Regexp
	unless *regexp.Regexp // what stands before it in the sentence makes it mean something else
}

const (
	some = `(?P<of>(?:[^\s.,;:!?]+[ \t]+){0,3}?)[\x60*"'=>~^ \t]{0,3}` // up to three words
	good = `(?P<good>v?` + number + `)`
	bad  = `(?P<bad>v?` + number + `)`
)

var (
	denied = regexp.MustCompile(`(?i)\b(?:no longer|not|never|only|n[’']t|but|fails?|broken?|broke|unless|if)\b|n[’']t\b`)
	// added marks what a version brought, which is no fault.
	added = regexp.MustCompile(`(?i)\b(?:available|added|supported|deprecated|exists?|existed|present|documented|new|feature|possible|removed|required|included|shipped|have had|been there|default)\b[^.\n]*$`)
)

// wordings are tried in this order; the first of each that holds gives what the ones
// before it did not.
var wordings = []wording{
	{re: regexp.MustCompile(`(?i)\b(?:works|worked|used to work|was working|was (?:fine|ok|correct)|(?:did|does)(?: not|n[’']t) (?:happen|occur|reproduce|fail|crash)|no (?:such )?(?:problem|issue|error)s?)\b(?P<gap>[^.\n]{0,40}?)\b(?:in|with|on|under|until|up to|through)\s+` + some + good), unless: denied},
	{re: regexp.MustCompile(`(?i)` + good + `\s+(?:(?:and|or) (?:earlier|before|below|older)[^.\n]{0,20}\b(?:fine|ok|unaffected|work\w*)|(?:was |is |works |worked |looks |look )(?:fine|ok\b|good|well|correct\w*|perfectly|unaffected|not affected|as expected))`)},
	{re: regexp.MustCompile(`(?i)\b(?:upgrad|updat|mov|switch|migrat|go)(?:e|es|ed|ing|d)?\s` + some + `\bfrom\s+` + some + good + `[\x60*]*[^.\n]{0,20}?(?:\bto|->|→)\s+` + some + bad)},
	{re: regexp.MustCompile(`(?i)\b(?:upgrad|updat)(?:e|es|ed|ing)\s` + some + good + `\s*(?:to|->|→|=>)\s*` + bad)},
	{re: regexp.MustCompile(`(?i)\b(?:since|starting(?: with| from| in)?|beginning with|ever since|since (?:i|we) (?:just |recently )?(?:upgrad|updat)\w+(?: \w+)? to|after (?:the |an )?(?:upgrad\w+|updat\w+)(?: \w+)? to|after (?:version|release))\s+` + some + bad), unless: added},
	{re: regexp.MustCompile(`(?i)\b(?:worked|used to \w+|was (?:fine|ok))\b[^.\n]{0,40}?\b(?:before|prior to)\s+` + some + bad), unless: denied},
	{re: regexp.MustCompile(`(?i)\bbut (?:it |is |it[’']s )?(?:now )?(?:fails?|failing|breaks|broken|crash(?:es)?|no longer|not|does(?:n[’']t| not))(?: works?)?\s+(?:in|with|on|since|after)\s+` + some + bad)},
	{re: regexp.MustCompile(`(?i)\b(?:broke|broken|regressed|regressions?|stopped working|behaviou?r (?:has )?changed)\b[^.\n]{0,30}?\b(?:in|with|since|by|after|from)\s+` + some + bad)},
	{re: regexp.MustCompile(`(?i)\b(?:bug|issue|problem|error|failure|behaviou?r)\b[^.\n]{0,40}\bintroduced (?:in|by|with|since)\s+` + some + bad)},
	{re: regexp.MustCompile(`(?i)\b(?:fails|failing|crash(?:es|ing)|happens|errors)\b[^.\n]{0,20}?\b(?:since|after upgrading to)\s+` + some + bad)},
	{re: regexp.MustCompile(`(?i)` + bad + `\s+(?:no longer|breaks\b|broke\b|introduce[sd] a (?:bug|regression))`)},
	{re: regexp.MustCompile(`(?i)(?P<not>\b(?:is|are|was|were|be|been|being|get|gets|commonly|often|usually|mainly|typically|types|only)\s+)?\bused to (?:work|be (?:fine|ok|possible|able)|return|give|accept|pass|succeed|compile|build)\b`)},
	{re: regexp.MustCompile(`(?i)\b(?:(?:this |it |that |which |everything )(?:has )?worked (?:fine |well |perfectly |correctly )?(?:before|previously|until|in (?:the |an? )?(?:previous|earlier|older|last|prior))|worked in [^.\n]{1,30} but (?:is |it[’']?s )?(?:now|no longer)|previously,? (?:it |this |that )?(?:worked|was working)|no longer (?:works?|working|possible|accepts?|compiles?|builds?|passes|respects?|honou?rs?|has (?:any )?[ae]ffect)|stopped working|(?:is|as|a) (?:possible |clear )?regression|regression (?:in|from|since|introduced)|this regressed|works? in (?:earlier|older|previous) versions?|(?:earlier|previous|older) versions?(?: of \S+)?(?: like \S+)? (?:accepted|work\w*|did not|didn[’']t|were fine|are fine|looks? (?:ok|fine)))\b`)},
	{re: regexp.MustCompile(`从\s*` + good + `\s*(?:版本)?\s*(?:升级|更新|升)(?:到|至|为|成)?\s*` + bad)},
	{re: regexp.MustCompile(`(?:升级|更新)(?:到|至|为|成)?\s*` + some + bad + `\s*(?:版本)?\s*(?:后|之后|以后)`)},
	{re: regexp.MustCompile(good + `\s*(?:版本)?\s*(?:是|都|一切)?(?:正常|可以|没问题|没有问题)`)},
	{re: regexp.MustCompile(`升级(?:[^\n。，,]{0,12})(?:后|之后|以后)|(?:更新|升)(?:了)?版本(?:后|之后|以后)|(?:之前|以前|原来)(?:的版本|版本)?(?:是|都|一直)?(?:可以|正常|没问题|没有问题)|(?:旧|老|低)版本(?:是|都)?(?:正常|可以|没问题|没有问题)`)},
}

var (
	// statistics is what is called a regression there, and tests are no fault either.
	statistics = regexp.MustCompile(`(?i)\b(?:linear|logistic|ridge|lasso|poisson|quantile|robust|polynomial|multiple|multivariate|nonlinear|kernel|gaussian|isotonic|ols|pls|svm|tree|symbolic|ordinal)[ -]regressions?|\bregression[ -](?:tests?|testing|suites?|models?|lines?|plots?|coefficients?|analysis|estimat\w+|problems?|tasks?|data|fits?|params?|parameters|methods?|functions?|curves?|trees?|targets?|metrics?)\b|(?:逻辑|线性|岭)回归|回归(?:测试|模型|分析|任务|树|系数|问题集)`)
	titled     = regexp.MustCompile(`(?i)\bregress(?:ions?|ed)\b|\bno longer (?:works?|working|\w+s)\b|\b(?:is|are) no longer\b|\bin v?\d+\.\d+(?:\.\d+)?\+|\bsince v?\d+\.\d+|回归`)
	// outdated are things that are gone on purpose.
	outdated = regexp.MustCompile(`(?i)\bno longer (?:needed|necessary|used|maintained|supported|required|relevant|exists?)\b`)
)
