package manifest

import (
	"cmp"
	"errors"
	"strings"

	"golang.org/x/mod/modfile"
)

// readGoMod reads what a module requires, after its replacements.
func readGoMod(w *writer, data []byte) error {
	f, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		if f, err = modfile.ParseLax("go.mod", data, nil); err != nil {
			return goModFault(err)
		}
	}
	replaced := map[string]*modfile.Replace{}
	for _, rep := range f.Replace {
		replaced[rep.Old.Path+"@"+rep.Old.Version] = rep
	}
	for _, req := range f.Require {
		r := Requirement{
			Ecosystem: Go, Name: req.Mod.Path, Constraint: req.Mod.Version, Version: req.Mod.Version, Direct: !req.Indirect,
		}
		line := req.Syntax.Start.Line
		// A replacement of one version goes before that of all.
		if rep := cmp.Or(replaced[r.Name+"@"+r.Version], replaced[r.Name+"@"]); rep != nil {
			line = rep.Syntax.Start.Line
			w.replace(&r, rep)
		}
		w.add(line, r)
	}
	return nil
}

func (w *writer) replace(r *Requirement, rep *modfile.Replace) {
	r.Version = rep.New.Version
	if r.Version != "" {
		r.As, r.Name = r.Name, rep.New.Path
	} else {
		r.URL, r.Dir = w.place(rep.New.Path)
	}
}

func goModFault(err error) error {
	var all modfile.ErrorList
	if errors.As(err, &all) && len(all) > 0 {
		return fault(all[0].Pos.Line, "%v", all[0].Err)
	}
	return err
}

// readGoSum reads which modules are there with their source, the last version of
// each; go.mod is the better witness.
func readGoSum(w *writer, data []byte) error {
	w.lines(data, func(no int, text string) {
		f := strings.Fields(text)
		if len(f) != 3 || strings.HasSuffix(f[1], "/go.mod") {
			return
		}
		r := Requirement{Ecosystem: Go, Name: f[0], Version: f[1]}
		if n := len(w.Requirements); n > 0 && w.Requirements[n-1].Name == r.Name {
			w.Requirements = w.Requirements[:n-1] // go.sum is in the order of versions
		}
		w.add(no, r)
	})
	return nil
}

// readModulesTxt reads what is in vendor.
func readModulesTxt(w *writer, data []byte) error {
	w.lines(data, func(no int, text string) {
		if f := strings.Fields(text); len(f) >= 3 && f[0] == "#" {
			r := Requirement{Ecosystem: Go, Name: f[1], Version: f[2]}
			if len(f) == 6 && f[3] == "=>" { // a module in the place of another
				r.As, r.Name, r.Version = f[1], f[4], f[5]
			}
			if strings.HasPrefix(r.Version, "v") && len(f) != 5 { // 5: a directory in its place
				w.add(no, r)
			}
		}
	})
	return nil
}
