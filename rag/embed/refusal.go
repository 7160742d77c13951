package embed

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// APIError is an answer of an endpoint that is not 200.
type APIError struct {
	URL     string // without query and user
	Status  int
	Message string // what the server said, cut, without the key
	Wait    time.Duration
}

func (e *APIError) Error() string {
	return fmt.Sprintf("%s answered %d %s: %s", e.URL, e.Status, http.StatusText(e.Status), e.Message)
}

// Hint says what a person can do about it; "" if there is nothing to say.
func (e *APIError) Hint() string {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "check the key of the embedding endpoint"
	case http.StatusNotFound:
		return "check the endpoint's URL and the model's name; for Ollama, run: ollama pull MODEL"
	case http.StatusTooManyRequests:
		return "the endpoint limits how much you may ask; try again later"
	}
	return ""
}

func (e *APIError) passes() bool {
	return e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooManyRequests || e.Status >= 500
}

func (r Remote) refusal(resp *http.Response, data []byte) error {
	e := &APIError{URL: plain(resp.Request.URL), Status: resp.StatusCode, Message: r.message(data)}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s > 0 {
		e.Wait = time.Duration(min(s, 3600)) * time.Second
	}
	return e
}

// message finds the sentence in an answer: {"error": {"message": …}} or
// {"error": …}, else all of it.
func (r Remote) message(data []byte) string {
	var nested struct{ Error struct{ Message string } }
	var flat struct{ Error string }
	text := string(data)
	if json.Unmarshal(data, &nested) == nil && nested.Error.Message != "" {
		text = nested.Error.Message
	} else if json.Unmarshal(data, &flat) == nil && flat.Error != "" {
		text = flat.Error
	}
	if r.Key != "" {
		text = strings.ReplaceAll(text, string(r.Key), hidden)
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " ")
	if cut := []rune(text); len(cut) > 300 {
		text = string(cut[:300]) + "…"
	}
	return text
}
