package github

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"

	"github.com/repomind/repomind/internal/diff"
	"github.com/repomind/repomind/internal/repo"
	"github.com/repomind/repomind/internal/source"
)

// ReadPatch makes a pull request of a patch that applies to a commit of a clone, with no
// network: the patched files are a commit of their own in our clone. The title is the
// subject of a mail, as git format-patch writes it, or else name. A patch that does not
// apply is an [ErrInput] that says where.
func ReadPatch(ctx context.Context, clone *repo.Clone, at source.Commit, name string, data []byte) (PullRequest, error) {
	if len(data) > MaxFile {
		return PullRequest{}, inputError{fmt.Errorf("%s has more than %d MB", name, MaxFile>>20)}
	}
	files := diff.Parse(string(data))
	if len(files) == 0 {
		return PullRequest{}, inputError{fmt.Errorf("%s holds no diff, as git diff or git format-patch write it", name)}
	}
	base, err := clone.Snapshot(ctx, at)
	if err != nil {
		return PullRequest{}, err
	}
	p := PullRequest{State: "open", Title: name}
	p.Title, p.Body = subject(string(data), name)
	var overlays []repo.Overlay
	for _, f := range files {
		more, err := patched(ctx, base, f)
		var cannot notApplied
		switch {
		case errors.As(err, &cannot):
			return PullRequest{}, inputError{fmt.Errorf("%s does not apply to %s: %w", name, at.Short(), err)}
		case err != nil:
			return PullRequest{}, err
		case more == nil:
			p.incomplete("%s is binary, and not in the patch that was read.", source.Quote(f.Path))
		}
		overlays = append(overlays, more...)
	}
	head, err := clone.Commit(ctx, at, overlays, p.Title)
	if err != nil {
		return PullRequest{}, err
	}
	r := clone.Origin().Repo
	p.Base, p.Head = Ref{Repo: r, Commit: at}, Ref{Repo: r, Commit: head}
	p.link(nil)
	return p, nil
}

type notApplied struct{ error }

// patched gives what a file of a patch changes in a tree; nothing for a binary one.
func patched(ctx context.Context, base *repo.Snapshot, f diff.File) (out []repo.Overlay, err error) {
	name, err := source.CleanPath(f.Path)
	if err != nil || name == "" || strings.HasPrefix(name+"/", ".git/") {
		return nil, notApplied{fmt.Errorf("%s is no path of a file", source.Quote(f.Path))}
	}
	switch {
	case f.Broken != nil:
		return nil, notApplied{fmt.Errorf("%s: %w", source.Quote(name), f.Broken)}
	case f.Binary || f.Combined:
		return nil, nil
	case f.Status == "removed":
		return []repo.Overlay{{Path: name, Gone: true}}, nil
	}
	var old []byte
	mode := source.Regular
	if from := fromPath(f); from != "" {
		stat, err := base.Stat(from)
		if err == nil {
			mode = stat.Mode
			old, err = base.Read(ctx, from)
		}
		if errors.Is(err, repo.ErrNotExist) || errors.Is(err, repo.ErrNoText) || errors.Is(err, repo.ErrUnseen) {
			return nil, notApplied{fmt.Errorf("%s: %w", source.Quote(from), err)}
		}
		if err != nil {
			return nil, err
		}
	}
	data, err := diff.Apply(old, f.Hunks)
	if err != nil {
		return nil, notApplied{fmt.Errorf("%s: %w", source.Quote(name), err)}
	}
	if f.NewMode == "100755" {
		mode = source.Executable
	} else if f.NewMode == "100644" {
		mode = source.Regular
	}
	out = append(out, repo.Overlay{Path: name, Mode: mode, Data: data})
	if f.Status == "renamed" {
		out = append(out, repo.Overlay{Path: f.Old, Gone: true})
	}
	return out, nil
}

// fromPath is where a file was before, "" for a new one.
func fromPath(f diff.File) string {
	switch {
	case f.Status == "added":
		return ""
	case f.Old != "":
		return f.Old
	}
	return f.Path
}

// subject is that of a mail, with what it says before the diff.
func subject(text, name string) (title, body string) {
	if !strings.HasPrefix(text, "From ") {
		return name, ""
	}
	_, text, _ = strings.Cut(text, "\n")
	m, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil || m.Header.Get("Subject") == "" {
		return name, ""
	}
	title = m.Header.Get("Subject")
	if strings.HasPrefix(title, "[PATCH") {
		_, title, _ = strings.Cut(title, "] ")
	}
	_, rest, _ := strings.Cut(text, "\n\n")
	body, _, _ = strings.Cut(rest, "\n---\n")
	return title, strings.TrimSpace(body)
}
