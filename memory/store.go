package memory

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/mattn/go-sqlite3"

	"github.com/repomind/repomind/internal/vector"
)

// Config says how lessons are compared. The zero value compares words.
type Config struct {
	// Encoder, Model and Vectors compare by meaning as well; there are all of them or
	// none. Model is the encoder's name, by which its vectors are told from others.
	Encoder Encoder
	Model   string
	Vectors vector.Store
	// BusyTimeout is how long to wait for another process. Zero means 10 s.
	BusyTimeout time.Duration
}

func (c Config) withDefaults() (Config, error) {
	if c.BusyTimeout == 0 {
		c.BusyTimeout = 10 * time.Second
	}
	if all := c.Encoder != nil; all != (c.Vectors != nil) || all != (c.Model != "") {
		return c, fmt.Errorf("an encoder, its model's name and a store of vectors go together: %w", ErrInvalid)
	}
	if c.Encoder == nil {
		return c, nil
	}
	return c, vector.Key{Repo: "any", Model: c.Model}.Check()
}

// Store is a memory file. It may be used by several goroutines, and the file by several
// processes.
type Store struct {
	cfg  Config
	path string
	file os.FileInfo
	name string // of the file, for its vectors
	db   *sql.DB

	mu     sync.Mutex
	ground *float64 // see floor
}

// Open opens a memory file, and makes it with mode 0600 where there is none, and its
// folder with 0700. The error is ErrBroken for a file that is damaged or something else,
// and ErrNewer for one that a newer version made; neither is changed.
func Open(path string, c Config) (*Store, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	s := &Store{cfg: c, path: path}
	if err := s.open(); err != nil {
		return nil, fmt.Errorf("open memory %s: %w", path, errors.Join(plain(err), s.Close()))
	}
	return s, nil
}

func (s *Store) open() (err error) {
	if s.path, err = filepath.Abs(s.path); err != nil {
		return err
	}
	if s.file, err = private(s.path); err != nil {
		return err
	}
	uri := url.URL{Scheme: "file", Path: s.path}
	dsn := fmt.Sprintf("%s?_busy_timeout=%d&_txlock=immediate&_synchronous=FULL&_secure_delete=true", uri.String(), s.cfg.BusyTimeout.Milliseconds())
	if s.db, err = sql.Open("sqlite3", dsn); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(1) // all that is done with it is short
	if err := s.migrate(); err != nil {
		return err
	}
	return s.db.QueryRow("SELECT name FROM memory").Scan(&s.name)
}

// private makes the file if there is none, such that nobody else can read it. SQLite
// gives the files that it puts beside it the same mode.
func private(path string) (os.FileInfo, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	return info, errors.Join(err, f.Close())
}

// Close lets go of the file; everything is stored already.
func (s *Store) Close() error {
	if s.db == nil {
		return nil
	}
	return s.db.Close()
}

// same checks that the path still leads to the file that was opened: what is written to a
// deleted file is lost without an error.
func (s *Store) same() error {
	now, err := os.Stat(s.path)
	if err == nil && !os.SameFile(now, s.file) {
		err = errors.New("it is another file now")
	}
	if err != nil {
		return fmt.Errorf("memory %s was deleted or replaced since it was opened: %w", s.path, err)
	}
	return nil
}

// plain says what a person can do where SQLite says that a file is no good.
func plain(err error) error {
	var e sqlite3.Error
	if !errors.As(err, &e) || e.Code != sqlite3.ErrCorrupt && e.Code != sqlite3.ErrNotADB {
		return err
	}
	return fmt.Errorf("%w: %w; nothing was changed: move it away to begin with an empty memory, or try sqlite3's .recover on it", ErrBroken, err)
}
