package code

import (
	"fmt"
	"path/filepath"

	"github.com/repomind/repomind/internal/records"
)

// The cache is records by a blob with the language that it was read as, as that is
// not told by the content; see keyOf. For what is in a record see record.go.

const (
	cacheName = "symbols.idx"
	// cacheVersion changes with the record's format and with what the extractors find.
	cacheVersion = 5
)

// loadCache gives an empty cache beside an error.
func loadCache(dir string) (records.Records, error) {
	if dir == "" {
		return records.Records{}, nil
	}
	kept, err := records.Load(filepath.Join(dir, cacheName), cacheVersion)
	if err != nil {
		return kept, fmt.Errorf("read the symbol cache: %w", err)
	}
	return kept, nil
}

func saveCache(dir string, kept records.Records, used map[string]bool) error {
	if err := kept.Save(filepath.Join(dir, cacheName), cacheVersion, used); err != nil {
		return fmt.Errorf("write the symbol cache: %w", err)
	}
	return nil
}
