package chroma_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/repomind/repomind/internal/vector"
	"github.com/repomind/repomind/internal/vector/chroma"
	"github.com/repomind/repomind/internal/vector/vectortest"
)

// TestServer runs the suite against a Chroma server of this machine: the command
// in REPOMIND_TEST_CHROMA, else chroma on the PATH. pip install chromadb brings it.
func TestServer(t *testing.T) {
	url := serve(t)
	databases := 0
	var mu sync.Mutex
	vectortest.Run(t, func(t *testing.T) func() vector.Store {
		mu.Lock()
		databases++
		name := "test-" + strconv.Itoa(databases)
		mu.Unlock()
		createDatabase(t, url, name)
		return func() vector.Store {
			s, err := chroma.Open(chroma.Config{URL: url, Database: name})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	})
}

// TestServerRefusesVersion1 is why this package has a client of its own.
func TestServerRefusesVersion1(t *testing.T) {
	resp, err := http.Get(serve(t) + "/api/v1/heartbeat")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusGone {
		t.Errorf("status %s, want 410 Gone", resp.Status)
	}
}

// serve starts a server for the length of a test, or skips it.
func serve(t testing.TB) string {
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
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
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
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for !answers(ctx, url) {
		select {
		case err := <-ended:
			t.Fatalf("%s ended: %v\n%s", path, err, out.Bytes())
		case <-ctx.Done():
			t.Fatalf("%s does not answer", path)
		case <-time.After(20 * time.Millisecond):
		}
	}
	return url
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

func freePort(t testing.TB) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

func createDatabase(t testing.TB, url, name string) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"name": name})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.Post(url+"/api/v2/tenants/default_tenant/databases", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("create database: %s", resp.Status)
	}
}
