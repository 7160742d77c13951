package llmtest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/repomind/repomind/internal/llm/llmtest"
)

// post hands a request to the server without its port.
func post(t *testing.T, s *llmtest.Server, path, body string) int {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Anthropic-Version", "x")
	s.ServeHTTP(w, r)
	return w.Code
}
