//go:build !unix

package code

import "os/exec"

func isolate(*exec.Cmd) {}

func confine() error { return nil }
