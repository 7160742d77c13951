module github.com/repomind/repomind

go 1.26.0

require (
	github.com/cenkalti/backoff/v4 v4.3.0
	github.com/mattn/go-sqlite3 v1.14.53
	go.opentelemetry.io/otel v1.47.0
	go.opentelemetry.io/otel/trace v1.47.0
)

require github.com/cespare/xxhash/v2 v2.3.0 // indirect
