package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// ctags says how many of the symbols universal-ctags has at the right line.
func ctags(ctx context.Context, dir string, chosen []symbol) error {
	version, err := exec.CommandContext(ctx, "ctags", "--version").Output()
	if err != nil || !bytes.HasPrefix(version, []byte("Universal Ctags")) {
		fmt.Println("  ctags: skipped, universal-ctags is not installed")
		return nil
	}
	began := time.Now()
	cmd := exec.CommandContext(ctx, "ctags", "-R", "-f", "-", "--excmd=number", "--fields=n", ".")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("ctags: %w", err)
	}
	took := time.Since(began)
	have := map[string]bool{}
	for line := range strings.SplitSeq(string(out), "\n") {
		if f := strings.Split(line, "\t"); len(f) >= 3 {
			have[f[0]+" "+strings.TrimPrefix(f[1], "./")+" "+strings.TrimSuffix(f[2], ";\"")] = true
		}
	}
	found := 0
	for _, s := range chosen {
		if have[fmt.Sprintf("%s %s %d", s.name(), s.path, s.line)] {
			found++
		}
	}
	fmt.Printf("  universal-ctags    %4d asked   at the right line %5.1f %%   (its index of the same files of code: %.2f s)\n", len(chosen), 100*float64(found)/float64(len(chosen)), took.Seconds())
	return nil
}
