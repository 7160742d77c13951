package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// getSources asks for the jar of sources that most libraries publish beside their
// classes.
func getSources(ctx context.Context, c Config, l Library, dir string) (Archive, error) {
	if l.Version == "" && l.Constraint != "" {
		return Archive{}, fmt.Errorf("%w: Maven has no range in a place like this: %q", ErrInvalid, l.Constraint)
	}
	file, version, err := c.mavenCopy(ctx, l, dir, "jar:sources", "-sources.jar")
	return Archive{File: file, Version: version}, err
}

// POM brings the description of a Maven library, which may name its repository.
func (c Config) POM(ctx context.Context, l Library, dir string) ([]byte, error) {
	if err := check(l); err != nil {
		return nil, err
	}
	file, _, err := c.complete().mavenCopy(ctx, l, dir, "pom", ".pom")
	if err != nil {
		return nil, fmt.Errorf("get the description of %s: %w", l, err)
	}
	return os.ReadFile(file)
}

// mavenCopy gives the file of an artifact and its version. The goal resolves one
// artifact: no project is there, and none is built.
func (c Config) mavenCopy(ctx context.Context, l Library, dir, kind, end string) (file, version string, err error) {
	if err := own(dir, ".mvn/jvm.config", ""); err != nil {
		return "", "", err
	}
	out, err := c.run(ctx, dir, "mvn", "--batch-mode", "--quiet", "dependency:copy",
		"-Dartifact="+l.Name+":"+cmp.Or(l.Version, "LATEST")+":"+kind, "-DoutputDirectory="+dir)
	if err != nil {
		var failed *Error
		if errors.As(err, &failed) {
			failed.Said = mavenSaid(c, out, failed.Said)
		}
		return "", "", err
	}
	_, artifact, _ := strings.Cut(l.Name, ":")
	files, err := filepath.Glob(filepath.Join(dir, artifact+"-*"+end))
	if err != nil || len(files) != 1 {
		return "", "", fmt.Errorf("mvn left %d files", len(files))
	}
	version = strings.TrimPrefix(strings.TrimSuffix(filepath.Base(files[0]), end), artifact+"-")
	return files[0], version, nil
}

// mavenSaid is the first error in what Maven prints, which is on standard output.
func mavenSaid(c Config, out []byte, said string) string {
	for line := range strings.Lines(string(out)) {
		if _, text, ok := strings.Cut(line, "[ERROR"); ok {
			_, cause, _ := strings.Cut(text, ": ") // before it stands the goal
			return c.printable(cmp.Or(cause, strings.TrimPrefix(text, "] ")))
		}
	}
	return said
}
