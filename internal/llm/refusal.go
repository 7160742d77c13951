package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// maxRefusal bounds what is read of an answer that is an error.
const maxRefusal = 64 << 10

// refusal is the error in an answer with another status than 200.
func refusal(resp *http.Response) error {
	data, _ := io.ReadAll(io.LimitReader(resp.Body, maxRefusal)) // a broken body leaves the status, which is enough
	e := &Error{Status: resp.StatusCode, Message: excerpt([]byte(refusalText(data)))}
	e.Kind = kindOf(resp.StatusCode, string(data))
	if e.Kind == ErrRateLimited || e.Kind == ErrUnavailable {
		e.RetryAfter = waitAsked(resp.Header, data)
	}
	return e
}

// refusalText is the message in the shapes that providers use, else the body itself.
func refusalText(data []byte) string {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && len(list) > 0 {
		data = list[0] // Gemini wraps the error of a stream in a list
	}
	var body struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
	}
	if json.Unmarshal(data, &body) != nil {
		return string(data)
	}
	for _, raw := range []json.RawMessage{body.Error, body.Detail} {
		var inner struct{ Message string }
		var plain string
		switch {
		case json.Unmarshal(raw, &inner) == nil && inner.Message != "":
			return inner.Message
		case json.Unmarshal(raw, &plain) == nil && plain != "":
			return plain
		}
	}
	if body.Message != "" {
		return body.Message
	}
	return string(data)
}

var (
	windowWords = regexp.MustCompile(`(?i)context_length_exceeded|context length|context window|context size|prompt is too long|maximum number of tokens|too many tokens|input is too long|token count .{0,40}exceeds`)
	quotaWords  = regexp.MustCompile(`(?i)insufficient_quota|insufficient balance|credit balance is too low|exceeded your current quota`)
	// unableWords are about what the server or the model will never do.
	unableWords = regexp.MustCompile(`(?i)\b(?:not|isn't|aren't) (?:yet )?supported\b|\b(?:not|doesn't|don't|cannot) support\b|\bunsupported\b`)
	keyWords    = regexp.MustCompile(`(?i)API_KEY_INVALID|api key not valid|invalid api key|incorrect api key`)
)

// kindOf tells the kind by the status, and by the provider's words where one status
// stands for several things.
func kindOf(status int, text string) error {
	switch {
	case status == http.StatusPaymentRequired, status < 500 && quotaWords.MatchString(text) && !strings.Contains(text, "retryDelay"):
		return ErrQuota
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status < 500 && keyWords.MatchString(text):
		return ErrAuth
	case status == http.StatusTooManyRequests:
		return ErrRateLimited
	case status == http.StatusRequestEntityTooLarge, status < 500 && windowWords.MatchString(text):
		return ErrContext
	case status >= 500 && unable(text):
		return ErrRequest
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status >= 500:
		return ErrUnavailable
	}
	return ErrRequest
}

// unable says whether a server calls that its own fault which no other try can mend, as
// llama.cpp does with an image for a model that reads none. A page is not of the server
// but of a proxy before it, and may say as much of a browser.
func unable(text string) bool {
	message := strings.TrimSpace(refusalText([]byte(text)))
	return !strings.HasPrefix(message, "<") && unableWords.MatchString(message)
}

var retryDelay = regexp.MustCompile(`"retryDelay"\s*:\s*"(\d{1,6}(?:\.\d{1,9})?)s"`)

// waitAsked reads Retry-After in its three forms, and Gemini's detail in the body.
// A date counts from the answer's own.
func waitAsked(h http.Header, data []byte) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return duration(ms / 1000)
	}
	after := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(after, 64); err == nil {
		return duration(s)
	}
	if at, err := http.ParseTime(after); err == nil {
		if now, err := http.ParseTime(h.Get("Date")); err == nil {
			return min(max(at.Sub(now), 0), longWait*time.Second)
		}
	}
	if m := retryDelay.FindSubmatch(data); m != nil {
		s, _ := strconv.ParseFloat(string(bytes.TrimSpace(m[1])), 64)
		return duration(s)
	}
	return 0
}

// longWait stands for all that is longer than anybody waits.
const longWait = 1e7

// duration takes no nonsense: negative or not a number is no wait. One without end is
// a long one, so that the call is given up and not made again at once.
func duration(seconds float64) time.Duration {
	if !(seconds > 0) {
		return 0
	}
	return time.Duration(min(seconds, longWait) * float64(time.Second))
}

// reported is an error that a provider sends inside an answer with status 200, as
// the last event of a stream or in place of an answer.
type reported struct {
	Message string          `json:"message"`
	Type    string          `json:"type"`
	Code    json.RawMessage `json:"code"`
}

func (r *reported) UnmarshalJSON(data []byte) error {
	type plain reported
	if json.Unmarshal(data, (*plain)(r)) != nil {
		*r = reported{Message: strings.Trim(string(data), `"`)} // some servers send a bare text
	}
	return nil
}

// says whether it is an error: null, false and an empty one are none beside an
// answer. alone is for an answer that holds nothing else.
func (r *reported) says(alone bool) bool {
	return r != nil && (alone || r.Message != "" && r.Message != "false" || r.Type != "" || len(r.Code) > 0)
}

func (r *reported) err(data []byte) error {
	status, _ := strconv.Atoi(strings.Trim(string(r.Code), `"`))
	if status == 0 && (quotaWords.Match(data) || windowWords.Match(data) || keyWords.Match(data)) {
		status = http.StatusBadRequest
	}
	kind := kindOf(cmp.Or(status, http.StatusBadGateway), string(data))
	switch r.Type {
	case "invalid_request_error":
		kind = kindOf(http.StatusBadRequest, string(data))
	case "authentication_error", "permission_error":
		kind = ErrAuth
	case "rate_limit_error":
		kind = ErrRateLimited
	}
	return &Error{Kind: kind, Message: excerpt([]byte(r.Message))}
}
