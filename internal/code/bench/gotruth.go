package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/source"
)

// checked is a Go module that go/types went over. Packages from elsewhere are empty,
// so what depends on them has no type; a name with such a use is not chosen.
type checked struct {
	dir, module string
	set         *token.FileSet
	std         types.Importer
	done        map[string]*types.Package
	info        *types.Info
	files       map[string]bool // by path, those of the build
	asts        []*ast.File
	byDir       map[string][]string
}

// goTruth prints rows for testdata/callers.tsv: a choice of functions with all calls
// of them, by go/types.
func goTruth(ctx context.Context, o options) error {
	c := clone(o.repos[0].dir)
	files, err := c.tree(ctx, o.commit)
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f source.File) bool {
		return path.Ext(f.Path) != ".go" || source.RoleOf(f.Path) != source.Code
	})
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := c.export(ctx, files, dir); err != nil {
		return err
	}
	k := &checked{dir: dir, module: "github.com/prometheus/prometheus", set: token.NewFileSet(), done: map[string]*types.Package{}, files: map[string]bool{}, byDir: map[string][]string{}}
	k.std = importer.ForCompiler(k.set, "source", nil)
	k.info = &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Defs: map[*ast.Ident]types.Object{}}
	for _, f := range files {
		k.byDir[path.Dir(f.Path)] = append(k.byDir[path.Dir(f.Path)], f.Path)
	}
	for _, d := range slices.Sorted(maps.Keys(k.byDir)) {
		if _, err := k.Import(path.Join(k.module, d)); err != nil {
			return err
		}
	}
	for _, f := range files {
		if !k.files[f.Path] {
			fmt.Printf("%s\t%s\texclude\t%s\n", c.name(), o.commit, f.Path)
		}
	}
	k.print(c.name(), o)
	return nil
}

// Import is the importer of the check itself.
func (k *checked) Import(p string) (*types.Package, error) {
	if done := k.done[p]; done != nil {
		return done, nil
	}
	rest, ours := strings.CutPrefix(p, k.module)
	d := cmpOr(strings.TrimPrefix(rest, "/"), ".")
	if !ours || k.byDir[d] == nil {
		if !strings.Contains(strings.Split(p, "/")[0], ".") {
			return k.std.Import(p)
		}
		empty := types.NewPackage(p, path.Base(p))
		empty.MarkComplete()
		k.done[p] = empty
		return empty, nil
	}
	var parsed []*ast.File
	for _, f := range k.byDir[d] {
		if ok, err := build.Default.MatchFile(filepath.Join(k.dir, d), path.Base(f)); err != nil || !ok {
			continue
		}
		a, err := parser.ParseFile(k.set, filepath.Join(k.dir, f), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, a)
		k.files[f] = true
	}
	conf := types.Config{Importer: k, Error: func(error) {}, FakeImportC: true}
	pkg, _ := conf.Check(p, k.set, parsed, k.info) // the errors are those of what is missing
	k.asts = append(k.asts, parsed...)
	k.done[p] = pkg
	return pkg, nil
}

func cmpOr(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (k *checked) at(p token.Pos) string {
	at := k.set.Position(p)
	rel, err := filepath.Rel(k.dir, at.Filename)
	if err != nil {
		return at.String()
	}
	return fmt.Sprintf("%s:%d", filepath.ToSlash(rel), at.Line)
}

// print chooses functions of three sorts, as many of each: free ones, methods of a
// name that several types have, other methods.
func (k *checked) print(repo string, o options) {
	calls, unknown := map[*types.Func][]string{}, map[string]int{}
	for _, f := range k.asts {
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if id := callee(c.Fun); id != nil {
					k.count(id, calls, unknown)
				}
			}
			return true
		})
	}
	var funcs []*types.Func
	defined := map[string]int{}
	for id, obj := range k.info.Defs {
		if f, ok := obj.(*types.Func); ok && id.Name != "_" {
			funcs = append(funcs, f)
			defined[f.Name()]++
		}
	}
	slices.SortFunc(funcs, func(a, b *types.Func) int { return strings.Compare(k.at(a.Pos()), k.at(b.Pos())) })
	rnd := rand.New(rand.NewPCG(o.seed, o.seed))
	rnd.Shuffle(len(funcs), func(i, j int) { funcs[i], funcs[j] = funcs[j], funcs[i] })
	taken := map[int]int{}
	for _, f := range funcs {
		sites := calls[f]
		if len(sites) == 0 || len(sites) > 60 || unknown[f.Name()] > 0 {
			continue
		}
		sort := 0
		recv := f.Signature().Recv()
		if recv != nil {
			sort = 1
			if defined[f.Name()] < 3 {
				sort = 2
			}
		}
		if taken[sort] >= (o.sample+2)/3 {
			continue
		}
		taken[sort]++
		file, _, _ := strings.Cut(k.at(f.Pos()), ":")
		id := file + ":" + f.Name()
		if recv != nil {
			id = file + ":" + typeName(recv.Type()) + "." + f.Name()
		}
		slices.Sort(sites)
		fmt.Printf("%s\t%s\t%s\t%s\n", repo, o.commit, id, strings.Join(slices.Compact(sites), " "))
	}
}

func callee(e ast.Expr) *ast.Ident {
	switch e := e.(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return callee(e.X)
	case *ast.IndexListExpr:
		return callee(e.X)
	case *ast.ParenExpr:
		return callee(e.X)
	}
	return nil
}

func (k *checked) count(id *ast.Ident, calls map[*types.Func][]string, unknown map[string]int) {
	switch obj := k.info.Uses[id].(type) {
	case *types.Func:
		calls[obj.Origin()] = append(calls[obj.Origin()], k.at(id.Pos()))
	case nil:
		unknown[id.Name]++
	}
}

func typeName(t types.Type) string {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := t.(*types.Named); ok {
		return n.Obj().Name()
	}
	return "?"
}
