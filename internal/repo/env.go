package repo

import (
	"encoding/base64"
	"os"
	"strings"
)

// environment is all that git sees of ours: no configuration but that of the clone
// and of the command line, no prompts, no fetch of what is missing, and no protocol
// but the one that the command at hand is for ("" for reads).
func environment(protocol string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=/nonexistent", "XDG_CONFIG_HOME=/nonexistent", "LC_ALL=C", "TZ=UTC",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_SSH_COMMAND=false",
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_LFS_SKIP_SMUDGE=1", "GIT_LITERAL_PATHSPECS=1", "GIT_PAGER=cat", "GIT_ADVICE=0",
		"GIT_ALLOW_PROTOCOL=" + protocol,
	}
}

// settings stand before each command. They would hold even if a clone's own
// configuration had been altered.
var settings = []string{
	"-c", "core.hooksPath=" + os.DevNull, "-c", "core.fsmonitor=false", "-c", "core.attributesFile=" + os.DevNull,
	"-c", "core.untrackedCache=false", "-c", "core.quotePath=false", "-c", "core.bigFileThreshold=16m",
	"-c", "safe.bareRepository=explicit", "-c", "credential.helper=", "-c", "gc.auto=0", "-c", "maintenance.auto=false",
	"-c", "diff.renameLimit=2000", "-c", "diff.external=", "-c", "fetch.recurseSubmodules=false",
}

// auth gives the environment that makes git send the token to one host, and to no
// other: it does not follow redirects then. The token is in no argument and no file.
func auth(host, token string) []string {
	if token == "" {
		return nil
	}
	return []string{
		"GIT_CONFIG_COUNT=2",
		"GIT_CONFIG_KEY_0=http.https://" + host + "/.extraHeader", "GIT_CONFIG_VALUE_0=Authorization: Basic " + basic(token),
		"GIT_CONFIG_KEY_1=http.followRedirects", "GIT_CONFIG_VALUE_1=false",
	}
}

func basic(token string) string {
	return base64.StdEncoding.EncodeToString([]byte("x-access-token:" + token))
}

// scrub takes the token out of what git printed.
func scrub(s, token string) string {
	if token == "" {
		return s
	}
	return strings.NewReplacer(token, "[redacted]", basic(token), "[redacted]").Replace(s)
}
