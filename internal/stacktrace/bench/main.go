// Command bench parses the tracebacks of real issues and maps their frames to the
// files of the repository at the commit that the reporter had.
//
//	go run ./internal/stacktrace/bench -issues bugs.jsonl -clones 'DIR/{owner}/{name}' [-v]
//
// Each line of the issues has id, repo, title, body, base_commit and gold_files. The
// clones are git repositories with that commit, bare or not. With -v each frame is
// printed with where it leads.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/internal/stacktrace"
)

func main() {
	issues := flag.String("issues", "", "issues, one JSON object a line")
	clones := flag.String("clones", "", "where the clones are, with {owner} and {name}")
	verbose := flag.Bool("v", false, "print each frame")
	flag.Parse()
	if err := run(*issues, *clones, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

type issue struct {
	ID, Repo, Title, Body string
	Base                  string   `json:"base_commit"`
	Gold                  []string `json:"gold_files"`
}

type counts struct {
	issues, traced, traces, frames, mapped, absent, gold int
	why                                                  map[stacktrace.Why]int
}

func run(issues, clones string, verbose bool) error {
	f, err := os.Open(issues)
	if err != nil {
		return err
	}
	defer f.Close()
	c := counts{why: map[stacktrace.Why]int{}}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var i issue
		if err := json.Unmarshal(lines.Bytes(), &i); err != nil {
			return err
		}
		if err := c.add(i, clones, verbose); err != nil {
			return fmt.Errorf("%s: %w", i.ID, err)
		}
	}
	c.print()
	return lines.Err()
}

func (c *counts) add(i issue, clones string, verbose bool) error {
	c.issues++
	parsed := stacktrace.Parse(i.Title + "\n" + i.Body)
	if len(parsed.Traces) == 0 {
		return nil
	}
	c.traced++
	owner, name, _ := strings.Cut(i.Repo, "/")
	repo, err := source.NewRepo("", owner, name)
	if err != nil {
		return err
	}
	dir := strings.NewReplacer("{owner}", owner, "{name}", name).Replace(clones)
	out, err := exec.Command("git", "-C", dir, "ls-tree", "-r", "--name-only", "-z", i.Base).Output()
	if err != nil {
		return fmt.Errorf("list %s in %s: %w", i.Base, dir, err)
	}
	files := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	mapper := stacktrace.NewMapper(stacktrace.Tree{Files: files, Repo: repo})
	hit := false
	for _, t := range parsed.Traces {
		c.traces++
		for k, at := range mapper.MapAll(t.Frames) {
			c.frame(at, files)
			hit = hit || slices.Contains(i.Gold, at.Path)
			if verbose {
				fmt.Printf("%s\t%s:%d %s\t%s\n", i.ID, t.Frames[k].File, t.Frames[k].Line, t.Frames[k].Function, at)
			}
		}
	}
	if hit {
		c.gold++
	}
	return nil
}

func (c *counts) frame(at stacktrace.Location, files []string) {
	c.frames++
	switch {
	case at.Path == "":
		c.why[at.Why]++
	case slices.Contains(files, at.Path):
		c.mapped++
	default:
		c.absent++
	}
}

func (c *counts) print() {
	fmt.Printf("issues %d, with a trace %d, traces %d, frames %d\n", c.issues, c.traced, c.traces, c.frames)
	fmt.Printf("frames to a file that exists %d, to one that does not %d\n", c.mapped, c.absent)
	for _, why := range slices.Sorted(maps.Keys(c.why)) {
		fmt.Printf("frames without a file, %s: %d\n", why, c.why[why])
	}
	fmt.Printf("issues whose gold file is among the frames %d\n", c.gold)
}
