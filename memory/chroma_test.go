package memory_test

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// serve starts a Chroma server for the length of a test, or skips it: the command in
// REPOMIND_TEST_CHROMA, else chroma on the PATH. pip install chromadb brings it.
func serve(t *testing.T) string {
	t.Helper()
	path := os.Getenv("REPOMIND_TEST_CHROMA")
	if path == "" {
		found, err := exec.LookPath("chroma")
		if err != nil {
			t.Skip("no Chroma server here: set REPOMIND_TEST_CHROMA to the command chroma of pip install chromadb")
		}
		path = found
	}
	port := freePort(t)
	cmd := exec.Command(path, "run", "--host", "127.0.0.1", "--port", port, "--path", t.TempDir())
	cmd.Env = append(os.Environ(), "ANONYMIZED_TELEMETRY=false")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		if err := cmd.Process.Kill(); err == nil {
			<-ended
		}
	})
	url := "http://127.0.0.1:" + port
	wait(t, url, ended)
	return url
}

func wait(t *testing.T, url string, ended <-chan error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for !answers(ctx, url) {
		select {
		case err := <-ended:
			t.Fatalf("the server ended: %v", err)
		case <-ctx.Done():
			t.Fatal("the server does not answer")
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func answers(ctx context.Context, url string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/api/v2/heartbeat", nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}
