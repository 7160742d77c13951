package github

import (
	"errors"
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// webHost gives the host that people see for the host of a REST address: github.com
// and *.ghe.com have an API host of their own, a server has the prefix /api/v3 or,
// with subdomain isolation, a host api.HOST.
func webHost(host string, prefixed bool) (string, error) {
	web, isAPI := strings.CutPrefix(host, "api.")
	switch {
	case isAPI && !prefixed:
		return web, nil
	case prefixed && !strings.HasSuffix("."+host, ".github.com") && !ofGHE(host):
		return host, nil
	}
	return "", errors.New("the host has no REST API under this path")
}

var domainName = regexp.MustCompile(`\.[a-z0-9-]*[a-z][a-z0-9-]*(?::[0-9]+)?$`)

// strange says why a host cannot be taken for a GitHub server.
func strange(host, configured string) string {
	switch {
	case Known(host, configured):
		return ""
	case strings.HasSuffix("."+host, ".github.com"), ofGHE(host):
		return "the host is no web host of GitHub"
	case !domainName.MatchString(host):
		return "the host is not a full domain name; for a server in your own network set GH_HOST"
	}
	return ""
}

var tenant = regexp.MustCompile(`^[a-z0-9-]+\.ghe\.com$`)

func ofGHE(host string) bool { return strings.HasSuffix("."+host, ".ghe.com") }

func isTenant(host string) bool {
	return tenant.MatchString(host) && host != "api.ghe.com" && host != "www.ghe.com"
}

// Known says whether host is one that the user has set up by name or that belongs
// to GitHub itself: github.com, a tenant TENANT.ghe.com, or the configured host.
func Known(host, configured string) bool {
	host = canonical(host)
	return host == source.GitHub || isTenant(host) || host != "" && host == canonical(configured)
}

func canonical(host string) string {
	host = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(host)), ":443")
	if host == "www.github.com" {
		return source.GitHub
	}
	return host
}
