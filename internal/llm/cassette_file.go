package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func layOut(v any) ([]byte, error) {
	data, err := encodeJSON(v)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

func cassetteFile(dir, key string) string { return filepath.Join(dir, key+".json") }

func loadCassette(file string) (cassette, error) {
	var c cassette
	data, err := os.ReadFile(file)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("read cassette %s: %w", file, err)
	}
	return c, c.check(file)
}

// check refuses a file that was changed by hand so that it says something else than
// it stands for. Answers may be changed, but must still be answers.
func (c cassette) check(file string) error {
	key, err := c.Request.key(c.Model)
	switch {
	case err != nil:
		return fmt.Errorf("read cassette %s: %w", file, err)
	case key+".json" != filepath.Base(file):
		return fmt.Errorf("read cassette %s: its request is that of %s.json: record it again", file, key)
	case len(c.Answers) == 0:
		return fmt.Errorf("read cassette %s: it holds no answer: record it again", file)
	}
	for i, a := range c.Answers {
		if err := a.check(); err != nil {
			return fmt.Errorf("read cassette %s: answer %d: %w", file, i+1, err)
		}
	}
	return nil
}

func (t tapeReply) check() error {
	switch {
	case t.Error != nil && t.Error.kind() == nil:
		return fmt.Errorf("no error is of the kind %q", t.Error.Kind)
	case t.Error == nil && !slices.Contains([]Stop{"", StopEnd, StopLength, StopTools, StopFilter}, t.Stop):
		return fmt.Errorf("%q is no reason to stop", t.Stop)
	}
	return nil
}

// save replaces the file as a whole, so that an interrupted run leaves no half of one.
func (c cassette) save(file string) error {
	data, err := layOut(c)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(file), ".part-*")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // gone already where all went well
	if _, err := part.Write(data); err != nil {
		part.Close()
		return err
	}
	if err := part.Close(); err != nil {
		return err
	}
	if err := os.Chmod(part.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(part.Name(), file)
}
