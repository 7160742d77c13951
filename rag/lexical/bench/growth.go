package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/repomind/repomind/rag/lexical"
)

func grow(list string) error {
	sizes, err := numbers(list)
	if err != nil {
		return err
	}
	fmt.Print("| files | text | analyze | blobs | build | index | a posting | peak | RSS | query p50 | query p95 |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	for _, n := range sizes {
		if err := growTo(n); err != nil {
			return err
		}
	}
	return nil
}

func growTo(n int) error {
	w := writer{r: rand.New(rand.NewPCG(1, 2))}
	w.zipf = rand.NewZipf(w.r, 1.1, 4, 30_000)
	before := heap()
	blobs := make([]lexical.Blob, n)
	var analyze time.Duration
	text, stored := 0, 0
	for i := range blobs {
		parts := w.file(i)
		began := time.Now()
		blobs[i] = lexical.Analyze(parts)
		analyze += time.Since(began)
		stored += len(blobs[i])
		for _, p := range parts {
			text += len(p.Body)
		}
	}
	began := time.Now()
	x, err := lexical.New(blobs, lexical.Config{})
	if err != nil {
		return err
	}
	build := time.Since(began)
	peak := rawHeap() - before
	runtime.KeepAlive(blobs)
	blobs = nil
	index := heap() - before
	debug.FreeOSMemory()
	resident := rss()
	var queries []string
	for i := range 30 {
		queries = append(queries, w.query(i*n/30))
	}
	asked := ask(x, queries)
	fmt.Printf("| %d | %.0f MB | %.2f s | %.0f MB | %.2f s | %.0f MB | %.1f bytes | %.0f MB | %.0f MB | %.2f ms | %.2f ms |\n",
		n, float64(text)/1e6, analyze.Seconds(), float64(stored)/1e6, build.Seconds(), float64(index)/1e6,
		float64(index)/float64(x.Postings()), float64(peak)/1e6, float64(resident)/1e6, ms(at(asked, .5)), ms(at(asked, .95)))
	return nil
}

// heap is the memory in use, after what is unused is freed.
func heap() int64 {
	runtime.GC()
	return rawHeap()
}

func rawHeap() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// rss is the memory of the process that is resident, where /proc tells it, else 0.
func rss() int64 {
	var size, resident int64
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	if _, err := fmt.Sscan(string(data), &size, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}

// writer makes files with the shape of code: some words stand everywhere, most
// nearly nowhere; a function repeats its few names; each file has names of its own.
type writer struct {
	r    *rand.Rand
	zipf *rand.Zipf
}

func (w *writer) word() string { return syllables(w.zipf.Uint64()) }

// name is one of those that the whole repository shares.
func (w *writer) name() string {
	n := w.zipf.Uint64()
	return syllables(n*7919%3000) + "_" + syllables(n)
}

func (w *writer) file(id int) (parts []lexical.Part) {
	own := fmt.Sprintf("%s_%s", syllables(uint64(id/10)), syllables(uint64(id)))
	for part := range 3 {
		var known [20]string
		for i := range known {
			known[i] = w.name()
		}
		one := func() string { return known[w.r.IntN(len(known))] }
		var b strings.Builder
		for range 36 {
			fmt.Fprintf(&b, "    %s.%s(%s, self.%s)\n", one(), one(), one(), one())
		}
		fmt.Fprintf(&b, "    raise %s(%q)\n", own, "cannot "+w.word()+" the "+w.word()+" of "+own)
		parts = append(parts, lexical.Part{Symbol: fmt.Sprintf("%s_%d", own, part), Body: b.String(), Comment: "# " + w.word()})
	}
	return parts
}

// query has the words of an issue about a file.
func (w *writer) query(id int) string {
	var b strings.Builder
	for range 150 {
		b.WriteString(w.word() + " ")
	}
	return fmt.Sprintf("%s_%s fails: %s", syllables(uint64(id/10)), syllables(uint64(id)), &b)
}

func syllables(n uint64) string {
	s := ""
	for n += 20; n > 0; n /= 20 {
		s += string("bcdfghklmnprstvwxzjq"[n%20]) + string("aeiou"[n%5])
	}
	return s
}
