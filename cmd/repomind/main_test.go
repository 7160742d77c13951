package main

import (
	"flag"
	"fmt"
	"os/signal"
	"runtime/debug"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expected output of the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"repomind": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", UpdateScripts: *update, Cmds: modelCommands(t), Condition: func(name string) (bool, error) {
		if name != "hangup" {
			return false, fmt.Errorf("no condition %q", name)
		}
		return !signal.Ignored(syscall.SIGHUP), nil // as under nohup, which the program heeds
	}})
}

func TestVersionNamesCommitAndRelease(t *testing.T) {
	for _, tt := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{&debug.BuildInfo{GoVersion: "go1.26.8"}, "repomind (devel) go1.26.8"},
		{&debug.BuildInfo{
			GoVersion: "go1.26.8",
			Main:      debug.Module{Version: "v0.1.0"},
			Settings:  []debug.BuildSetting{{Key: "vcs.revision", Value: "8e4559f"}, {Key: "vcs.modified", Value: "true"}},
		}, "repomind v0.1.0 8e4559f (modified) go1.26.8"},
	} {
		if got := version(tt.info); got != tt.want {
			t.Errorf("version(%+v) = %q, want %q", tt.info, got, tt.want)
		}
	}
}
