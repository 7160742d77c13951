package vector

import "errors"

var (
	// ErrInvalid is a key, ID, metadata, vector or number that no store takes.
	ErrInvalid = errors.New("invalid")
	// ErrDimension is a vector whose length is not the collection's.
	ErrDimension = errors.New("wrong dimension")
	// ErrNotFound is a collection that does not exist, or no longer.
	ErrNotFound = errors.New("no such collection")
	// ErrBroken is stored data, or an answer of a server, that cannot be right.
	// Remove the collection and fill it again.
	ErrBroken = errors.New("broken")
	// ErrUnavailable is a store that could not be reached or would not serve now.
	ErrUnavailable = errors.New("unavailable")
	// ErrClosed is the use of a collection after its Close.
	ErrClosed = errors.New("closed")
)
