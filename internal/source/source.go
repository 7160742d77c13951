// Package source holds the words that all packages share when they speak of code:
// a repository, a commit of it, a file in its tree, a span of lines, a language.
//
// The values are plain data that can be stored in a checkpoint. Constructors named
// Parse check what comes from outside; a value that they give is safe to hand to
// git or to join to a path.
package source

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

// Repo names a repository on a GitHub host.
type Repo struct {
	Host  string `json:"host,omitempty"` // "" is github.com
	Owner string `json:"owner"`
	Name  string `json:"name"`
}

// GitHub is the host of a Repo that names none.
const GitHub = "github.com"

var (
	hostName  = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::[0-9]{1,5})?$`)
	ownerName = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,99})$`)
	repoName  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)
)

// NewRepo checks the three parts of a name. Host "" stands for github.com.
func NewRepo(host, owner, name string) (Repo, error) {
	switch {
	case host != "" && (!hostName.MatchString(host) || len(host) > 255):
		return Repo{}, fmt.Errorf("%q is not a host name", host)
	case !ownerName.MatchString(owner):
		return Repo{}, fmt.Errorf("%q is not the name of a GitHub user or organisation", owner)
	case !repoName.MatchString(name), name == ".", name == "..", strings.HasSuffix(name, ".git"):
		return Repo{}, fmt.Errorf("%q is not the name of a repository", name)
	}
	if host = strings.ToLower(host); host == GitHub {
		host = ""
	}
	return Repo{Host: host, Owner: owner, Name: name}, nil
}

// HostName is the host's name, github.com where the Repo has none.
func (r Repo) HostName() string { return cmp.Or(r.Host, GitHub) }

// String is owner/name, behind the host where that is not github.com.
func (r Repo) String() string {
	if r.Host == "" {
		return r.Owner + "/" + r.Name
	}
	return r.Host + "/" + r.Owner + "/" + r.Name
}

// URL is the address that the repository is cloned from.
func (r Repo) URL() string {
	return "https://" + r.HostName() + "/" + r.Owner + "/" + r.Name + ".git"
}

// Commit is the full hexadecimal name of a commit: 40 digits, or 64 in a SHA-256
// repository.
type Commit string

var fullHash = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)

// ParseCommit takes a full name; branches, tags and short names are for
// repo.Clone.Resolve.
func ParseCommit(s string) (Commit, error) {
	if s = strings.ToLower(s); !fullHash.MatchString(s) {
		return "", fmt.Errorf("%q is not a full commit hash", s)
	}
	return Commit(s), nil
}

// Short is the name as people write it, 12 digits.
func (c Commit) Short() string { return string(c[:min(12, len(c))]) }
