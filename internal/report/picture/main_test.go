package main

import (
	"bytes"
	"os"
	"testing"
)

// The picture in the README is that of the report that a recorded conversation gives.
func TestReadmePicture(t *testing.T) {
	f, err := os.Open("../../run/testdata/cassette/gin.want")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	var b bytes.Buffer
	if err := draw(f, &b); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../../docs/report.svg")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, b.Bytes()) {
		t.Error("docs/report.svg is another one: go run ./internal/report/picture < internal/run/testdata/cassette/gin.want > docs/report.svg")
	}
}
