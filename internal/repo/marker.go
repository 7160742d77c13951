package repo

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// The marker stands in a clone that is whole, and is written last. Its time is when
// the clone was last used.
const (
	markerFile    = "repomind.json"
	markerVersion = 1
)

type marker struct {
	Version int              `json:"version"`
	Origin  string           `json:"origin"`
	MaxBlob int64            `json:"max_blob"` // the limit that the clone was made with
	Packs   map[string]int64 `json:"packs"`    // size by name: a pack that was cut is seen
}

func writeMarker(dir string, from Origin, maxBlob int64) error {
	packs, err := packSizes(dir)
	if err != nil {
		return err
	}
	text, err := json.Marshal(marker{markerVersion, from.String(), maxBlob, packs})
	if err != nil {
		return err
	}
	part := filepath.Join(dir, markerFile+".part")
	if err := os.WriteFile(part, text, 0o600); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(dir, markerFile))
}

// whole tells whether a clone is finished, of this version and this blob limit, and
// has the packs that it was left with.
func whole(dir string, maxBlob int64) bool {
	m, err := readMarker(dir)
	if err != nil || m.Version != markerVersion || m.MaxBlob != maxBlob {
		return false
	}
	packs, err := packSizes(dir)
	if err != nil {
		return false
	}
	for name, size := range m.Packs {
		if packs[name] != size {
			return false
		}
	}
	return true
}

func readMarker(dir string) (m marker, err error) {
	text, err := os.ReadFile(filepath.Join(dir, markerFile))
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	return m, err
}

func packSizes(dir string) (map[string]int64, error) {
	entries, err := os.ReadDir(filepath.Join(dir, "objects", "pack"))
	if err != nil {
		return nil, err
	}
	sizes := map[string]int64{}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".pack") || strings.HasSuffix(e.Name(), ".idx") {
			info, err := e.Info()
			if err != nil {
				return nil, err
			}
			sizes[e.Name()] = info.Size()
		}
	}
	return sizes, nil
}

func removeMarker(dir string) error { return os.Remove(filepath.Join(dir, markerFile)) }
