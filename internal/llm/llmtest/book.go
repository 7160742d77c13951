package llmtest

import (
	"fmt"
	"strings"
	"testing"
)

// Page is what a [Book] says to requests that hold a text.
type Page struct {
	Asked string
	// Turns are for the first turn of a conversation, the second, and so on; the last one
	// is for all that follow.
	Turns []Turn
}

// Book answers by what is asked and how far the conversation is, whatever the order of
// the requests. The first page that fits is taken.
type Book []Page

// NewBookServer serves the pages of a book, to any number of requests. One that no page
// fits fails the test.
func NewBookServer(t testing.TB, wire Wire, book Book) *Server {
	t.Helper()
	s := NewServer(t, wire)
	s.mu.Lock() // it serves already
	defer s.mu.Unlock()
	s.book = book
	return s
}

// turn gives the answer to a request.
func (b Book) turn(h Heard) (Turn, error) {
	all := strings.Join(h.Said, "\n")
	for _, p := range b {
		if strings.Contains(all, p.Asked) {
			return p.Turns[min(spoken(h.Said), len(p.Turns)-1)], nil
		}
	}
	return Turn{}, fmt.Errorf("no page of the book fits the request %.300q", all)
}

// spoken counts the turns that the model had in a conversation.
func spoken(said []string) (n int) {
	before := false
	for _, line := range said {
		is := strings.HasPrefix(line, "assistant")
		if is && !before {
			n++
		}
		before = is
	}
	return n
}
