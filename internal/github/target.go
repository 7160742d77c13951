package github

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// Kind says what a number in a repository stands for.
type Kind string

// The kinds. A Target written owner/repo#12 is of KindUnknown until
// [Client.Resolve] has asked.
const (
	KindUnknown Kind = ""
	KindIssue   Kind = "issue"
	KindPull    Kind = "pull"
)

// Target names an issue or a pull request. The zero Target stands for none, as in
// what was read from a file.
type Target struct {
	Repo   source.Repo `json:"repo"`
	Number int         `json:"number"`
	Kind   Kind        `json:"kind,omitempty"`
}

const accepted = "accepted are https://HOST/OWNER/REPO/issues/N, https://HOST/OWNER/REPO/pull/N, OWNER/REPO#N, and the REST API's addresses of these"

var (
	shortForm = regexp.MustCompile(`^(?:([^/#\s]+)/)?([^/#\s]+)/([^/#\s]+)#([0-9]+)$`)
	webPath   = regexp.MustCompile(`^/([^/]+)/([^/]+)/(?:(issues)/([0-9]+)|(pull)/([0-9]+)(?:/(?:files|commits|checks|changes|conflicts)(?:/[^/]+)*)?)/?$`)
	restPath  = regexp.MustCompile(`^(/api/v3)?/repos/([^/]+)/([^/]+)/(issues|pulls)/([0-9]+)/?$`)
)

// ParseTarget takes the address of an issue or a pull request as a browser or the
// REST API shows it, with or without scheme, sub-page, query and fragment, or the
// form owner/repo#12, with the host in front or else meant for the configured host
// ("" is github.com).
//
// Any other host is taken for an enterprise server if it is a name with a dot and
// the path has the exact shape; an address in numbers or a bare word is not. That
// says nothing about trust: [Known] tells whether the host is one that the user
// has set up, and [FindToken] gives a token for no other.
func ParseTarget(s, host string) (Target, error) {
	s = strings.TrimSpace(s)
	host = cmp.Or(canonical(host), source.GitHub)
	var t Target
	err := errors.New("it is too long")
	if len(s) <= 2048 {
		t, err = parse(s, host)
	}
	if err != nil {
		return Target{}, fmt.Errorf("%s is not an issue or a pull request: %w; %s", shown(s), err, accepted)
	}
	return t, nil
}

func parse(s, configured string) (Target, error) {
	if m := shortForm.FindStringSubmatch(s); m != nil {
		return newTarget(cmp.Or(canonical(m[1]), configured), configured, m[2], m[3], m[4], KindUnknown)
	}
	host, path, err := splitAddress(s)
	if err != nil {
		return Target{}, err
	}
	if m := restPath.FindStringSubmatch(path); m != nil {
		if host, err = webHost(host, m[1] != ""); err != nil {
			return Target{}, err
		}
		return newTarget(host, configured, m[2], m[3], m[5], kindOf(m[4]))
	}
	m := webPath.FindStringSubmatch(path)
	if m == nil {
		return Target{}, errors.New("the path has another shape")
	}
	return newTarget(host, configured, m[1], m[2], m[4]+m[6], kindOf(m[3]+m[5]))
}

func kindOf(word string) Kind {
	if word == "issues" {
		return KindIssue
	}
	return KindPull
}

func splitAddress(s string) (host, path string, err error) {
	if !strings.Contains(s, "://") {
		s = "https://" + s
	}
	u, err := url.Parse(s)
	switch {
	case err != nil: // its text repeats the address, which may hold a password
		return "", "", errors.New("it is not an address")
	case u.Scheme != "https" && u.Scheme != "http":
		return "", "", fmt.Errorf("the scheme is %q", u.Scheme)
	case u.User != nil:
		return "", "", errors.New("it holds a user name or a password: leave them out")
	}
	host = u.Host
	if u.Scheme == "http" {
		host = strings.TrimSuffix(host, ":80")
	}
	return canonical(host), u.EscapedPath(), nil
}

func newTarget(host, configured, owner, name, number string, kind Kind) (Target, error) {
	if why := strange(host, configured); why != "" {
		return Target{}, errors.New(why)
	}
	r, err := source.NewRepo(host, owner, name)
	if err != nil {
		return Target{}, err
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > math.MaxInt32 || number[0] == '0' {
		return Target{}, fmt.Errorf("the number is not one from 1 to %d", math.MaxInt32)
	}
	return Target{Repo: r, Number: n, Kind: kind}, nil
}

// String is the address without the scheme, or host/owner/repo#12 where the kind is
// unknown; [ParseTarget] takes it back.
func (t Target) String() string {
	switch at := t.Repo.HostName() + "/" + t.Repo.Owner + "/" + t.Repo.Name; {
	case t.Number == 0:
		return ""
	case t.Kind == KindIssue:
		return fmt.Sprintf("%s/issues/%d", at, t.Number)
	case t.Kind == KindPull:
		return fmt.Sprintf("%s/pull/%d", at, t.Number)
	default:
		return fmt.Sprintf("%s#%d", at, t.Number)
	}
}

// URL is the address in a browser. Where the kind is unknown it is that of an issue,
// from which GitHub leads on to the pull request.
func (t Target) URL() string {
	if t.Number == 0 {
		return ""
	}
	if t.Kind == KindUnknown {
		t.Kind = KindIssue
	}
	return "https://" + t.String()
}

var userinfo = regexp.MustCompile(`[^/\s]*@`)

// shown is the start of what was given without what may be a secret: user names,
// passwords and queries.
func shown(s string) string {
	s, _, _ = strings.Cut(s, "?")
	s = userinfo.ReplaceAllString(s, "…@")
	if len(s) > 200 {
		s = strings.ToValidUTF8(s[:200], "") + "…"
	}
	return strconv.Quote(s)
}
