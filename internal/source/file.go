package source

import (
	"fmt"
	"path"
	"strings"
)

// File is one file in the tree of a commit.
type File struct {
	Path string // from the root, with slashes
	Blob string // the hash of its content
	Mode Mode
	Size int64 // bytes
}

// Mode says what a tree holds under a path.
type Mode uint8

// The modes that git knows. Only a Regular or Executable file has text to read: the
// content of a Symlink is where it points, and a Submodule has none here.
const (
	Regular Mode = iota
	Executable
	Symlink
	Submodule
	Dir
)

// Text says whether the file has content of its own.
func (m Mode) Text() bool { return m == Regular || m == Executable }

// CleanPath checks a path that a person, a model or an issue gave, and gives the
// form that a tree uses. "", "." and "/" are the root, which is "".
func CleanPath(p string) (string, error) {
	if strings.ContainsRune(p, 0) {
		return "", fmt.Errorf("the path %q holds a zero byte", p)
	}
	if p = strings.ReplaceAll(p, `\`, "/"); escapes(p) {
		return "", fmt.Errorf("the path %q leads out of the repository", p)
	}
	return path.Clean("/" + p)[1:], nil
}

func escapes(p string) bool {
	depth := 0
	for part := range strings.SplitSeq(p, "/") {
		switch part {
		case "", ".":
		case "..":
			if depth--; depth < 0 {
				return true
			}
		default:
			depth++
		}
	}
	return false
}
