package repo

import (
	"errors"
	"fmt"
	"strings"
)

// ErrAccess says that the origin does not exist or is not open to the token in use.
var ErrAccess = errors.New("the repository does not exist or is not accessible")

// ErrNoCommit says that the origin does not have a commit or ref that is asked for.
var ErrNoCommit = errors.New("no such commit")

// remote is how git reaches an origin in one command.
type remote struct {
	url   string
	flags []string // of git fetch
	refs  []string // more refs to bring
	env   []string
	token string
	host  string // "" for a directory
}

func (c *Cache) remote(from Origin) (remote, error) {
	if from.Dir != "" {
		return remote{
			url: from.Dir, env: []string{"GIT_ALLOW_PROTOCOL=file"},
			flags: []string{"--upload-pack=" + uploadPack},
			// HEAD may be detached, and a clone has most of its branches here.
			refs: []string{"+refs/remotes/*:refs/repomind/remotes/*"},
		}, nil
	}
	host := from.Repo.HostName()
	token, err := c.cfg.Token(host)
	return remote{
		url: from.Repo.URL(), host: host, token: token,
		env: append(append(auth(host, token), "GIT_ALLOW_PROTOCOL=https"), c.cfg.Network...),
	}, err
}

// uploadPack is the one program that runs on a foreign directory. It only reads, and
// what its configuration could start is overridden: hooks, the file system monitor,
// and the fetch of missing objects (by GIT_NO_LAZY_FETCH, which the environment has).
// The pack hook lets a directory that is itself a partial clone give what it has.
// A directory of another owner is taken: a person named it.
// No new deltas are looked for (pack.window=0): the packs of the origin have them, and
// the search takes a sixth of the time of a clone.
const uploadPack = `git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c safe.directory=* -c pack.window=0 -c uploadpack.allowFilter=true ` +
	`-c uploadpack.allowAnySHA1InWant=true -c uploadpack.packObjectsHook='sh -c '\''exec "$@" --missing=allow-any'\'' -' upload-pack`

// explain turns what git said into an error that a caller can act on.
func (r remote) explain(err error) error {
	var failed *GitError
	if !errors.As(err, &failed) {
		return err
	}
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(strings.ToLower(failed.Stderr), w) {
				return true
			}
		}
		return false
	}
	switch {
	case has("not our ref", "couldn't find remote ref", "no such remote ref"):
		return fmt.Errorf("%w: %w", ErrNoCommit, err)
	case has("could not read username", "authentication failed", "not found", "returned error: 401", "returned error: 403", "does not appear to be a git repository", "not a git repository"):
		return fmt.Errorf("%w: %w%s", ErrAccess, err, r.hint())
	}
	return err
}

func (r remote) hint() string {
	switch {
	case r.host == "":
		return " (give a directory that holds a git repository)"
	case r.token == "":
		return fmt.Sprintf(" (a private repository needs a token for %s: GH_TOKEN or GITHUB_TOKEN)", r.host)
	}
	return fmt.Sprintf(" (the token for %s needs read access to its contents)", r.host)
}

// corrupt tells whether git stumbled over its own files.
func corrupt(err error) bool {
	var failed *GitError
	if !errors.As(err, &failed) {
		return errors.Is(err, errBatch)
	}
	for _, w := range []string{"corrupt", "bad object", "missing tree", "missing commit", "unable to read", "loose object", "not a git repository", "packfile", "inflate", "mismatched algorithms", "cannot lock ref", "unable to create"} {
		if strings.Contains(strings.ToLower(failed.Stderr), w) {
			return true
		}
	}
	return false
}
