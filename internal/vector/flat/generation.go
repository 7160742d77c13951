package flat

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/repomind/repomind/internal/vector"
)

// generation is an opened pair of log and vectors, and what was read of it. A
// compaction begins another.
type generation struct {
	header
	shape
	log, vec *os.File
	id       os.FileInfo // of the log: a new generation takes its path
	read     int64       // the log is read up to here
	cut      int64       // bytes behind that which are no whole frame
	mapped   []byte      // the vectors, in whole segments
	table
}

const logName = "log"

func vecName(gen uint64) string { return fmt.Sprintf("vec-%d", gen) }

// openGeneration opens the files in dir; fs.ErrNotExist if there are none.
func openGeneration(dir string) (*generation, error) {
	for tries := 0; ; tries++ {
		g, err := openFiles(dir)
		// A compaction may have taken the vectors away between the two Opens.
		if !errors.Is(err, errNoVectors) || tries == 3 {
			return g, err
		}
	}
}

var errNoVectors = fmt.Errorf("the file of vectors is missing: %w", vector.ErrBroken)

func openFiles(dir string) (*generation, error) {
	g := &generation{table: table{rows: map[string]int32{}}}
	err := g.open(dir)
	if err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

func (g *generation) open(dir string) (err error) {
	if g.log, err = openRegular(filepath.Join(dir, logName)); err != nil {
		return err
	}
	if g.id, err = g.log.Stat(); err != nil {
		return err
	}
	if g.header, g.read, err = readHeader(g.log); err != nil {
		return err
	}
	g.shape = shapeOf(g.dim)
	g.vec, err = openRegular(filepath.Join(dir, vecName(g.gen)))
	if errors.Is(err, fs.ErrNotExist) {
		return errNoVectors
	}
	return err
}

// openRegular refuses what would block or never end.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no file: %w", filepath.Base(path), vector.ErrBroken)
	}
	return os.Open(path)
}

func (g *generation) close() error {
	var errs []error
	for _, f := range []*os.File{g.log, g.vec} {
		if f != nil {
			errs = append(errs, f.Close())
		}
	}
	errs = append(errs, unmap(g.mapped))
	g.mapped = nil
	return errors.Join(errs...)
}

// catchUp reads the frames that were written since. What is no whole frame at the
// end is a write under way, or one whose process died: it stays unread, in cut.
func (g *generation) catchUp() error {
	for tries := 0; ; tries++ {
		err := g.readOn()
		// A writer may have replaced such an end while it was read.
		if !errors.Is(err, errDamaged) || tries == 3 {
			return err
		}
	}
}

func (g *generation) readOn() error {
	info, err := g.log.Stat()
	if err != nil {
		return err
	}
	end := info.Size()
	if end > maxLog || end < g.read {
		return fmt.Errorf("a log of %d bytes, of which %d were read: %w", end, g.read, vector.ErrBroken)
	}
	tail := newTail(g.log, g.read, end)
	for {
		payload, ok, err := tail.frame(g.salt)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := g.apply(payload); err != nil {
			return err
		}
		g.read = tail.at
	}
	g.cut = end - g.read
	return tail.torn(g.salt)
}

// apply takes in the entries of a frame, all or none.
func (g *generation) apply(payload string) (err error) {
	entries, err := decode(payload)
	if err != nil {
		return err
	}
	puts := 0
	for _, e := range entries {
		if e.op == opPut {
			puts++
		}
	}
	if err := g.show(len(g.codes) + puts); err != nil {
		return err
	}
	if err := g.verify(entries); err != nil {
		return err
	}
	g.table.apply(entries)
	return nil
}

// verify compares the int8 rows with their checksums: every scan relies on them.
func (g *generation) verify(entries []entry) (err error) {
	defer guard(&err)()
	row := len(g.codes)
	for _, e := range entries {
		if e.op != opPut {
			continue
		}
		if sum(g.row8(row)) != e.sum8 {
			return fmt.Errorf("row %d of the vectors has another checksum: %w", row, vector.ErrBroken)
		}
		row++
	}
	return nil
}

// show maps the file so that it holds that many rows.
func (g *generation) show(rows int) error {
	if rows > maxRows {
		return fmt.Errorf("more than %d rows: %w", maxRows, vector.ErrBroken)
	}
	need := int64(segments(rows)) * g.size()
	if need <= int64(len(g.mapped)) && (mapsGrow || rows == len(g.codes)) {
		return nil
	}
	info, err := g.vec.Stat()
	if err != nil {
		return err
	}
	if info.Size() < need {
		return fmt.Errorf("%d rows in a file of vectors of %d bytes: %w", rows, info.Size(), vector.ErrBroken)
	}
	// The writer makes the file larger than it needs: map what is there, in reason.
	mapped, err := mapFile(g.vec, int(min(info.Size()/g.size()*g.size(), 2*need)))
	if err != nil {
		return fmt.Errorf("map the vectors: %w", err)
	}
	err = unmap(g.mapped)
	g.mapped = mapped
	return err
}

func (g *generation) row8(row int) []byte { return g.mapped[g.at8(row):][:g.width] }

// row32 gives the vector of a row, padded, after a look at its checksum. It shows
// the file and is good only while the generation is.
func (g *generation) row32(row int) ([]float32, error) {
	b := g.mapped[g.at32(row):][:g.width*4]
	if sum(b) != g.sums[row] {
		return nil, fmt.Errorf("row %d of the vectors has another checksum: %w", row, vector.ErrBroken)
	}
	return floats(b), nil
}
