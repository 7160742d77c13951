package weights

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Puller says where files come from and who is told.
type Puller struct {
	// Mirror takes the place of every model's URL: a URL, below which the files of a
	// model are in a folder of its name, or a directory of that form. Zero means the
	// model's own.
	Mirror string
	// Progress is called as a file grows, from one goroutine. Nil means nobody asks.
	Progress func(Progress)
	// Limit is how many bytes a file of unknown size may have. Zero means 4 GB.
	Limit int64
	// Stall is how long a server may send nothing. Zero means a minute.
	Stall time.Duration
	// Transport carries the requests. Nil means one of its own with timeouts.
	Transport http.RoundTripper
}

// tries is how often a cut download goes on by itself, as long as each try brought
// something.
const tries = 5

// bring gets one file, checks it and gives it its name.
func (p Puller) bring(ctx context.Context, m Model, f File, path string) (File, error) {
	part, err := openPart(path)
	if err != nil {
		return File{}, err
	}
	defer part.close()
	fetch := p.download
	at := strings.TrimRight(m.URL, "/") + "/" + f.Name
	if dir, ok := p.directory(); ok {
		fetch, at = p.copy, filepath.Join(dir, m.Name, filepath.FromSlash(f.Name))
	} else if p.Mirror != "" {
		at = strings.TrimRight(p.Mirror, "/") + "/" + m.Name + "/" + f.Name
	}
	for n := 1; ; n++ {
		before := part.size
		err := fetch(ctx, at, f, part)
		if err == nil {
			break
		}
		if !errors.Is(err, ErrCut) || n == tries || part.size <= before || ctx.Err() != nil {
			return File{}, err
		}
	}
	return part.finish(f, path)
}

// directory is the mirror if it is one on this machine.
func (p Puller) directory() (string, bool) {
	if rest, ok := strings.CutPrefix(p.Mirror, "file://"); ok {
		return filepath.FromSlash(rest), true
	}
	return p.Mirror, p.Mirror != "" && !strings.Contains(p.Mirror, "://")
}

func (p Puller) copy(ctx context.Context, from string, f File, to *part) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if err := p.fits(f, info.Size()); err != nil {
		return err
	}
	if err := to.reset(); err != nil {
		return err
	}
	return to.fill(ctx, in, info.Size(), p.limit(), f.Name, p.Progress)
}

// fits refuses a size that is not f's.
func (p Puller) fits(f File, size int64) error {
	switch limit := p.limit(); {
	case f.Size > 0 && size != f.Size:
		return fmt.Errorf("%w: it has %d bytes, want %d", ErrSize, size, f.Size)
	case size > limit:
		return fmt.Errorf("%w: it has %d bytes, the limit is %d", ErrSize, size, limit)
	}
	return nil
}

func (p Puller) limit() int64 {
	if p.Limit > 0 {
		return p.Limit
	}
	return 4 << 30
}
