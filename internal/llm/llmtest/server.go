package llmtest

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/repomind/repomind/internal/llm"
)

// Wire is an API that a [Server] speaks.
type Wire string

// The APIs. Ollama's is OpenAI's with its own habits: no details of usage, and "stop"
// where it ran out of tokens.
const (
	OpenAI    Wire = "openai"
	Anthropic Wire = "anthropic"
	Gemini    Wire = "gemini"
	Ollama    Wire = "ollama"
)

// Turn is what a server does with one request. A turn with a Status or a Body is
// that HTTP answer; any other is an answer of the model, in the words of the API, as
// a stream where the request asks for one.
type Turn struct {
	Text  string
	Calls []llm.ToolCall
	Stop  llm.Stop // zero means tools where there are calls, else stop
	// Input counts the cached tokens too.
	Input, Cached, Output int
	Written               int    // of the input, into the cache; Anthropic alone tells
	NoUsage               bool   // the numbers are left out
	Thought               string // what the model thinks first; Ollama has none

	Status  int // zero means 200
	Header  map[string]string
	Message string // of an error in the API's own form
	Body    []byte // in place of it

	Cut  bool // breaks the connection in the middle of the answer
	Hang bool // answers nothing until the client gives up

	Arrived func() // is called when the request is there; nil is nothing
}

// Server is a provider on a local port. It refuses, with status 400 and a failed
// test, a request that the real API would refuse.
//
// A request with the Idempotency-Key of an earlier one gets that one's answer, also
// where its first client is gone; it takes no turn and is paid once. A key that comes
// with another body fails the test.
type Server struct {
	URL string // with the version, as llm.Config.BaseURL wants it

	t      testing.TB
	wire   Wire
	mu     sync.Mutex
	turns  []Turn
	book   Book // in place of turns
	taken  int
	paid   int
	memory memory
	heard  []Heard
}

// Heard is a request as the provider understood it.
type Heard struct {
	Path   string
	Header http.Header
	Body   []byte
	// Said is the conversation in one form for all APIs, a line for each part, as
	// `assistant calls grep {"q":"x"}`.
	Said    []string
	Tools   []string
	NoCalls bool // the model is told to call none of the tools
	Stream  bool
	// Marked are the lines of Said up to which the request is to be cached.
	Marked []string
	// Repeated means that the answer was given before, for the same key.
	Repeated bool
}

// speech is how an API hears and says.
type speech interface {
	hear(r *http.Request, body []byte) (Heard, error)
	whole(t Turn) []byte
	events(t Turn) [][]byte // the lines of a stream
	refuse(status int, message string) []byte
}

func (w Wire) speech() speech {
	switch w {
	case Anthropic:
		return anthropicSpeech{}
	case Gemini:
		return geminiSpeech{}
	case Ollama:
		return openAISpeech{ollama: true}
	}
	return openAISpeech{}
}

// NewServer serves the turns in order. A request too many fails the test, and so
// does a turn that is left.
func NewServer(t testing.TB, wire Wire, turns ...Turn) *Server {
	t.Helper()
	s := &Server{t: t, wire: wire, turns: turns, memory: memory{}}
	h := httptest.NewServer(s)
	s.URL = h.URL + "/v1"
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
		s.mu.Lock()
		defer s.mu.Unlock()
		if left := len(s.turns) - s.taken; left > 0 {
			t.Errorf("the server has %d of %d turns left", left, len(s.turns))
		}
	})
	return s
}

// Paid is how many answers the model gave so far: a repeated request is paid once,
// and a refused one not at all.
func (s *Server) Paid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.paid
}

// Heard are the requests so far, repeated ones too.
func (s *Server) Heard() []Heard {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Heard(nil), s.heard...)
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.t.Errorf("read a request: %v", err)
		return
	}
	speech := s.wire.speech()
	heard, err := speech.hear(r, body)
	if err != nil {
		s.t.Errorf("%s would refuse: %v\n%s", s.wire, err, body)
		w.WriteHeader(http.StatusBadRequest)
		w.Write(speech.refuse(http.StatusBadRequest, err.Error()))
		return
	}
	heard.Path, heard.Header, heard.Body = r.URL.Path, r.Header, body
	turn, err := s.next(heard)
	if err != nil {
		s.t.Error(err)
		status := http.StatusTeapot
		if errors.Is(err, errKeyReused) {
			status = http.StatusUnprocessableEntity
		}
		w.WriteHeader(status)
		return
	}
	turn.serve(w, r, speech, heard.Stream)
}

func (s *Server) next(h Heard) (Turn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := h.Header.Get("Idempotency-Key")
	turn, known, err := s.memory.recall(key, h.Body)
	switch {
	case err != nil:
		return Turn{}, fmt.Errorf("%w: %s", err, key)
	case known:
		h.Repeated = true
		s.heard = append(s.heard, h)
		return turn, nil
	case s.book != nil:
		if turn, err = s.book.turn(h); err != nil {
			return Turn{}, err
		}
	case s.taken >= len(s.turns):
		return Turn{}, fmt.Errorf("the server has no turn left for request %d", len(s.heard)+1)
	default:
		turn = s.turns[s.taken]
		s.taken++
	}
	if turn.paid() {
		s.paid++
	}
	s.memory.keep(key, h.Body, turn)
	s.heard = append(s.heard, h)
	return turn, nil
}

func (t Turn) serve(w http.ResponseWriter, r *http.Request, speech speech, stream bool) {
	if t.Arrived != nil {
		t.Arrived()
	}
	if t.Hang {
		<-r.Context().Done()
		return
	}
	for name, value := range t.Header {
		w.Header().Set(name, value)
	}
	var parts [][]byte
	switch {
	case t.Body != nil:
		parts = [][]byte{t.Body}
	case t.Status != 0:
		parts = [][]byte{speech.refuse(t.Status, t.Message)}
	case stream:
		w.Header().Set("Content-Type", "text/event-stream")
		parts = speech.events(t)
	default:
		parts = [][]byte{speech.whole(t)}
	}
	if t.Status != 0 {
		w.WriteHeader(t.Status)
	}
	t.send(w, parts)
}

func (t Turn) send(w http.ResponseWriter, parts [][]byte) {
	if t.Cut && len(parts) == 1 {
		parts = [][]byte{parts[0][:len(parts[0])/2], nil}
	}
	for i, p := range parts {
		if t.Cut && i == len(parts)/2+len(parts)%2 {
			http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler) // net/http's way to break a connection
		}
		w.Write(p)
		http.NewResponseController(w).Flush()
	}
}

// stop is the reason, where the turn names none.
func (t Turn) stop() llm.Stop {
	switch {
	case t.Stop != "":
		return t.Stop
	case len(t.Calls) > 0:
		return llm.StopTools
	}
	return llm.StopEnd
}

// pieces cuts a text as a stream does, without regard for words.
func pieces(s string) []string {
	var all []string
	runes := []rune(s)
	for len(runes) > 5 {
		all = append(all, string(runes[:5]))
		runes = runes[5:]
	}
	return append(all, string(runes))
}
