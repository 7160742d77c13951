package weights

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// client follows redirects to the same scheme only, so that a mirror over TLS
// cannot hand over to one without.
func (p Puller) client() *http.Client {
	transport := p.Transport
	if transport == nil {
		transport = &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
			TLSHandshakeTimeout:   15 * time.Second,
			ResponseHeaderTimeout: time.Minute,
			DisableKeepAlives:     true, // one transport a file: nothing may stay open
		}
	}
	return &http.Client{Transport: transport, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if from, to := via[0].URL.Scheme, req.URL.Scheme; from != to {
			return fmt.Errorf("%w: from %s to %s://%s", ErrRedirect, from, to, req.URL.Host)
		}
		if len(via) > 10 {
			return fmt.Errorf("%w: more than 10 redirects", ErrStatus)
		}
		return nil
	}}
}

// download asks for what the part lacks.
func (p Puller) download(ctx context.Context, url string, f File, to *part) error {
	live, stop := context.WithCancel(ctx)
	defer stop()
	patience := p.stall()
	timer := time.AfterFunc(patience, stop)
	defer timer.Stop()
	resp, err := p.send(live, url, f, to)
	if err != nil {
		if errors.Is(err, ErrRedirect) || errors.Is(err, ErrStatus) || ctx.Err() != nil {
			return err
		}
		return fmt.Errorf("%w: %w", ErrCut, err)
	}
	defer resp.Body.Close()
	total, err := begin(resp, to)
	if err != nil {
		return err
	}
	if total < 0 {
		total = f.Size
	}
	if err := p.fits(f, total); err != nil {
		return err
	}
	body := &watched{r: resp.Body, timer: timer, patience: patience}
	return to.fill(ctx, body, total, p.limit(), f.Name, p.Progress)
}

// send asks for the rest of a part, and for all of the file if the server says that
// there is no such rest.
func (p Puller) send(ctx context.Context, url string, f File, to *part) (*http.Response, error) {
	req, err := p.request(ctx, url, f, to)
	if err != nil {
		return nil, err
	}
	resp, err := p.client().Do(req)
	if err != nil || resp.StatusCode != http.StatusRequestedRangeNotSatisfiable || to.size == 0 {
		return resp, err
	}
	resp.Body.Close()
	if err := to.reset(); err != nil {
		return nil, err
	}
	return p.send(ctx, url, f, to)
}

// watched puts the end off with every read.
type watched struct {
	r        io.Reader
	timer    *time.Timer
	patience time.Duration
}

func (w *watched) Read(b []byte) (int, error) {
	w.timer.Reset(w.patience)
	return w.r.Read(b)
}

func (p Puller) stall() time.Duration {
	if p.Stall > 0 {
		return p.Stall
	}
	return time.Minute
}

// request asks for the rest of a part only where it can be told that the rest
// belongs to it: by the server's tag now, or by a digest in the end.
func (p Puller) request(ctx context.Context, url string, f File, to *part) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", "identity")
	if to.tag == "" && f.SHA256 == "" {
		return req, to.reset()
	}
	if to.size > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", to.size))
		if to.tag != "" {
			req.Header.Set("If-Range", to.tag)
		}
	}
	return req, nil
}

// begin reads the head of an answer: how long the whole file is, −1 if that is not
// said, and whether the part can be kept.
func begin(resp *http.Response, to *part) (total int64, err error) {
	switch resp.StatusCode {
	case http.StatusOK:
		if err := to.reset(); err != nil {
			return 0, err
		}
		return resp.ContentLength, to.setTag(resp.Header.Get("ETag"))
	case http.StatusPartialContent:
		var from, last int64
		if _, err := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &last, &total); err != nil || from != to.size || last+1 != total {
			return 0, fmt.Errorf("%w: asked for the bytes from %d on, got %.60q", ErrStatus, to.size, resp.Header.Get("Content-Range"))
		}
		return total, nil
	}
	return 0, fmt.Errorf("%w: %s", ErrStatus, resp.Status)
}
