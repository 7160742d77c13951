package github

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
)

// cache keeps answers on disk for conditional requests: a 304 costs nothing of the
// rate limit. A file has a random-looking name, a line of JSON, and the body. The
// name is a keyed hash of address and Accept under the token, so that no answer is
// given to another token, and the token is in none of it. A nil cache keeps nothing.
type cache struct {
	root       *os.Root
	token      Token
	total, one int64
}

// key names an answer.
type key struct{ address, accept, file string }

// head is the first line of a file.
type head struct {
	Address, Accept, ETag, Link string
	SHA256                      string // of the body
}

const (
	block   = 4096 // what even a small file takes
	maxHead = 16 << 10
)

func openCache(cfg Config) (*cache, error) {
	if err := os.MkdirAll(cfg.CacheDir, 0o700); err != nil {
		return nil, fmt.Errorf("open the cache: %w", err)
	}
	root, err := os.OpenRoot(cfg.CacheDir)
	if err != nil {
		return nil, fmt.Errorf("open the cache: %w", err)
	}
	return &cache{root, cfg.Token, cmp.Or(cfg.CacheBytes, 64<<20), cmp.Or(cfg.CacheBody, 4<<20)}, nil
}

func (c *cache) key(address, accept string) key {
	if c == nil {
		return key{}
	}
	m := hmac.New(sha256.New, []byte(c.token.Reveal()))
	fmt.Fprintf(m, "%s\n%s", address, accept)
	return key{address, accept, hex.EncodeToString(m.Sum(nil))}
}

// load gives a kept answer. What cannot be read or does not fit its hash is absent:
// the answer is then asked for anew and the file replaced.
func (c *cache) load(k key) (answer, bool) {
	if c == nil {
		return answer{}, false
	}
	data, err := c.file(k.file)
	if err != nil {
		return answer{}, false
	}
	line, body, _ := bytes.Cut(data, []byte("\n"))
	var h head
	if json.Unmarshal(line, &h) != nil || h.Address != k.address || h.Accept != k.accept || h.SHA256 != sum(body) || h.ETag == "" {
		return answer{}, false
	}
	a := answer{status: http.StatusOK, header: http.Header{"Etag": {h.ETag}}, body: body}
	if h.Link != "" {
		a.header.Set("Link", h.Link)
	}
	return a, true
}

// file looks before it opens: to open a pipe that somebody put there would hang.
func (c *cache) file(name string) ([]byte, error) {
	info, err := c.root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a file of the cache", name)
	}
	f, err := c.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, c.one+maxHead))
}

// save keeps an answer that has an ETag, is small enough, and does not repeat the
// token. The file appears whole or not at all.
func (c *cache) save(k key, a answer) error {
	etag := a.header.Get("Etag")
	if c == nil || etag == "" || int64(len(a.body)) > c.one {
		return nil
	}
	line, err := json.Marshal(head{k.address, k.accept, etag, a.header.Get("Link"), sum(a.body)})
	if err != nil {
		return fmt.Errorf("write to the cache: %w", err)
	}
	data := slices.Concat(line, []byte("\n"), a.body)
	if len(line) >= maxHead || c.token.holds(string(data)) {
		return nil
	}
	if err := c.write(k.file, data); err != nil {
		return fmt.Errorf("write to the cache: %w", err)
	}
	return c.evict()
}

func (c *cache) write(name string, data []byte) error {
	tmp := "tmp-" + rand.Text()
	f, err := c.root.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = c.root.Rename(tmp, name)
	}
	if err != nil {
		c.root.Remove(tmp)
	}
	return err
}

func sum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
