// Command bench measures the engine, and prints a line of JSON for each work and
// store in the form that the programs under peers print for other engines.
//
//	go run ./graph/bench                    all works
//	go run ./graph/bench loop1000 memory    one of them
//	graph/bench/compare.sh                  the engine and its peers side by side
//
// Each work runs in a process of its own, so that its peak memory is its own.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// measure is one line of the output.
type measure struct {
	Engine    string   `json:"engine"`
	Work      string   `json:"work"`
	Store     string   `json:"store"`
	Runs      int      `json:"runs"`
	MS        float64  `json:"ms"` // median of the runs
	PerSecond float64  `json:"per_second"`
	RSS       float64  `json:"rss_mb"` // peak
	File      float64  `json:"file_mb"`
	HeapGrown *float64 `json:"heap_grown_mb,omitempty"`
}

func main() {
	var err error
	switch args := os.Args[1:]; {
	case len(args) == 0:
		err = all()
	case args[0] == "table":
		err = table(os.Stdin, os.Stdout)
	case len(args) >= 2:
		err = one(args[0], args[1])
	default:
		err = fmt.Errorf("usage: bench [WORK STORE | table]")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func all() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for _, w := range works {
		for _, store := range w.stores {
			cmd := exec.Command(self, w.name, store)
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("%s %s: %w", w.name, store, err)
			}
		}
	}
	return nil
}

func one(name, store string) error {
	i := slices.IndexFunc(works, func(w work) bool { return w.name == name && slices.Contains(w.stores, store) })
	if i < 0 {
		return fmt.Errorf("there is no work %q with store %q", name, store)
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w := works[i]
	m := measure{Engine: "repomind", Work: name, Store: store, Runs: w.runs}
	times := make([]time.Duration, w.runs)
	for i := range times {
		path := filepath.Join(dir, fmt.Sprintf("%d.db", i))
		if times[i], err = w.run(context.Background(), store, path, &m); err != nil {
			return err
		}
		m.File = round(fileMB(path), 3)
	}
	slices.Sort(times)
	median := times[len(times)/2].Seconds()
	m.MS, m.PerSecond, m.RSS = round(median*1e3, 3), round(float64(w.steps)/median, 0), round(peakMB(), 1)
	return json.NewEncoder(os.Stdout).Encode(m)
}

func round(x float64, digits int) float64 {
	unit := math.Pow10(digits)
	return math.Round(x*unit) / unit
}

// fileMB is the size of a database with what SQLite keeps beside it.
func fileMB(path string) float64 {
	total := int64(0)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if info, err := os.Stat(path + suffix); err == nil {
			total += info.Size()
		}
	}
	return float64(total) / 1e6
}
