package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
)

// getNPM asks for the package as its author packed it.
func getNPM(ctx context.Context, c Config, l Library, dir string) (Archive, error) {
	if err := own(dir, "package.json", "{}"); err != nil {
		return Archive{}, err
	}
	out, err := c.run(ctx, dir, "npm", "pack", "--ignore-scripts", "--json", "--loglevel", "error", "--pack-destination", dir,
		"--", l.Name+"@"+cmp.Or(l.Version, l.Constraint, "latest"))
	if err != nil {
		var failed *Error
		if errors.As(err, &failed) {
			failed.Said = npmSaid(c, out, failed.Said)
		}
		return Archive{}, err
	}
	var packed []struct{ Version, Filename string }
	if err := json.Unmarshal(out, &packed); err != nil {
		return Archive{}, fmt.Errorf("read what npm says: %w", err)
	}
	if len(packed) == 0 {
		return Archive{}, errors.New("npm packed nothing")
	}
	newest := packed[len(packed)-1] // of all that a range allows, in order
	file, err := filepath.Localize(newest.Filename)
	if err != nil || filepath.Base(file) != file {
		files, _ := filepath.Glob(filepath.Join(dir, "*.tgz")) // old versions name the scope as a directory
		if len(files) != 1 {
			return Archive{}, fmt.Errorf("npm left %d packages", len(files))
		}
		file = filepath.Base(files[0])
	}
	return Archive{File: filepath.Join(dir, file), Version: newest.Version, Strip: 1}, nil
}

// npmSaid is the sentence in what npm prints as JSON where it fails.
func npmSaid(c Config, out []byte, said string) string {
	var failed struct{ Error struct{ Summary string } }
	if json.Unmarshal(out, &failed) == nil && failed.Error.Summary != "" {
		return c.printable(failed.Error.Summary)
	}
	return said
}
