package weights

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// sumsFile has the form that sha256sum -c reads.
const sumsFile = "SHA256SUMS"

// sums are the digests of a directory's files, by name.
type sums map[string]string

func readSums(dir string) (sums, error) {
	data, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return sums{}, nil
	}
	if err != nil {
		return nil, err
	}
	s := sums{}
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok || len(sum) != 2*sha256.Size {
			return nil, fmt.Errorf("%s has the line %.80q, want a digest, two spaces and a name", sumsFile, line)
		}
		s[name] = sum
	}
	return s, nil
}

func (s sums) write(dir string) error {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(&b, "%s  %s\n", s[name], name)
	}
	f, err := os.CreateTemp(dir, sumsFile+".*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(b.String())
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(dir, sumsFile))
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// digest gives size and digest of a file.
func digest(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	return File{Size: n, SHA256: fmt.Sprintf("%x", h.Sum(nil))}, err
}
