package github

import (
	"cmp"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Config says how a [Client] works. Its zero value reads public repositories of
// github.com without a token and without a cache.
type Config struct {
	// Host is the one host that the client serves, as in Target.Repo. Empty means
	// github.com.
	Host string
	// Token goes to the API of Host. The zero Token means none.
	Token Token
	// API is the base of the REST API. Empty means what GitHub documents for Host.
	// It must be https, but for an address of this machine, which tests use.
	API string
	// Transport carries the requests. Nil means a transport without a proxy.
	Transport http.RoundTripper

	// CacheDir keeps answers for conditional requests. Empty means none are kept.
	CacheDir string
	// CacheBytes bounds that directory, CacheBody one answer in it. Zero means
	// 64 MiB and 4 MiB.
	CacheBytes, CacheBody int64

	// MaxWait bounds what one call waits for rate limits in all. Zero means five
	// minutes, less than zero not at all.
	MaxWait time.Duration
	// MaxBody bounds one answer, MaxBytes all answers of one call. Zero means
	// 32 MiB and 256 MiB.
	MaxBody, MaxBytes int64
	// MaxComments bounds each list of comments. Zero means 10,000.
	MaxComments int

	// Notify is told of each wait before it starts, and with wait 0 of a cache that
	// cannot be written, which stops nothing. It may be nil.
	Notify func(wait time.Duration, why string)
	// Now is the clock that resets are compared with. Nil means time.Now.
	Now func() time.Time
}

// New checks the configuration and opens the cache.
func New(cfg Config) (*Client, error) {
	cfg.Host = cmp.Or(canonical(cfg.Host), source.GitHub)
	if _, err := source.NewRepo(cfg.Host, "o", "r"); err != nil {
		return nil, fmt.Errorf("github client: Host: %w", err)
	}
	base, err := apiBase(cfg)
	if err != nil {
		return nil, fmt.Errorf("github client: API: %w", err)
	}
	cfg.MaxWait = cmp.Or(cfg.MaxWait, 5*time.Minute)
	cfg.MaxBody = cmp.Or(cfg.MaxBody, 32<<20)
	cfg.MaxBytes = cmp.Or(cfg.MaxBytes, 256<<20)
	cfg.MaxComments = cmp.Or(cfg.MaxComments, 10_000)
	if cfg.Transport == nil {
		cfg.Transport = &http.Transport{ForceAttemptHTTP2: true, IdleConnTimeout: time.Minute, TLSHandshakeTimeout: 10 * time.Second}
	}
	if cfg.Notify == nil {
		cfg.Notify = func(time.Duration, string) {}
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	c := &Client{cfg: cfg, base: base}
	if cfg.CacheDir != "" {
		c.cache, err = openCache(cfg)
	}
	return c, err
}

func apiBase(cfg Config) (*url.URL, error) {
	switch {
	case cfg.API != "":
		return checkedAPI(cfg.API)
	case Known(cfg.Host, ""):
		return url.Parse("https://api." + cfg.Host + "/")
	default:
		return url.Parse("https://" + cfg.Host + "/api/v3/")
	}
}

func checkedAPI(api string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSuffix(api, "/") + "/")
	switch {
	case err != nil, u.Host == "", u.User != nil:
		return nil, fmt.Errorf("%s is not the base of an API", shown(api))
	case u.Scheme == "https", u.Scheme == "http" && loopback(u.Hostname()):
		return u, nil
	}
	return nil, fmt.Errorf("%s is not https; a token would cross the network in the clear", shown(api))
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
