package embed

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Cache is an encoder that remembers what another one gave, in a file of a
// directory. The file is found by the encoder's name and the vectors by a hash of
// name and text, so that nothing is ever given for another model or text.
//
// Any number of processes can use the directory at the same time. A damaged or cut
// part of the file costs the vectors in it and nothing else.
type Cache struct {
	of   Encoder
	path string

	mu      sync.Mutex
	log     *log
	failure error
}

// OpenCache opens the cache of an encoder, and makes the directory if need be. A
// file of more than limit bytes is begun anew; zero means 1 GB.
func OpenCache(dir string, of Encoder, limit int64) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(of.Name()))
	path := filepath.Join(dir, fmt.Sprintf("%x.vectors", sum[:8]))
	if info, err := os.Stat(path); err == nil && info.Size() > or(limit, 1<<30) {
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := openLog(path)
	if err != nil {
		return nil, fmt.Errorf("open the vector cache: %w", err)
	}
	return &Cache{of: of, path: path, log: l}, nil
}

// Name is the encoder's.
func (c *Cache) Name() string { return c.of.Name() }

// Dim is the encoder's.
func (c *Cache) Dim() int { return c.of.Dim() }

// Close closes the file.
func (c *Cache) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log.close()
}

// Len is how many vectors are known.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.log.at)
}

// Dropped is how many bytes of the file were damaged and are not used.
func (c *Cache) Dropped() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log.dropped + c.log.pending
}

// Err is what kept the cache from being written or read, if something did. Vectors
// are given all the same; they were computed and not remembered.
func (c *Cache) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// step is how many texts are asked for before the answers are written down.
const step = 256

// Encode gives known vectors from the file and asks the encoder for the others,
// each text once. What was encoded before a failure is remembered.
func (c *Cache) Encode(ctx context.Context, texts []string) ([][]float32, error) {
	out, keys, missing := c.lookUp(texts)
	fresh := make(map[key][]float32, len(missing))
	for some := range slices.Chunk(missing, step) {
		ask := make([]string, 0, len(some))
		for _, i := range some {
			ask = append(ask, texts[i])
		}
		vectors, err := c.of.Encode(ctx, ask)
		if err != nil {
			return nil, err
		}
		for n, i := range some {
			fresh[keys[i]] = vectors[n]
		}
		c.remember(fresh, keys, some)
	}
	for i := range out {
		if out[i] == nil {
			out[i] = slices.Clone(fresh[keys[i]])
		}
	}
	return out, nil
}

// lookUp gives the known vectors, and the indexes of texts that are not known: of
// equal ones the first.
func (c *Cache) lookUp(texts []string) (out [][]float32, keys []key, missing []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note(c.log.refresh())
	out, keys = make([][]float32, len(texts)), make([]key, len(texts))
	asked := map[key]bool{}
	for i, text := range texts {
		keys[i] = keyOf(c.of.Name(), text)
		v, err := c.log.get(keys[i])
		c.note(err)
		if out[i] = v; v == nil && !asked[keys[i]] {
			asked[keys[i]] = true
			missing = append(missing, i)
		}
	}
	return out, keys, missing
}

func (c *Cache) remember(fresh map[key][]float32, keys []key, some []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return
	}
	var b []byte
	for _, i := range some {
		b = appendRecord(b, keys[i], fresh[keys[i]])
	}
	c.note(c.log.append(b))
}

func (c *Cache) note(err error) {
	if err != nil && c.failure == nil {
		c.failure = fmt.Errorf("vector cache %s: %w", c.path, err)
	}
}

// key is the hash of a model's name and a text.
type key [sha256.Size]byte

func keyOf(name, text string) key {
	h := sha256.New()
	fmt.Fprintf(h, "%d %s\n", len(name), name)
	h.Write([]byte(text))
	return key(h.Sum(nil))
}

var errRecord = errors.New("a record changed under us")
