package issue

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/repo/repotest"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/nodes/place"
	"github.com/repomind/repomind/rag"
)

type onePlace struct{ clone *repo.Clone }

func (p onePlace) Clone(context.Context, repo.Origin) (*repo.Clone, error) { return p.clone, nil }

func (p onePlace) At(context.Context, repo.Origin, source.Commit) (*place.Place, error) {
	panic("not asked for")
}

// One file changes in each commit; 1.1.0 is announced and 1.2.0 tagged.
func TestSuspectsLieBetweenTheVersions(t *testing.T) {
	var commits []string
	for i, message := range []string{"Begin", "Bump version to 1.1.0 (#12)", "Sort the items", "Count the items", "Release the lock", "Later work"} {
		commits = append(commits, fmt.Sprintf("%s\n-- a.py --\nx = %d\n", message, i))
	}
	r := repotest.New(t, commits...)
	r.Git("tag", "v1.2.0", r.Commits[4])
	cache, err := repo.NewCache(repo.Config{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	clone, err := cache.Open(t.Context(), repo.Origin{Dir: r.Dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(clone.Close)
	s, err := clone.Snapshot(t.Context(), source.Commit(r.Commits[5]))
	if err != nil {
		t.Fatal(err)
	}
	n := nodes{Config{Places: onePlace{clone}}}
	announced := "1.1.0 (" + source.Commit(r.Commits[1]).Short() + ")"
	for _, tt := range []struct {
		good, bad string
		want      []string
		note      string
	}{
		{"1.1.0", "1.2.0", []string{"Release the lock", "Count the items", "Sort the items"}, "Changes since " + announced + ", which is said to have worked. Up to v1.2.0, which is said not to."},
		{"1.1.0", "", []string{"Later work", "Release the lock", "Count the items", "Sort the items"}, "Changes since " + announced + ", which is said to have worked."},
		{"1.2.0", "1.3.0", []string{"Later work"}, "Changes since v1.2.0, which is said to have worked."},
		{"1.0.0", "1.1.0", []string{"Bump version to 1.1.0 (#12)", "Begin"}, "Version 1.0.0, which is said to have worked, is not known here, so these are the last changes. Up to " + announced + ", which is said not to."},
		{"", "", []string{"Later work", "Release the lock", "Count the items", "Sort the items", "Bump version to 1.1.0 (#12)", "Begin"}, "No version is named that worked, so these are the last changes."},
	} {
		w, err := n.windowOf(t.Context(), gathering{Regression: report.Regression{Good: tt.good, Bad: tt.bad}}, s)
		if err != nil {
			t.Fatal(err)
		}
		changes, err := w.suspects(t.Context(), []rag.File{{Path: "a.py"}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range changes {
			got = append(got, c.Subject())
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q to %q: (-want +got)\n%s", tt.good, tt.bad, diff)
		}
		if w.note != tt.note {
			t.Errorf("%q to %q: note %q, want %q", tt.good, tt.bad, w.note, tt.note)
		}
	}
}
