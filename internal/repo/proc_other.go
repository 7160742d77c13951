//go:build !unix

package repo

import "os/exec"

const nonBlock = 0

func isolate(*exec.Cmd) {}
