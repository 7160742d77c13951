package review

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/diff"
	"github.com/repomind/repomind/internal/report"
)

// bundleTokens is how much of a change is looked at at once: little and focused finds more.
const bundleTokens = 7000

// maxBundles is how many bundles are looked at. What does not fit is listed by name.
const maxBundles = 8

const bytesPerToken = 3

// prepareReviews puts the files into bundles. A file alone may be larger than a bundle; its
// last hunks are cut then, and it does not count as seen.
func (n nodes) prepareReviews(ctx context.Context, s State) (update, error) {
	u := update{fTries.Set(1)}
	if len(s.Bundles) > 0 {
		return u, nil // the critic sent it back: the change is the same
	}
	changed, err := n.diff(ctx, s.Origin(), s.span(), s.Files)
	if err != nil {
		return nil, err
	}
	return append(u, fBundles.Set(bundles(s.Files, changed))), nil
}

// bundles are files of one directory together, as long as there is room, the riskiest
// bundle first.
func bundles(files []File, changed map[string]diff.File) (out []Bundle) {
	var room []int // of each bundle
	for _, f := range files {
		if f.Skip != "" {
			continue
		}
		size := len(shown(changed[f.Path], nil)) / bytesPerToken
		into := -1
		for i, b := range out {
			switch {
			case room[i] < size:
			case path.Dir(b.Paths[0]) == path.Dir(f.Path):
				into = i
			case into < 0 || path.Dir(out[into].Paths[0]) != path.Dir(f.Path):
				into = i // the last with room, if none is of its directory
			}
		}
		if into < 0 {
			into = len(out)
			out, room = append(out, Bundle{}), append(room, bundleTokens)
		}
		out[into].Paths = append(out[into].Paths, f.Path)
		room[into] -= size
	}
	return out
}

// shown is a file's diff as a lens sees it: hunks with numbers and the definition they are
// in, and no line numbers, which models miscount.
//
// git names the definition above a hunk, which is often not the one that changed; the index
// knows better. Without one, none is named.
func shown(f diff.File, idx *code.Index) string {
	var b strings.Builder
	for i, h := range f.Hunks {
		in := ""
		if sym, ok := enclosing(idx, f.Path, h); ok {
			in = ", in " + sym.Qualified
		}
		fmt.Fprintf(&b, "hunk %d, lines %d to %d%s\n", i+1, h.New.Start, h.New.Start+max(h.New.Lines-1, 0), in)
		for _, l := range h.Lines {
			b.WriteByte(byte(l.Op))
			b.WriteString(l.Text + "\n")
		}
	}
	return b.String()
}

// enclosing is the definition that the first changed line of a hunk is in, at the head.
func enclosing(idx *code.Index, path string, h diff.Hunk) (code.Symbol, bool) {
	if idx == nil {
		return code.Symbol{}, false
	}
	at := h.New.Start
	for _, l := range h.Lines {
		if l.Op != diff.Context {
			if l.New > 0 {
				at = l.New
			}
			break
		}
		at = l.New + 1 // should lines be deleted here
	}
	return idx.Enclosing(path, at)
}

// cut leaves out hunks behind the room there is; whole is false if it did.
func cut(text string, tokens int) (part string, whole bool) {
	if len(text) <= tokens*bytesPerToken {
		return text, true
	}
	part = text[:tokens*bytesPerToken]
	if i := strings.LastIndex(part, "\nhunk "); i > 0 {
		part = part[:i+1]
	}
	return part + "[the rest of this file's changes is left out]\n", false
}

// unseen are the files that no lens could be shown, by name.
func (s State) unseen(changed map[string]diff.File) map[string]string {
	out := map[string]string{}
	for i, b := range s.Bundles {
		for _, p := range b.Paths {
			switch {
			case i >= maxBundles:
				out[p] = fmt.Sprintf("behind the %d bundles that are looked at", maxBundles)
			case changed[p].Broken != nil:
				out[p] = "its diff cannot be read: " + changed[p].Broken.Error()
			}
		}
	}
	return out
}

// looks are what the fan does: the rules once, and each lens on each bundle.
func (n nodes) looks(s State) (out []look) {
	base := look{
		Origin: s.Origin(), Ends: s.span(), Whole: s.Compared, Files: s.Files, Try: s.Tries, Title: s.Pull.Title, Body: s.Pull.Body, Lang: s.Lang,
		NoModel: s.Input.NoModel || s.Trouble.Stop != "", Bundles: min(len(s.Bundles), maxBundles),
	}
	if s.Tries <= 1 {
		rules := base
		rules.Lens = report.LensRules
		out = append(out, rules)
	}
	if n.Models == nil || base.NoModel {
		return out
	}
	base.Repo, base.Map = s.subject().Repo, s.Map
	base.Objections, base.Before = s.Critique.Objections, s.told()
	for _, is := range s.Issues {
		base.Issues = append(base.Issues, piece{is.Target.String() + " " + is.Title, is.Body})
	}
	for _, p := range s.Images {
		base.Issues = append(base.Issues, piece{"an image of the pull request, as a model describes it", p.Text})
	}
	for _, l := range s.Lessons {
		base.Lessons = append(base.Lessons, piece{fmt.Sprintf("run %s at %s, recalled for: %s", l.Run, l.Commit.Short(), l.Why), l.Text})
	}
	for i, b := range s.Bundles[:base.Bundles] {
		for _, lens := range s.Policy.lenses() {
			l := base
			l.Lens, l.Bundle, l.Paths, l.Instructions = lens, i, b.Paths, s.Policy.instructions(b.Paths)
			out = append(out, l)
		}
	}
	return out
}

// instructions are those of the project for any of the files, the same once.
func (p Policy) instructions(paths []string) (out []string) {
	for _, name := range paths {
		for _, in := range p.of(name).Instructions {
			if matches([]string{in.Path}, name) && !slices.Contains(out, in.Text) {
				out = append(out, in.Text)
			}
		}
	}
	return out
}
