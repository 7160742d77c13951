package dependency

import (
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/dependency/manifest"
)

var (
	shorthand = regexp.MustCompile(`^(?:github:)?([A-Za-z0-9][\w.-]*)/([\w.-]+?)(?:\.git)?(?:#(.+))?$`)
	scp       = regexp.MustCompile(`^(?:ssh://)?git@([\w.-]+)[:/](.+)$`)
)

// repository reads an address, in the forms that manifests have, as a repository and
// the revision behind it, "" for none. Whether its host is one to go to, the caller
// asks: it is the repository at hand, or the library, that names it.
func repository(address string) (repo source.Repo, rev string, ok bool) {
	address = strings.TrimSpace(address)
	for _, prefix := range []string{"scm:git:", "scm:", "git+"} {
		address = strings.TrimPrefix(address, prefix)
	}
	if m := shorthand.FindStringSubmatch(address); m != nil {
		repo, err := source.NewRepo("", m[1], m[2])
		return repo, m[3], err == nil
	}
	if m := scp.FindStringSubmatch(address); m != nil {
		address = "https://" + m[1] + "/" + m[2]
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return source.Repo{}, "", false
	}
	p, at, _ := strings.Cut(strings.Trim(u.Path, "/"), "@")
	rev = at
	if rev == "" && u.Fragment != "" && !strings.Contains(u.Fragment, "=") {
		rev = strings.TrimPrefix(u.Fragment, "semver:")
	}
	parts := strings.Split(p, "/")
	if len(parts) < 2 {
		return source.Repo{}, "", false
	}
	repo, err = source.NewRepo(strings.TrimPrefix(u.Hostname(), "www."), parts[0], strings.TrimSuffix(parts[1], ".git"))
	return repo, rev, err == nil
}

// ofModule gives the repository of a Go module and the module's directory in it.
func ofModule(module string) (source.Repo, string, bool) {
	parts := strings.SplitN(module, "/", 4)
	if len(parts) < 3 {
		return source.Repo{}, "", false
	}
	repo, err := source.NewRepo(parts[0], parts[1], parts[2])
	dir := ""
	if len(parts) > 3 {
		dir = majorSuffix.ReplaceAllString("/"+parts[3], "")
	}
	return repo, strings.TrimPrefix(dir, "/"), err == nil
}

var (
	majorSuffix  = regexp.MustCompile(`/v[0-9]+$`)
	pseudo       = regexp.MustCompile(`^v[0-9].*[-.][0-9]{14}-([0-9a-f]{12})$`)
	incompatible = "+incompatible"
)

// tags lists the refs that a version may have, the likeliest first; rev is a revision
// that a manifest names outright. They are full names, as a version such as 20250101
// would else be taken for the start of a hash.
func tags(lib Library, version, dir, rev string) []string {
	var out []string
	if rev != "" {
		out = append(out, rev)
	}
	if version == "" {
		return out
	}
	version = strings.TrimSuffix(version, incompatible)
	if m := pseudo.FindStringSubmatch(version); m != nil {
		return append(out, m[1])
	}
	bare := strings.TrimPrefix(version, "v")
	name := path.Base(lib.Name)
	if lib.Ecosystem == manifest.Maven {
		_, name, _ = strings.Cut(lib.Name, ":")
	}
	var forms []string
	if dir != "" {
		forms = append(forms, dir+"/v"+bare)
	}
	// The first forms are those of a repository with many packages.
	forms = append(forms, lib.Name+"@"+bare, name+"@"+bare, name+"-v"+bare, name+"-"+bare, name+"/v"+bare, name+"/"+bare, name+"_v"+bare,
		"v"+bare, bare, "release-"+bare, "rel-"+bare, "release/"+bare, "version-"+bare, "rel_"+strings.ReplaceAll(bare, ".", "_"))
	for _, tag := range forms {
		if tag = "refs/tags/" + tag; !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	return out
}
