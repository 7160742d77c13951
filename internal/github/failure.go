package github

import (
	"fmt"
	"net/http"
	"strings"
)

// failure says in words what a status of 4xx means here, and what can be done.
func (c *Client) failure(a answer) *Error {
	text, _ := a.message()
	e := &Error{Status: a.status, Message: c.words(text)}
	switch a.status {
	case http.StatusUnauthorized:
		e.Err, e.Hint = ErrAuth, c.refused()
	case http.StatusForbidden:
		e.Err, e.Hint = ErrAuth, c.forbidden(a)
	case http.StatusNotFound:
		e.Err, e.Hint = ErrNotFound, c.missing()
	case http.StatusGone:
		e.Err, e.Hint = ErrGone, "it was deleted, or its repository has issues switched off"
	case http.StatusUnavailableForLegalReasons:
		e.Err, e.Hint = ErrBlocked, "GitHub has taken the repository down"
	default:
		e.Hint = "GitHub did not take the request"
	}
	return e
}

func (c *Client) refused() string {
	if c.cfg.Token.IsZero() {
		return "the host asks for a token: set " + c.variable()
	}
	return fmt.Sprintf("the token from %s is wrong, has expired, or was revoked", c.cfg.Token.Source())
}

func (c *Client) forbidden(a answer) string {
	if c.cfg.Token.IsZero() {
		return "it cannot be read without a token: set " + c.variable()
	}
	s := fmt.Sprintf("the token from %s may not read it", c.cfg.Token.Source())
	if scopes := a.header.Get("X-Accepted-Oauth-Scopes"); scopes != "" {
		s += fmt.Sprintf("; it needs one of the scopes %s and has %q", c.words(scopes), c.words(a.header.Get("X-Oauth-Scopes")))
	}
	if permissions := a.header.Get("X-Accepted-Github-Permissions"); permissions != "" {
		s += "; it needs the permission " + c.words(permissions)
	}
	if strings.HasPrefix(a.header.Get("X-Github-Sso"), "required") {
		s += "; authorise it for the organisation's single sign-on"
	}
	return s
}

func (c *Client) missing() string {
	if c.cfg.Token.IsZero() {
		return "it does not exist, or its repository is private and needs a token: set " + c.variable()
	}
	return fmt.Sprintf("it does not exist, or the token from %s may not see it: a classic token needs the scope repo, a fine-grained one read access to issues, pull requests and contents of this repository", c.cfg.Token.Source())
}
