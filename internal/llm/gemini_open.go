package llm

import (
	"context"
	"errors"
	"net/http"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/googleai"
	"google.golang.org/api/option/internaloption"
	gtransport "google.golang.org/api/transport/grpc"
	"google.golang.org/grpc"
)

// open gives both a client and a key that is none: without the first langchaingo
// would go round our transport, and without the second look for Google's own
// credentials in files and on the network.
//
// Google's library also opens a second connection, by gRPC, for a cache that is not
// used here: to Google, at once, and whatever the address of the model. It gets a
// pool that leads nowhere; that this stands beside a client is what is not checked.
func (geminiAPI) open(client *http.Client, model string) (llms.Model, error) {
	alone := func(o *googleai.Options) {
		o.ClientOptions = append(o.ClientOptions, internaloption.SkipDialSettingsValidation(), gtransport.WithConnPool(nowhere{}))
	}
	return googleai.New(context.Background(), googleai.WithAPIKey(placeholder), googleai.WithHTTPClient(client), googleai.WithDefaultModel(model), alone)
}

// nowhere is a pool of connections without one.
type nowhere struct{}

var errNowhere = errors.New("no connection but the transport's")

func (nowhere) Conn() *grpc.ClientConn { return nil }
func (nowhere) Num() int               { return 0 }
func (nowhere) Close() error           { return nil }

func (nowhere) Invoke(context.Context, string, any, any, ...grpc.CallOption) error {
	return errNowhere
}

func (nowhere) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	return nil, errNowhere
}
