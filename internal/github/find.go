package github

import (
	"context"
	"fmt"
	"strings"
)

// FindToken looks for a token for host: GH_TOKEN and GITHUB_TOKEN for github.com and
// *.ghe.com; GH_ENTERPRISE_TOKEN and GITHUB_ENTERPRISE_TOKEN for the server that
// GH_HOST names; then what "gh auth token" says. There is none for any other host,
// not even from gh, which would hand an enterprise token to whatever host it is
// asked for. None is the zero Token without an error: public repositories can be
// read without.
//
// gh runs the gh command with the arguments given and returns its standard output;
// any error of it means that there is no token. It may be nil.
func FindToken(ctx context.Context, host string, getenv func(string) string, gh func(ctx context.Context, args ...string) ([]byte, error)) (Token, error) {
	host = canonical(host)
	if !Known(host, getenv("GH_HOST")) {
		return Token{}, nil
	}
	for _, name := range tokenVariables(host) {
		if v := strings.TrimSpace(getenv(name)); v != "" {
			return checkedToken(v, name)
		}
	}
	if gh == nil {
		return Token{}, nil
	}
	out, err := gh(ctx, "auth", "token", "--hostname", host)
	if ctx.Err() != nil {
		return Token{}, ctx.Err()
	}
	v := strings.TrimSpace(string(out))
	if err != nil || v == "" {
		return Token{}, nil
	}
	return checkedToken(v, "gh auth token")
}

func tokenVariables(host string) []string {
	if Known(host, "") {
		return []string{"GH_TOKEN", "GITHUB_TOKEN"}
	}
	return []string{"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"}
}

// checkedToken refuses what could break a header apart.
func checkedToken(v, source string) (Token, error) {
	strange := func(r rune) bool { return r <= ' ' || r > '~' }
	if len(v) > 4096 || strings.ContainsFunc(v, strange) {
		return Token{}, fmt.Errorf("%w: the value of %s is not a token: it is too long or holds spaces or control characters", ErrAuth, source)
	}
	return NewToken(v, source), nil
}
