package stacktrace

import (
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

var (
	raceAccess  = regexp.MustCompile(`^(?:Previous )?(?:atomic )?(?:[Rr]ead|[Ww]rite)(?: at 0x[0-9a-f]+)? by (?:main goroutine|goroutine (\d+)):$`)
	raceCreated = regexp.MustCompile(`^Goroutine (\d+) \(.*\) created at:$`)
)

// readRace reads a report of Go's race detector: a trace for each access, and for
// each place where a goroutine was started.
func readRace(t *text, i int) ([]Trace, int) {
	if !strings.HasSuffix(t.lines[i].body, "DATA RACE") {
		return nil, i
	}
	r := raceReader{by: map[string]int{}}
	next := i
	for k, ok := t.ahead(i+1, 2); ok; k, ok = t.ahead(next, 2) {
		n := r.block(t, k)
		if n == k {
			break
		}
		next = n
	}
	if len(r.all) > 0 {
		r.all[0].Line = t.lines[i].num
	}
	return r.all, next
}

type raceReader struct {
	all []Trace
	by  map[string]int // the access of each goroutine
}

// block reads one stack of the report and links it to the access it explains.
func (r *raceReader) block(t *text, i int) int {
	tr := Trace{Language: source.Go, Kind: Race, Message: strings.TrimSuffix(t.lines[i].body, ":"), Line: t.lines[i].num}
	access, created := raceAccess.FindStringSubmatch(tr.Message+":"), raceCreated.FindStringSubmatch(tr.Message+":")
	if access == nil && created == nil {
		return i
	}
	next := goFrames(t, i+1, &tr)
	tr.End = t.lines[max(next-1, i)].num
	tr.Truncated = len(tr.Frames) == 0
	at := len(r.all)
	if access != nil {
		r.by[access[1]] = at
		if at > 0 {
			r.all[0].Links = append(r.all[0].Links, Link{Conflict, at})
		}
	} else {
		tr.Kind = Goroutine
		if a, ok := r.by[created[1]]; ok {
			r.all[a].Links = append(r.all[a].Links, Link{Created, at})
		}
	}
	r.all = append(r.all, tr)
	return max(next, i+1)
}
