package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/source"
)

// times measures one build and the two questions. With -cache it keeps what it reads:
// run it twice, in two processes, with the commit before the second time, for the
// time after a commit.
func times(ctx context.Context, o options) error {
	c := clone(o.repos[0].dir)
	files, err := c.tree(ctx, o.commit)
	if err != nil {
		return err
	}
	began, used := time.Now(), processor()
	idx, err := code.Build(ctx, files, c, code.Config{Dir: o.cache})
	if err != nil {
		return err
	}
	fmt.Printf("%s: %.3f s (%.3f s of processor), %+v, peak memory %s\n", c.name(), time.Since(began).Seconds(), processor()-used, idx.Stats(), peak())
	questions(idx, files)
	return nil
}

// questions asks for a thousand symbols of the code.
func questions(idx *code.Index, files []source.File) {
	var syms []code.Symbol
	for _, f := range files {
		if o, ok := idx.File(f.Path); ok && source.RoleOf(f.Path) == source.Code {
			syms = append(syms, o.Symbols...)
		}
	}
	var defs, uses []time.Duration
	for i := 0; i < len(syms); i += max(1, len(syms)/1000) {
		began := time.Now()
		idx.Definitions(syms[i].Qualified)
		defs = append(defs, time.Since(began))
		began = time.Now()
		idx.Callers(syms[i])
		uses = append(uses, time.Since(began))
	}
	for _, q := range []struct {
		name string
		took []time.Duration
	}{{"definitions", defs}, {"callers", uses}} {
		slices.Sort(q.took)
		n := len(q.took)
		fmt.Printf("  %-12s %d asked: median %v, 95 %% within %v, longest %v\n", q.name, n, q.took[n/2].Round(time.Microsecond), q.took[n*95/100].Round(time.Microsecond), q.took[n-1].Round(time.Microsecond))
	}
}

// processor is the time that all threads of this process have worked, which a busy
// machine does not lengthen as it does the time on the clock.
func processor() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// peak is the largest resident memory of this process so far, where the system says.
func peak() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return "unknown"
	}
	for line := range strings.SplitSeq(string(status), "\n") {
		if v, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strings.TrimSpace(v)
		}
	}
	return "unknown"
}
