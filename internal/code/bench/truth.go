package main

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// symbol is a definition by an independent parser.
type symbol struct {
	path, qualified string
	line            int
}

func (s symbol) name() string { return s.qualified[strings.LastIndexByte(s.qualified, '.')+1:] }

// module is what stands before the name from outside: a.b for a/b.py, a/b for a
// package of Go.
func (s symbol) module() string {
	if path.Ext(s.path) == ".go" {
		return path.Dir(s.path)
	}
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(s.path, ".py"), "/__init__"), "/", ".")
}

// export writes the files of a language to a directory.
func (c clone) export(ctx context.Context, files []source.File, dir string) error {
	return c.Blobs(ctx, files, func(i int, data []byte) error {
		p := filepath.Join(dir, filepath.FromSlash(files[i].Path))
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			return err
		}
		return os.WriteFile(p, data, 0o600)
	})
}

//go:embed truth.py
var pythonTruth string

func pythonSymbols(ctx context.Context, dir string) ([]symbol, error) {
	out, err := exec.CommandContext(ctx, "python3", "-c", pythonTruth, dir).Output()
	if err != nil {
		return nil, fmt.Errorf("python's ast: %w", err)
	}
	var all []symbol
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		f := strings.Split(lines.Text(), "\t")
		line, err := strconv.Atoi(f[2])
		if err != nil {
			return nil, err
		}
		all = append(all, symbol{f[0], f[1], line})
	}
	return all, nil
}

// goSymbols are the functions, methods and types of Go files, by go/parser.
func goSymbols(dir string, files []source.File) ([]symbol, error) {
	var all []symbol
	for _, f := range files {
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, filepath.Join(dir, f.Path), nil, parser.SkipObjectResolution)
		if err != nil {
			continue // files that test the parser
		}
		add := func(at token.Pos, parts ...string) {
			all = append(all, symbol{f.Path, strings.Join(parts, "."), set.Position(at).Line})
		}
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Name.Pos(), d.Name.Name)
				} else if len(d.Recv.List) == 1 {
					add(d.Name.Pos(), receiver(d.Recv.List[0].Type), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					t, ok := s.(*ast.TypeSpec)
					if !ok {
						continue
					}
					add(t.Name.Pos(), t.Name.Name)
					if i, ok := t.Type.(*ast.InterfaceType); ok {
						for _, m := range i.Methods.List {
							for _, n := range m.Names {
								add(n.Pos(), t.Name.Name, n.Name)
							}
						}
					}
				}
			}
		}
	}
	return all, nil
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.ParenExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return "?"
}
