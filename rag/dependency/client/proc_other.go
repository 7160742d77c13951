//go:build !unix

package client

import "os/exec"

func isolate(*exec.Cmd) {}

func end(*exec.Cmd) {}
