package llm

import (
	"net/http"

	"github.com/tmc/langchaingo/llms"
)

// dialect is one of the three APIs. langchaingo writes the requests and reads the
// answers; a dialect puts right, on the way through, what langchaingo v0.1.14 cannot
// say or would lose. Each fault is pinned by a test in faults_test.go.
type dialect interface {
	// open makes langchaingo's client. It gets neither key nor address.
	open(client *http.Client, model string) (llms.Model, error)
	// message and tools are in the shape that langchaingo's client takes whole.
	message(m Message) []llms.MessageContent
	tools(tools []Tool) []llms.Tool

	// path is where the call goes, behind the provider's address.
	path(model string, stream bool) string
	authorize(h http.Header, key string)
	// patch mends the body that langchaingo wrote.
	patch(body fields, x *exchange) error

	// read takes a whole answer.
	read(data []byte, x *exchange) (answer, error)
	// stream takes an answer in events.
	stream(x *exchange) assembler
	// write is a well-formed answer that langchaingo's client reads without a fault.
	// asked is the path that the client called.
	write(a answer, asked string) ([]byte, error)
}

// assembler puts an answer together from the events of a stream.
type assembler interface {
	// event takes the data of one event and gives the text that it adds.
	event(data []byte) (delta string, err error)
	// answer is what has come so far.
	answer() answer
}
