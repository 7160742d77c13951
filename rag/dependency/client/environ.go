package client

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Passed lists the variables that clients see: where things are, how the network is
// reached, and the clients' own settings. A star stands for any end.
var Passed = []string{
	"PATH", "PATHEXT", "HOME", "USER", "LOGNAME", "LANG", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
	"USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "SYSTEMROOT", "COMSPEC",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NETRC",
	"GOPATH", "GOROOT", "GOENV", "GOMODCACHE", "GOCACHE", "GOPROXY", "GOPRIVATE", "GONOPROXY", "GONOSUMDB", "GOSUMDB", "GOINSECURE", "GOAUTH",
	"PIP_*", "PYENV_*", "VIRTUAL_ENV", "PYTHONHOME",
	"npm_config_*", "NPM_CONFIG_*", "NPM_TOKEN", "NODE_AUTH_TOKEN", "NODE_EXTRA_CA_CERTS", "NVM_*", "VOLTA_HOME", "COREPACK_*",
	"CARGO_HOME", "CARGO_HTTP_*", "CARGO_NET_*", "CARGO_REGISTRIES_*", "CARGO_REGISTRY_*", "CARGO_SOURCE_*", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN",
	"JAVA_HOME", "MAVEN_HOME", "M2_HOME", "MAVEN_OPTS",
}

// Settings that are ours in any case: no other toolchain, no version control and no
// build comes into it.
var fixed = []string{
	"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "NO_COLOR=1",
	"GO111MODULE=on", "GOWORK=off", "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local", "GOVCS=*:off", "CGO_ENABLED=0",
	"PIP_NO_INPUT=1", "PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_REQUIRE_VIRTUALENV=0",
	"npm_config_ignore_scripts=true", "npm_config_update_notifier=false", "npm_config_audit=false", "npm_config_fund=false",
	"CARGO_TERM_COLOR=never", "CARGO_TERM_PROGRESS_WHEN=never",
}

// environment is what a client sees. Its temporary files go to dir, where they are
// counted and taken away.
func (c Config) environment(dir string) []string {
	var out []string
	for _, kv := range c.Env {
		name, _, _ := strings.Cut(kv, "=")
		if slices.ContainsFunc(Passed, func(p string) bool { return matches(p, name) }) && !isFixed(name) {
			out = append(out, kv)
		}
	}
	return append(append(out, fixed...), "TMPDIR="+dir, "TEMP="+dir, "TMP="+dir)
}

func matches(pattern, name string) bool {
	if start, many := strings.CutSuffix(pattern, "*"); many {
		return strings.HasPrefix(name, start)
	}
	return pattern == name || runtime.GOOS == "windows" && strings.EqualFold(pattern, name)
}

// isFixed: npm takes its variables in either case.
func isFixed(name string) bool {
	return slices.ContainsFunc(fixed, func(kv string) bool {
		ours, _, _ := strings.Cut(kv, "=")
		return strings.EqualFold(ours, name)
	})
}

// variable looks one up; the last one counts, as for exec.
func (c Config) variable(name string) string {
	for _, kv := range slices.Backward(c.Env) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// look finds a program on the PATH of Env. A directory that is not absolute is passed
// over: it could lie in a repository.
func (c Config) look(name string) string {
	suffixes := []string{""}
	if runtime.GOOS == "windows" {
		suffixes = []string{".exe", ".cmd", ".bat"}
	}
	for _, dir := range filepath.SplitList(c.variable("PATH")) {
		for _, suffix := range suffixes {
			p := filepath.Join(dir, name+suffix)
			info, err := os.Stat(p)
			if err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
				return p
			}
		}
	}
	return ""
}
