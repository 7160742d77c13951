package llm

import (
	"errors"
	"fmt"
	"regexp"
)

// idempotencyKey is that of the request. Another form of it has another body, and a
// key stands for one.
func (x *exchange) idempotencyKey() string {
	if x.tries == 0 {
		return x.req.Key
	}
	return fmt.Sprintf("%s/form-%d", x.req.Key, x.tries+1)
}

var (
	formWords  = regexp.MustCompile(`(?i)response_?format|json_?schema|output_config|output_format|tool_choice|tool choice|forced tool`)
	quietWords = regexp.MustCompile(`(?i)tool[_ ]?choice|tool[_ ]?config|function[_ ]?calling`)
	coldWords  = regexp.MustCompile(`(?i)temperature.*(?:support|deprecated|only|allowed|cannot|removed)|(?:support|deprecated|only|allowed|cannot|removed).*temperature`)
)

// concede gives up what the server or the model turned down, and says whether there
// was such a thing: old servers know no schemas and no order to call no tool, new models
// take no temperature or no tool that must be called.
func (x *exchange) concede(err error) bool {
	e, ok := errors.AsType[*Error](err)
	switch {
	case !ok || e.Kind != ErrRequest:
		return false
	case !x.cold && coldWords.MatchString(e.Message):
		x.cold = true
	case x.quiet() && quietWords.MatchString(e.Message):
		x.bare = true
	case (x.form == bySchema || x.form == byTool) && formWords.MatchString(e.Message):
		x.form = byText
	default:
		return false
	}
	x.tries++
	return true
}
