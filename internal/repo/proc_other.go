//go:build !unix

package repo

import "os/exec"

const nonBlock = 0

func isolate(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() } //nolint:errcheck // it may have ended
