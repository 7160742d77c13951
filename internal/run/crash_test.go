//go:build linux

package run_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/run"
	"github.com/repomind/repomind/nodes/issue"
)

// childEnv holds the job of a child. A process that has it does that and exits before a
// test can run; it never starts a child itself.
const childEnv = "REPOMIND_RUN_TEST_CHILD"

func TestMain(m *testing.M) {
	if data, ok := os.LookupEnv(childEnv); ok {
		if err := serve(data); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type job struct {
	State, Cache, Repo, URL string
}

// serve analyses the issue, or goes on with it, and writes the report.
func serve(data string) error {
	var j job
	if err := json.Unmarshal([]byte(data), &j); err != nil {
		return err
	}
	model, err := llm.Open(llm.Config{Provider: "compatible", Model: "m", BaseURL: j.URL})
	if err != nil {
		return err
	}
	cache, err := repo.NewCache(repo.Config{Dir: j.Cache})
	if err != nil {
		return err
	}
	places := &run.Places{Cache: cache}
	defer places.Close()
	r, err := run.Open(context.Background(), run.Config{Dir: j.State, Issue: issue.Config{
		Places: places, Models: &llm.Set{Main: model, Small: model, Critic: model, Vision: model},
	}})
	if err != nil {
		return err
	}
	out, err := r.Analyze(context.Background(), issue.Input{Issue: bug(), From: repo.Origin{Dir: j.Repo}}, run.Options{})
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(os.Stdout).Encode(out.Report), r.Close())
}

// till is a provider behind a door where its clients can be killed.
type till struct {
	*llmtest.Server
	door  *httptest.Server
	mu    sync.Mutex
	calls int
	kill  func() // is called at a request
	at    int    // which one
}

func newTill(t *testing.T) *till {
	s := &till{Server: llmtest.NewBookServer(t, llmtest.OpenAI, pages())}
	s.door = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.calls++
		if s.calls == s.at {
			s.kill()
		}
		s.mu.Unlock()
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client was killed
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.ServeHTTP(w, r)
	}))
	t.Cleanup(s.door.Close)
	return s
}

// rounds are the calls of the look around.
var rounds = []string{
	`read_file {"path": "shop/cart.py"}`, `find_definition {"name": "price"}`, `grep_code {"pattern": "items"}`, `find_callers {"name": "price"}`,
	`list_dir {"path": ""}`, `read_file {"path": "shop/price.py"}`, `grep_code {"pattern": "PRICES"}`, `find_definition {"name": "Cart.total"}`,
	`git_log_file {"path": "shop/cart.py"}`, `search_commits {"query": "Start"}`, `list_dir {"path": "shop"}`,
}

// pages are the answers, with twelve rounds of looking around.
func pages() (b llmtest.Book) {
	for asked, list := range answers() {
		p := llmtest.Page{Asked: asked, Turns: []llmtest.Turn{{Text: list[len(list)-1], Input: 100, Output: 10}}}
		if asked == toAnalyze {
			p.Turns = nil
			for i, call := range rounds {
				name, args, _ := strings.Cut(call, " ")
				p.Turns = append(p.Turns, llmtest.Turn{Calls: []llm.ToolCall{{ID: fmt.Sprint("c", i), Name: name, Args: json.RawMessage(args)}}, Input: 100, Output: 10})
			}
			p.Turns = append(p.Turns, llmtest.Turn{Text: list[len(list)-1], Input: 100, Output: 10})
		}
		b = append(b, p)
	}
	return b
}

// spawn runs a child and kills it at its n-th request, or after a time.
func (s *till) spawn(t *testing.T, j job, n int, after time.Duration) (out []byte, killed bool) {
	t.Helper()
	data, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, exe)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Env = append(os.Environ(), childEnv+"="+string(data), "GORACE=halt_on_error=1 atexit_sleep_ms=0")
	s.mu.Lock()
	s.at, s.kill = s.calls+n, cancel
	s.mu.Unlock()
	if after > 0 {
		defer time.AfterFunc(after, cancel).Stop()
	}
	err = cmd.Run()
	if cmd.ProcessState != nil && cmd.ProcessState.Success() {
		return stdout.Bytes(), false
	}
	if w, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !w.Signaled() || w.Signal() != syscall.SIGKILL {
		t.Fatalf("the child ended with %v: %s", err, &stderr)
	}
	return nil, true
}

// A run that is killed at any instant goes on, gives the same report, and pays no call
// twice.
func TestKilledAtAnyInstant(t *testing.T) {
	quota := 50
	if testing.Short() {
		quota = 5
	}
	r := repotest.New(t, shop)
	cache := t.TempDir()
	calm := newTill(t)
	out, _ := calm.spawn(t, job{t.TempDir(), cache, r.Dir, calm.door.URL + "/v1"}, 1000, 0)
	want := decoded(t, out)
	seed := uint64(time.Now().UnixNano())
	chance := rand.New(rand.NewPCG(seed, 0))
	kills, runs, repeated := 0, 0, 0
	for ; kills < quota && !t.Failed(); runs++ {
		s := newTill(t)
		j := job{t.TempDir(), cache, r.Dir, s.door.URL + "/v1"}
		for tries := 0; ; tries++ {
			after := time.Duration(0)
			if chance.IntN(3) > 0 {
				after = time.Duration(1+chance.IntN(400)) * time.Millisecond
			}
			out, killed := s.spawn(t, j, 1+chance.IntN(8), after)
			if !killed {
				if diff := cmp.Diff(want, decoded(t, out)); diff != "" {
					t.Errorf("after %d kills the report is another one (-want +got):\n%s", tries, diff)
				}
				break
			}
			if kills++; tries > 100 {
				t.Fatal("100 restarts have not brought it to its end")
			}
		}
		if s.Paid() != calm.Paid() {
			t.Errorf("%d calls are paid, want %d", s.Paid(), calm.Paid())
		}
		repeated += s.calls - s.Paid()
	}
	t.Logf("seed %d: %d kills in %d runs of %d calls; %d calls were made again under their key, none was paid again", seed, kills, runs, calm.Paid(), repeated)
}

// decoded is a report without what differs from run to run.
func decoded(t *testing.T, data []byte) report.Analysis {
	t.Helper()
	var a report.Analysis
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatalf("%v in %q", err, data)
	}
	a.RunID, a.Duration = "", 0
	for i := range a.Usage.ByNode {
		a.Usage.ByNode[i].Duration = 0
	}
	return a
}
