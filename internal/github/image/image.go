// Package image reads the images that an issue shows.
//
// Their addresses come from strangers, so a [Fetcher] talks to nothing but public
// servers on the https port, and what it gives is never what it got: an image is
// decoded and encoded anew, so that nothing rides along in it.
package image

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"time"
)

// The errors that a caller may want to act on; compare with errors.Is.
var (
	// ErrRefused means that the address or a redirect leads where no image is read.
	ErrRefused = errors.New("the address is refused")
	// ErrTooLarge means that an image has too many bytes or pixels.
	ErrTooLarge = errors.New("the image is too large")
	// ErrFormat means that it is not a whole PNG, JPEG, GIF or WebP.
	ErrFormat = errors.New("not an image of a known format")
)

// Image is an image encoded by this package.
type Image struct {
	URL    string `json:"url"`
	MIME   string `json:"mime"` // image/png or image/jpeg
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Data   []byte `json:"data"`
}

// Fetcher reads images. Its zero value works. It sends no cookie, token, or
// referrer, and takes no proxy from the environment.
type Fetcher struct {
	// MaxBytes bounds what is read and what is given. Zero means 5 MiB.
	MaxBytes int64
	// MaxPixels is looked at before an image is decoded. Zero means 40 million.
	MaxPixels int64
	// Timeout bounds one image with its redirects. Zero means 30 seconds.
	Timeout time.Duration

	// decoding lets one image be decoded at a time: one may take 8 bytes a pixel.
	decoding sync.Mutex

	// The tests of this package run servers on this machine. Nothing else can set
	// these: allow opens an address that is closed to all, and the others make the
	// server's name and certificate known.
	allow    func(netip.AddrPort) bool
	roots    *x509.CertPool
	resolver *net.Resolver
}

const maxRedirects = 3

// Fetch reads one image. Of an animation it gives the first frame. Its errors name
// the host alone, since the rest of an address may be signed.
func (f *Fetcher) Fetch(ctx context.Context, address string) (Image, error) {
	u, err := url.Parse(address)
	if err != nil {
		return Image{}, fmt.Errorf("read an image: %w: it cannot be parsed", ErrRefused)
	}
	img, err := f.fetch(ctx, u)
	if err != nil {
		return Image{}, fmt.Errorf("read an image of %q: %w", u.Hostname(), err)
	}
	img.URL = address
	return img, nil
}

func (f *Fetcher) fetch(ctx context.Context, u *url.URL) (Image, error) {
	ctx, cancel := context.WithTimeout(ctx, orElse(f.Timeout, 30*time.Second))
	defer cancel()
	t := f.transport()
	defer t.CloseIdleConnections()
	data, err := f.read(ctx, t, u)
	if err != nil {
		return Image{}, err
	}
	f.decoding.Lock()
	defer f.decoding.Unlock()
	return recode(data, orElse(f.MaxPixels, 40_000_000), orElse(f.MaxBytes, 5<<20))
}

// read follows redirects by itself: each is a request of its own, which knows
// nothing of the one before.
func (f *Fetcher) read(ctx context.Context, t *http.Transport, u *url.URL) ([]byte, error) {
	for range maxRedirects + 1 {
		if err := allowed(u); err != nil {
			return nil, err
		}
		resp, err := get(ctx, t, u)
		if err != nil {
			return nil, err
		}
		next := resp.Header.Get("Location")
		if resp.StatusCode < 300 || resp.StatusCode >= 400 || next == "" {
			return f.body(resp)
		}
		resp.Body.Close()
		if u, err = u.Parse(next); err != nil {
			return nil, fmt.Errorf("%w: a redirect cannot be parsed", ErrRefused)
		}
	}
	return nil, fmt.Errorf("%w: more than %d redirects", ErrRefused, maxRedirects)
}

func get(ctx context.Context, t *http.Transport, u *url.URL) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("%w: it makes no request", ErrRefused)
	}
	req.Header.Set("User-Agent", "repomind")
	req.Header.Set("Accept", "image/png, image/jpeg, image/gif, image/webp")
	return t.RoundTrip(req)
}

func (f *Fetcher) body(resp *http.Response) ([]byte, error) {
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("HTTP status %d", resp.StatusCode)
	}
	limit := orElse(f.MaxBytes, 5<<20)
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
	}
	return data, err
}

func (f *Fetcher) transport() *http.Transport {
	d := &net.Dialer{Timeout: 10 * time.Second, Resolver: f.resolver, ControlContext: f.control}
	return &http.Transport{
		Proxy:                  nil,
		DialContext:            d.DialContext,
		TLSClientConfig:        &tls.Config{RootCAs: f.roots, MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true, // the formats are compressed already, and a bomb is not
		DisableKeepAlives:      true,
	}
}

func orElse[T int64 | time.Duration](v, zero T) T {
	if v == 0 {
		return zero
	}
	return v
}
