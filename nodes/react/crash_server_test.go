//go:build linux

package react_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/llm/llmtest"
)

const (
	crashRounds = 12
	fullRound   = 7 // in which the window turns out to be smaller than told
)

// till is the stub server behind a door where clients can be killed. None of its
// answers is given twice, so that a call that is paid twice leaves it without one.
type till struct {
	*llmtest.Server
	door  *httptest.Server
	mu    sync.Mutex
	count int
	kill  killing
}

// killing is of the client that makes the request of that number.
type killing struct {
	request int
	after   time.Duration // of its arrival; zero is when the answer is paid and not yet sent
	now     context.CancelFunc
}

func newTill(t *testing.T) *till {
	var turns []llmtest.Turn
	for round := 1; round <= crashRounds; round++ {
		if round == fullRound {
			turns = append(turns, llmtest.Turn{Status: http.StatusBadRequest, Message: "this exceeds the maximum context length"})
		}
		turn := llmtest.Turn{Text: fmt.Sprint("thought ", rand.Uint64()), NoUsage: true}
		for i := range 2 {
			if round < crashRounds {
				turn.Calls = append(turn.Calls, llm.ToolCall{ID: fmt.Sprint(round, "-", i), Name: "dice", Args: json.RawMessage(fmt.Sprintf(`{"n":%d}`, 2*round+i))})
			}
		}
		turns = append(turns, turn)
	}
	s := &till{Server: llmtest.NewServer(t, llmtest.OpenAI, turns...)}
	s.door = httptest.NewServer(s)
	t.Cleanup(s.door.Close)
	return s
}

func (s *till) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // killed before it had asked
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	s.count++
	k := s.kill
	mine := s.count == k.request
	s.mu.Unlock()
	if mine && k.after > 0 {
		time.AfterFunc(k.after, k.now)
	}
	answer := httptest.NewRecorder()
	s.Server.ServeHTTP(answer, r)
	if mine && k.after == 0 {
		k.now()
		<-r.Context().Done()
		return
	}
	w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes()) // the client may be dead
}

// next is the request to kill, counted from now.
func (s *till) next(n int, after time.Duration, now context.CancelFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kill = killing{s.count + n, after, now}
}

// repeated is how many answers were given again and for nothing.
func (s *till) repeated() (n int) {
	for _, h := range s.Heard() {
		if h.Repeated {
			n++
		}
	}
	return n
}

// said is a conversation in the words of the server.
func said(messages []llm.Message) (all []string) {
	for _, m := range messages {
		for _, p := range m.Parts {
			switch {
			case p.Call != nil:
				all = append(all, fmt.Sprintf("%s calls %s %s", m.Role, p.Call.Name, p.Call.Args))
			case p.Result != nil:
				all = append(all, fmt.Sprintf("%s says %s", m.Role, p.Result.Text))
			default:
				all = append(all, fmt.Sprintf("%s says %s", m.Role, p.Text))
			}
		}
	}
	return all
}

// compare holds what the model was told, by every process, against the transcript.
func (s *till) compare(t *testing.T, final []string) {
	t.Helper()
	if n := len(final); n != 2+5*(crashRounds-1)+1 {
		t.Fatalf("the transcript has %d lines", n)
	}
	takenOut := 0
	for i, h := range s.Heard() {
		if h.NoCalls {
			h.Said = h.Said[:len(h.Said)-1] // the order to answer, which the transcript has not
		}
		for j, line := range h.Said {
			if strings.Contains(line, ": taken out to make room") {
				takenOut++
			} else if line != final[j] {
				t.Fatalf("request %d, line %d:\n%s\nin the transcript:\n%s", i, j, line, final[j])
			}
		}
	}
	if takenOut == 0 {
		t.Error("no room had to be made")
	}
}
