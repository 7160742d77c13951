// Package vector keeps collections of vectors with small typed metadata, and finds
// the nearest by cosine.
//
// There is a collection for each repository and embedding model, named by a [Key].
// Two stores stand behind [Store]: package flat, files on this machine and the
// default, and package chroma, a Chroma server. Both pass package vectortest, so
// what is said here holds for both; where one does less, its own documentation
// says it.
package vector

import "context"

// Key names a collection: what was embedded, and by which model. Both are text of
// 1 to 256 bytes without control characters.
type Key struct {
	Repo  string
	Model string
}

func (k Key) String() string { return k.Repo + " by " + k.Model }

// Info describes a collection that exists.
type Info struct {
	Key
	Dim int
}

// Store holds collections. It may be used by several goroutines, and the place
// behind it by several processes.
type Store interface {
	// Open gives the collection of that name and makes it where there is none. dim
	// is the length of its vectors, 1 to MaxDim; ErrDimension if it was made with
	// another.
	Open(ctx context.Context, key Key, dim int) (Collection, error)
	// List gives the collections in the order of their keys. If some cannot be read
	// it gives the others, and an error that is ErrBroken.
	List(ctx context.Context) ([]Info, error)
	// Remove ends a collection, a broken one too; ErrNotFound if there is none.
	Remove(ctx context.Context, key Key) error
}

// Collection holds items of one dimension. It may be used by several goroutines:
// a reader sees of each write all or nothing of its items. If the collection has
// been removed from its store, all methods but Close give ErrNotFound.
type Collection interface {
	// Upsert adds items, or replaces those of the same ID, metadata and all. Of two
	// with one ID the later stays. When it returns nil the items are durable. A
	// call that is invalid changes nothing (ErrInvalid, ErrDimension); one that
	// fails later may have stored a beginning of the items, and may be repeated.
	Upsert(ctx context.Context, items []Item) error
	// Query gives at most q.K items, the nearest first; equal scores in the order
	// of their IDs.
	Query(ctx context.Context, q Query) ([]Match, error)
	// Get gives the items with these IDs, in their order; those unknown are left out.
	Get(ctx context.Context, ids ...string) ([]Item, error)
	// Delete removes items; unknown IDs do not matter.
	Delete(ctx context.Context, ids ...string) error
	// Count is the number of items.
	Count(ctx context.Context) (int, error)
	// Close lets go of the collection, which stays in its store.
	Close() error
}

// Item is a vector with a name and what is to be known of it.
type Item struct {
	ID     string    // 1 to MaxID bytes of UTF-8 without NUL
	Vector []float32 // any but zero; kept, and given back, scaled to length one
	Meta   Meta
}

// Query asks for the items nearest to a vector.
type Query struct {
	Vector []float32
	K      int  // zero means 10, at most MaxK
	Where  Meta // an item must have all of these pairs; nil takes every item
}

// Match is an item that was found. Score is the cosine of the two vectors, -1 to 1,
// right to 1e-6.
type Match struct {
	ID    string
	Score float64
	Meta  Meta
}
