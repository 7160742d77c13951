package react

import (
	"errors"

	"github.com/repomind/repomind/internal/llm"
)

// Task is what the model has to do. Text that is not ours is already fenced, with the
// Fence of the loop.
type Task struct {
	System string
	User   string
	Images []llm.Image
}

// Result is what came of a loop. Even with an error it holds what was said and done.
type Result struct {
	Answer   string // where it ended by a limit or stuck, this may be no more than the last thing that was said
	End      End
	Rounds   int // turns of the model
	Usage    llm.Usage
	Calls    []Call
	Messages []llm.Message // all that was said, before anything was taken out for room
}

// End says why a loop ended.
type End string

// The ends of a loop.
const (
	EndAnswer End = "answer" // the model had seen enough
	EndRounds End = "rounds" // it had to answer in the last round
	EndBudget End = "budget" // tokens or cost had run out
	EndStuck  End = "stuck"  // three bad turns in a row; the answer is the last thing it said
	EndError  End = "error"
)

// ErrNoAnswer ends a loop whose model said nothing that could be taken for an answer.
var ErrNoAnswer = errors.New("react: the model gave no answer")
