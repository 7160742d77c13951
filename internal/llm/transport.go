package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// maxAnswer bounds what is read of one answer. The longest that models give, 128k
// tokens, takes about half a megabyte, and a few times that as events.
const maxAnswer = 8 << 20

// transport stands between langchaingo and the network. It alone knows the address
// and the key.
type transport struct {
	base    http.RoundTripper
	wire    dialect
	address string
	key     Key
}

// RoundTrip never hands up a status, a stream or foreign bytes: langchaingo gets a
// well-formed answer or an error, and the exchange gets the rest. A redirect is an
// error too, as the key is for one host.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	x, ok := r.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil, errors.New("a request that no exchange began")
	}
	body, err := t.exchange(r, x)
	if err != nil {
		x.err = err
		return nil, err
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/json"}},
		ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)), Request: r,
	}, nil
}

func (t *transport) exchange(r *http.Request, x *exchange) ([]byte, error) {
	out, err := t.request(r, x)
	if err != nil {
		return nil, err
	}
	x.sent = true
	resp, err := t.base.RoundTrip(out)
	if err != nil {
		return nil, &Error{Kind: ErrUnavailable, Message: excerpt([]byte(err.Error())), Err: cause(err)}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, refusal(resp)
	}
	if err := t.receive(resp.Body, x); err != nil {
		return nil, err
	}
	return t.wire.write(x.answer, r.URL.Path)
}

// cause keeps what callers compare with, and drops the rest: the text of an error of
// the network may hold a proxy's password.
func cause(err error) error {
	for _, known := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			return known
		}
	}
	return nil
}

// request is r with our address, key and additions to its body.
func (t *transport) request(r *http.Request, x *exchange) (*http.Request, error) {
	written, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	body, err := members(written)
	if err != nil {
		return nil, fmt.Errorf("read the request: %w", err)
	}
	if err := t.wire.patch(body, x); err != nil {
		return nil, fmt.Errorf("complete the request: %w", err)
	}
	text, err := x.release(body.text())
	if err != nil {
		return nil, fmt.Errorf("complete the request: %w", err)
	}
	u, err := url.Parse(t.address + t.wire.path(x.model, x.req.Stream != nil))
	if err != nil {
		return nil, fmt.Errorf("address of the call: %w", err)
	}
	out, err := http.NewRequestWithContext(r.Context(), http.MethodPost, u.String(), bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("make the request: %w", err)
	}
	out.Header.Set("Content-Type", "application/json")
	out.Header.Set("User-Agent", "repomind")
	if x.req.Key != "" {
		out.Header.Set("Idempotency-Key", x.idempotencyKey())
		// net/http takes the header as leave to send a request again by itself, which
		// few providers give, and which no budget would see.
		out.GetBody = nil
	}
	if !t.key.IsZero() {
		t.wire.authorize(out.Header, t.key.reveal())
	}
	return out, nil
}
