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
	"sync"

	"github.com/repomind/repomind/internal/llm"
)

// remote is a model behind the stub server.
type remote struct{ url string }

func (m remote) Generate(ctx context.Context, req llm.Request) (resp llm.Response, err error) {
	body, err := json.Marshal(req)
	if err != nil {
		return resp, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url, bytes.NewReader(body))
	if err != nil {
		return resp, err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return resp, err
	}
	defer answer.Body.Close()
	if body, err = io.ReadAll(answer.Body); err != nil {
		return resp, err
	}
	return resp, json.Unmarshal(body, &resp)
}

// till is the stub server. It counts what is paid in each round, by the number of
// turns in the request, and never gives the same answer twice.
type till struct {
	mu    sync.Mutex
	paid  map[int]int
	count int
	asked []llm.Request
	onAsk func(request int)
}

func (s *till) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req llm.Request
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	round := 1
	for _, m := range req.Messages {
		if m.Role == llm.RoleAssistant {
			round++
		}
	}
	s.mu.Lock()
	s.paid[round]++
	s.count++
	s.asked = append(s.asked, req)
	if s.onAsk != nil {
		s.onAsk(s.count)
	}
	s.mu.Unlock()
	resp := llm.Response{Text: fmt.Sprint("thought ", rand.Uint64()), Stop: llm.StopTools, Usage: llm.Usage{Calls: 1, Input: llm.Estimate(req), Output: 10}}
	if round < crashRounds {
		for i := range 2 {
			resp.Calls = append(resp.Calls, llm.ToolCall{ID: fmt.Sprint(round, "-", i), Name: "dice", Args: json.RawMessage(fmt.Sprintf(`{"n":%d}`, 2*round+i))})
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(resp) // the client may be dead
}

func (s *till) bill() map[int]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	bill := map[int]int{}
	for round, n := range s.paid {
		bill[round] = n
	}
	return bill
}
