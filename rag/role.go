package rag

import (
	"path"
	"regexp"
	"strings"

	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/rag/chunk"
)

// keyOf names the content of a file: what is made of it depends on its form too.
func keyOf(f source.File) string { return f.Blob + " " + chunk.Form(f.Path) }

var versioned = regexp.MustCompile(`[-_.]v?\d+\.\d+(?:\.\d+)?(?:\.min)?\.(?:js|mjs|css)$`)

// setRoles tells what the files are for, which the neighbours of a file may know
// better than its path: lib/x.js beside src/ is built from there.
func setRoles(files []entry) {
	sources := map[string]bool{} // directories that have a src with scripts
	for _, f := range files {
		if dir, _, ok := strings.Cut("/"+f.Path, "/src/"); ok && isScript(f.Path) {
			sources[dir] = true
		}
	}
	for i := range files {
		f := &files[i]
		f.Role = source.RoleOf(f.Path)
		if f.Role != source.Code {
			continue
		}
		switch {
		case strings.HasSuffix(f.Path, ".d.ts"):
			f.Role = source.Other // types, for a compiler
		case versioned.MatchString(f.Path) || built(f.Path, sources):
			f.Role = source.Vendored
		}
	}
}

func isScript(p string) bool {
	switch path.Ext(p) {
	case ".js", ".mjs", ".cjs", ".ts", ".jsx", ".tsx":
		return true
	}
	return false
}

func built(p string, sources map[string]bool) bool {
	dir, _, ok := strings.Cut("/"+p, "/lib/")
	return ok && isScript(p) && sources[dir]
}
