// Package chroma keeps vectors in a Chroma server, over version 2 of its HTTP
// interface. That is this package's own client: the module amikos-tech/chroma-go
// at v0.1.4 speaks version 1, which servers have answered with 410 Gone since 1.0.
//
// It does less than package vector says in these ways. The server searches an
// approximate graph (HNSW), so an answer may miss an item, most of all under a
// Where that few items fulfil. An Upsert of more items than one request may carry
// is several writes. Metadata is replaced by reading what is there first, so two
// who write the same ID at once may leave a mixture of both. And a Query that meets
// the very first write to a collection may be refused by the server (500 "Nothing
// found on disk", seen at 1.5.9), which is vector.ErrUnavailable.
package chroma

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/repomind/repomind/internal/vector"
)

// Config says where the server is.
type Config struct {
	// URL is the address of the server. Zero means http://127.0.0.1:8000.
	URL string
	// Tenant and Database must exist. Zero means default_tenant, default_database.
	Tenant, Database string
	// Token is sent as X-Chroma-Token, and nowhere but to URL. Zero means none.
	Token string
	// Timeout is for each request. Zero means 30 s.
	Timeout time.Duration
	// Transport carries the requests. Zero means http.DefaultTransport.
	Transport http.RoundTripper
}

// Store is a database of a server; see [Open].
type Store struct {
	client client
	base   string // path of the collections
}

var _ vector.Store = (*Store)(nil)

// Open gives the store. It checks the URL, and sends nothing.
func Open(config Config) (*Store, error) {
	u, err := url.Parse(cmp.Or(config.URL, "http://127.0.0.1:8000"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("address of the Chroma server: want http(s)://host:port: %w", vector.ErrInvalid)
	}
	api := u.JoinPath("api", "v2", "tenants", url.PathEscape(cmp.Or(config.Tenant, "default_tenant")),
		"databases", url.PathEscape(cmp.Or(config.Database, "default_database")), "collections")
	return &Store{client: newClient(config), base: api.String()}, nil
}

// description is a collection as the server gives it. What it is for stands in
// its metadata, since its name can hold neither a path nor 500 characters.
type description struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Metadata *about `json:"metadata"`
}

type about struct {
	Repo  string `json:"repomind_repo"`
	Model string `json:"repomind_model"`
	Dim   int    `json:"repomind_dim"`
}

type creation struct {
	Name          string        `json:"name"`
	GetOrCreate   bool          `json:"get_or_create"`
	Configuration configuration `json:"configuration"`
	Metadata      about         `json:"metadata"`
}

type configuration struct {
	HNSW hnsw `json:"hnsw"`
}

type hnsw struct {
	Space string `json:"space"`
}

// Open implements vector.Store.
func (s *Store) Open(ctx context.Context, key vector.Key, dim int) (vector.Collection, error) {
	if err := errors.Join(key.Check(), vector.CheckDim(dim)); err != nil {
		return nil, err
	}
	make := creation{name(key), true, configuration{hnsw{"cosine"}}, about{key.Repo, key.Model, dim}}
	var d description
	if err := s.client.post(ctx, s.base, make, &d); err != nil {
		return nil, fmt.Errorf("open collection %s: %w", key, err)
	}
	switch info, err := d.info(); {
	case err != nil:
		return nil, fmt.Errorf("open collection %s: %w", key, err)
	case info.Key != key:
		return nil, fmt.Errorf("open collection %s: the server has %s by its name: %w", key, info.Key, vector.ErrBroken)
	case info.Dim != dim:
		return nil, fmt.Errorf("open collection %s: it holds vectors of %d numbers, not %d: %w", key, info.Dim, dim, vector.ErrDimension)
	}
	return &collection{client: s.client, url: s.base + "/" + url.PathEscape(d.ID), key: key, dim: dim}, nil
}

// info reads a description of a collection of ours.
func (d description) info() (vector.Info, error) {
	if d.ID == "" || d.Metadata == nil {
		return vector.Info{}, fmt.Errorf("the server describes a collection without its ID or metadata: %w", vector.ErrBroken)
	}
	key := vector.Key{Repo: d.Metadata.Repo, Model: d.Metadata.Model}
	if errors.Join(key.Check(), vector.CheckDim(d.Metadata.Dim)) != nil || d.Name != name(key) {
		return vector.Info{}, fmt.Errorf("the server's collection %.40q does not say what it is for: %w", d.Name, vector.ErrBroken)
	}
	return vector.Info{Key: key, Dim: d.Metadata.Dim}, nil
}

const (
	listPage = 200
	maxPages = 500
)

// List implements vector.Store. Collections that others made are left out.
func (s *Store) List(ctx context.Context) ([]vector.Info, error) {
	var list []vector.Info
	var errs []error
	for page := range maxPages {
		var ds []description
		err := s.client.get(ctx, fmt.Sprintf("%s?limit=%d&offset=%d", s.base, listPage, page*listPage), &ds)
		if err != nil {
			return nil, fmt.Errorf("list collections: %w", err)
		}
		for _, d := range ds {
			if !ours(d.Name) {
				continue
			}
			info, err := d.info()
			if err != nil {
				errs = append(errs, err)
				continue
			}
			list = append(list, info)
		}
		if len(ds) < listPage {
			break
		}
		if page == maxPages-1 {
			errs = append(errs, fmt.Errorf("more than %d collections: %w", maxPages*listPage, vector.ErrBroken))
		}
	}
	slices.SortFunc(list, func(a, b vector.Info) int {
		return cmp.Or(cmp.Compare(a.Repo, b.Repo), cmp.Compare(a.Model, b.Model))
	})
	return list, errors.Join(errs...)
}

// Remove implements vector.Store.
func (s *Store) Remove(ctx context.Context, key vector.Key) error {
	if err := key.Check(); err != nil {
		return err
	}
	if err := s.client.delete(ctx, s.base+"/"+name(key)); err != nil {
		return fmt.Errorf("remove collection %s: %w", key, err)
	}
	return nil
}

const prefix = "repomind-"

func name(k vector.Key) string {
	h := sha256.Sum256([]byte(k.Repo + "\x00" + k.Model))
	return prefix + hex.EncodeToString(h[:16])
}

func ours(name string) bool { return len(name) == len(prefix)+32 && name[:len(prefix)] == prefix }
