package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// getGo asks for a module. The archive is in the module cache, checked by go.
func getGo(ctx context.Context, c Config, l Library, dir string) (Archive, error) {
	if err := own(dir, "go.mod", "module scratch\n"); err != nil {
		return Archive{}, err
	}
	out, err := c.run(ctx, dir, "go", "mod", "download", "-json", l.Name+"@"+cmp.Or(l.Version, "latest"))
	var said struct{ Version, Zip, Error string }
	if wrong := json.Unmarshal(out, &said); wrong == nil && said.Error != "" {
		return Archive{}, &Error{Client: "go", Err: cmp.Or(err, errFailed), Said: c.printable(said.Error)}
	} else if err != nil {
		return Archive{}, err
	} else if wrong != nil {
		return Archive{}, fmt.Errorf("read what go says: %w", wrong)
	}
	return Archive{File: said.Zip, Version: said.Version, Strip: strings.Count(l.Name, "/") + 1}, nil
}

var errFailed = errors.New("failed")
