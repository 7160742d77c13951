package issue

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/internal/stacktrace"
	"github.com/repomind/repomind/rag"
	"github.com/repomind/repomind/rag/dependency"
)

type fixClass report.FixClass

// Enum lists the classes for the model.
func (fixClass) Enum() []string { return []string{"code_fix", "dependency_upgrade", "config_fix"} }

type fixGuess struct {
	Class fixClass `json:"class" jsonschema:"code_fix: the project's own code has to change; dependency_upgrade: a library is at fault, or another version of it is needed; config_fix: packaging, build or configuration files have to change"`
	Why   string   `json:"why" jsonschema:"one short sentence"`
}

// classifyFix tells what sort of change is likely, which changes what the analyst is told
// to look at. Without a model it is told only where manifests show it.
func (n nodes) classifyFix(ctx context.Context, s State) (update, error) {
	models, ok := n.models(s)
	if !ok {
		return n.fixByRule(ctx, s)
	}
	f, err := n.fence(ctx)
	if err != nil {
		return nil, err
	}
	var ranking []string
	for _, l := range s.Ranking.Places {
		ranking = append(ranking, f.Inline(located(l.Span(), l.Symbol)))
	}
	data := struct {
		brief
		Ranking []string
	}{s.brief(f, 1500), ranking}
	got, u, ok, err := ask[fixGuess](ctx, f, "classify_fix", models.Small, "classify_fix", data, 300)
	if err != nil {
		return nil, err
	}
	if !ok {
		return append(u, fFix.Set(FixChoice{})), nil
	}
	return append(u, fFix.Set(FixChoice{report.FixClass(got.Class), got.Why})), nil
}

func (n nodes) fixByRule(ctx context.Context, s State) (update, error) {
	if len(s.Ranking.Places) > 0 && isConfig(s.Ranking.Places[0].Path) {
		return update{fFix.Set(FixChoice{report.ConfigFix, "the first place is a file of configuration"})}, nil
	}
	place, err := n.Places.At(ctx, s.Origin(), s.Commit.Commit)
	if err != nil || place.Libraries == nil {
		return nil, err
	}
	libs, err := place.Libraries(ctx)
	if err != nil {
		return nil, ctx.Err() // the manifests say nothing
	}
	if name := s.failsIn(libs); name != "" {
		return update{fFix.Set(FixChoice{report.DependencyUpgrade, "the traceback ends in " + name + ", which the manifests ask for"})}, nil
	}
	return nil, nil
}

// failsIn is the library in which the last traceback ends and which the repository asks
// for by name; "" is none.
func (s State) failsIn(libs *dependency.Libraries) string {
	_, body := query(s.Issue)
	traces := stacktrace.Parse(body).Traces
	if len(traces) == 0 {
		return ""
	}
	last := traces[len(traces)-1]
	mapper := stacktrace.NewMapper(stacktrace.Tree{Repo: s.Origin().Repo})
	for _, at := range mapper.MapAll(last.Frames) {
		if at.Why == stacktrace.StandardLibrary {
			continue
		}
		if at.Why != stacktrace.OtherPackage {
			return ""
		}
		if lib, err := libs.Find(at.Name); err == nil && lib.Direct && lib.Dir == "" && !strings.EqualFold(lib.Name, s.Origin().Repo.Name) {
			return lib.Name
		}
		return ""
	}
	return ""
}

// isConfig says whether a file configures rather than does something.
func isConfig(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".toml", ".cfg", ".ini", ".yml", ".yaml", ".json", ".lock":
		return source.RoleOf(p) == source.Other
	}
	return slices.Contains([]string{"go.mod", "Dockerfile", "Makefile", "pom.xml", "build.gradle"}, path.Base(p))
}

// maxExisting is how many places are shown that may hold what is asked for.
const maxExisting = 6

// detectExisting looks whether what is asked for may be there already: definitions and
// documents whose words are those of the title.
func (n nodes) detectExisting(ctx context.Context, s State) (update, error) {
	place, err := n.Places.At(ctx, s.Origin(), s.Commit.Commit)
	if err != nil {
		return nil, err
	}
	x, err := place.Index(ctx)
	if err != nil {
		return nil, err
	}
	res, err := x.Search(ctx, rag.Query{Title: s.Issue.Title, Kind: rag.Question}, rag.Options{Files: -1, Symbols: maxExisting, Chunks: maxExisting})
	if err != nil {
		return nil, err
	}
	var found []report.Location
	for _, sym := range res.Symbols[:min(len(res.Symbols), maxExisting/2)] {
		found = append(found, report.Location{Path: sym.Path, Symbol: sym.Name, Start: sym.Span.Start, End: sym.Span.End})
	}
	for _, c := range res.Chunks {
		if source.RoleOf(c.Span.Path) == source.Doc && len(found) < maxExisting {
			found = append(found, report.Location{Path: c.Span.Path, Symbol: c.Symbol, Start: c.Span.Start, End: c.Span.End})
		}
	}
	return update{fExisting.Set(found)}, nil
}
