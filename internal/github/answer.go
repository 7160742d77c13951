package github

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// answer is a whole response.
type answer struct {
	status int
	header http.Header
	body   []byte
	cached bool
}

// response is what go-github gets to see.
func (a answer) response(req *http.Request) *http.Response {
	h := http.Header{"Content-Type": {"application/json"}}
	if link := a.header.Get("Link"); link != "" {
		h.Set("Link", link)
	}
	if a.cached {
		h.Set(fromCache, "1")
	}
	return &http.Response{
		Status: http.StatusText(a.status), StatusCode: a.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, Body: io.NopCloser(bytes.NewReader(a.body)), ContentLength: int64(len(a.body)), Request: req,
	}
}

// message is what GitHub says about a failure.
func (a answer) message() (text, documentation string) {
	var m struct {
		Message string `json:"message"`
		Docs    string `json:"documentation_url"`
	}
	if json.Unmarshal(a.body, &m) != nil { // of a proxy, say
		return strings.TrimSpace(http.StatusText(a.status)), ""
	}
	return m.Message, m.Docs
}
