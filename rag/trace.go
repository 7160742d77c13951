package rag

import (
	"slices"

	"github.com/repomind/repomind/internal/stacktrace"
)

// traced is what stack traces say: which files stand in one, and how near to the
// place where it broke (1 there).
type traced struct {
	in, near []float32
	lines    map[int32][]int // the lines of the frames
}

// maxLines is how many lines of a file are looked at: a trace of a recursion repeats few.
const maxLines = 100

func newTraced(traces []stacktrace.Trace, mapper *stacktrace.Mapper, n *fileNames) traced {
	t := traced{in: n.zeros(), near: n.zeros(), lines: map[int32][]int{}}
	for _, trace := range traces {
		ours := 0
		for i, loc := range mapper.MapAll(trace.Frames) {
			id, ok := n.path[loc.Path]
			if loc.Path == "" || !ok {
				continue
			}
			ours++
			t.in[id] = 1
			t.near[id] = max(t.near[id], 1/float32(ours))
			if line := trace.Frames[i].Line; line > 0 && !slices.Contains(t.lines[id], line) && len(t.lines[id]) < maxLines {
				t.lines[id] = append(t.lines[id], line)
			}
		}
	}
	return t
}
