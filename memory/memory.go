package memory

import (
	"context"
	"errors"
	"time"

	"github.com/repomind/repomind/internal/report"
)

// What a Store takes at most; texts count in bytes.
const (
	MaxTitle   = 500
	MaxText    = 8 << 10
	MaxFiles   = 50
	MaxPath    = 1024 // a longer path is left out
	MaxLessons = 1000 // of one repository and kind
	MaxName    = 4096 // of a repository; of a run and a kind 256
)

var (
	// ErrInvalid is a lesson, a question or a filter that no store takes.
	ErrInvalid = errors.New("invalid")
	// ErrNotFound is a lesson that is not there, or no longer.
	ErrNotFound = errors.New("no such lesson")
	// ErrBroken is a file that is damaged or no memory. It is left as it is.
	ErrBroken = errors.New("not a sound memory file")
	// ErrNewer is a file that a newer version of the program made.
	ErrNewer = errors.New("memory file of a newer version")
)

// Kind says what a run was about.
type Kind string

// The kinds that the program has. Others may be added; they are kept apart as well.
const (
	Issue  Kind = "issue"
	Review Kind = "pr_review"
)

// Lesson is what a finished run found.
type Lesson struct {
	// ID is given by the store; Save ignores it.
	ID int64
	// Run is the run's name, of which a repository and kind have one lesson.
	Run string
	// Repo is host/owner/name, or the directory, always in the same spelling.
	Repo string
	Kind Kind
	// IssueKind is what sort of issue it was. Empty is unknown.
	IssueKind report.Kind
	Title     string
	// Text is the root cause and what mends it, in a paragraph.
	Text string
	// Files are the paths from the root that it is about, the most important first.
	Files []string
	// Class says how sure it is; none means that the run did not finish.
	Class report.Class
	// Confidence is from 0 to 1.
	Confidence float64
	// Commit is the full name of the commit that was looked at. Empty is unknown.
	Commit string
	// Saved is when, by the caller's clock. It is kept to the millisecond, in UTC.
	Saved time.Time
}

// Query asks for lessons of one repository and kind.
type Query struct {
	Repo  string
	Kind  Kind
	Title string
	Body  string
	// Files are paths that the question names.
	Files []string
	// Limit is how many lessons at most. Zero means 3.
	Limit int
}

// Recall is what is known that fits a question.
type Recall struct {
	// Lessons are those that fit, the best first; mostly there are none.
	Lessons []Recalled
	// Notes say what was not done as it should be, such as that vectors were out of
	// reach and words alone were compared.
	Notes []string
}

// Recalled is a lesson that fits.
type Recalled struct {
	Lesson
	// Score is from 0.5, just similar enough, to 1, the same.
	Score float64
	// Why says in words what is alike: "similar words: reader, quote; same files: csv.py;
	// similar meaning".
	Why string
}

// Encoder turns texts into vectors, all of one length, in order.
type Encoder interface {
	Encode(ctx context.Context, texts []string) ([][]float32, error)
}
