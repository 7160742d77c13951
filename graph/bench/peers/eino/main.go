// Command eino measures one work of an Eino compose graph in this process and
// prints it as one line of JSON.
//
//	eino linear100|fan1000 none
//
// Eino stores a checkpoint only when a run is interrupted, so it takes no part in
// the works that store every step; it has no dynamic fan-out, so the branches of
// fan1000 are static nodes.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/cloudwego/eino/compose"
)

type state struct{ Count int }

type graph = compose.Graph[state, state]

type work struct {
	runs, steps int
	build       func(*graph) error
	count       int
}

var works = map[string]work{
	"linear100": {runs: 20, steps: 100, build: linear, count: 100},
	"fan1000":   {runs: 5, steps: 1000, build: fan, count: 1000},
}

type result struct {
	Engine    string  `json:"engine"`
	Work      string  `json:"work"`
	Store     string  `json:"store"`
	Runs      int     `json:"runs"`
	Ms        float64 `json:"ms"`
	PerSecond float64 `json:"per_second"`
	RSSMB     float64 `json:"rss_mb"`
	FileMB    float64 `json:"file_mb"`
}

func main() {
	r, err := measure(context.Background(), os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		log.Fatal(err)
	}
}

func measure(ctx context.Context, name, store string) (result, error) {
	w, ok := works[name]
	if !ok {
		return result{}, fmt.Errorf("unknown work %q", name)
	}
	times := make([]float64, w.runs)
	for i := range times {
		t, err := run(ctx, w)
		if err != nil {
			return result{}, err
		}
		times[i] = t.Seconds()
	}
	slices.Sort(times)
	median := times[w.runs/2]
	peak, err := peakRSS()
	if err != nil {
		return result{}, err
	}
	return result{
		Engine:    "eino " + version(),
		Work:      name,
		Store:     store,
		Runs:      w.runs,
		Ms:        math.Round(median*1e6) / 1e3,
		PerSecond: math.Round(float64(w.steps) / median),
		RSSMB:     math.Round(peak/1e5) / 10,
	}, nil
}

func run(ctx context.Context, w work) (time.Duration, error) {
	g := compose.NewGraph[state, state]()
	if err := w.build(g); err != nil {
		return 0, err
	}
	app, err := g.Compile(ctx)
	if err != nil {
		return 0, err
	}
	started := time.Now()
	s, err := app.Invoke(ctx, state{})
	took := time.Since(started)
	if err == nil && s.Count != w.count {
		err = fmt.Errorf("count is %d, want %d", s.Count, w.count)
	}
	return took, err
}

func linear(g *graph) error {
	last := compose.START
	for i := range 100 {
		name := fmt.Sprint("n", i)
		node := compose.InvokableLambda(func(_ context.Context, s state) (state, error) {
			s.Count = i + 1
			return s, nil
		})
		if err := g.AddLambdaNode(name, node); err != nil {
			return err
		}
		if err := g.AddEdge(last, name); err != nil {
			return err
		}
		last = name
	}
	return g.AddEdge(last, compose.END)
}

func fan(g *graph) error {
	join := compose.InvokableLambda(func(_ context.Context, in map[string]any) (state, error) {
		return state{Count: len(in)}, nil
	})
	if err := g.AddLambdaNode("join", join); err != nil {
		return err
	}
	branch := compose.InvokableLambda(func(context.Context, state) (int, error) { return 1, nil })
	for i := range 1000 {
		name := fmt.Sprint("branch", i)
		if err := g.AddLambdaNode(name, branch, compose.WithOutputKey(name)); err != nil {
			return err
		}
		if err := g.AddEdge(compose.START, name); err != nil {
			return err
		}
		if err := g.AddEdge(name, "join"); err != nil {
			return err
		}
	}
	return g.AddEdge("join", compose.END)
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, dep := range info.Deps {
		if dep.Path == "github.com/cloudwego/eino" {
			return strings.TrimPrefix(dep.Version, "v")
		}
	}
	return ""
}

// peakRSS returns the most bytes of memory that this process had resident.
func peakRSS() (float64, error) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, err
	}
	var kb float64
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	_, err = fmt.Sscanf(after, "%f kB", &kb)
	return kb * 1024, err
}
