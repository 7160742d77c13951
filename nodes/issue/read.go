package issue

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/repomind/repomind/graph"
	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/llm"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
	"github.com/repomind/repomind/internal/stacktrace"
	"github.com/repomind/repomind/nodes/paid"
	"github.com/repomind/repomind/nodes/snip"
	"github.com/repomind/repomind/rag/clue"
)

// mapTokens is what the model is shown of the project as a whole: its layout. In the
// conversations that were read, more of it did not help.
const mapTokens = 400

// buildProjectMap draws the project for the model. Nobody else reads it.
func (n nodes) buildProjectMap(ctx context.Context, s State) (update, error) {
	if _, ok := n.models(s); !ok {
		return nil, nil
	}
	place, err := n.Places.At(ctx, s.Origin(), s.Commit.Commit)
	if err != nil {
		return nil, err
	}
	idx, err := place.Code(ctx)
	if err != nil {
		return nil, err
	}
	text, err := code.Map(ctx, idx, code.MapConfig{Tokens: mapTokens, Mentioned: mentioned(s)})
	return update{fMap.Set(text)}, err
}

func mentioned(s State) (names []string) {
	clues := clue.Read(query(s.Issue))
	for _, c := range clues.Names {
		names = append(names, c.Text)
	}
	for _, p := range clues.Paths {
		names = append(names, p.Path)
	}
	return names[:min(len(names), 100)]
}

// maxImages is how many images of an issue are looked at.
const maxImages = 4

// describeImages has a model say what the images show. What is not read is told.
func (n nodes) describeImages(ctx context.Context, s State) (update, error) {
	urls := s.Issue.Images
	if len(urls) == 0 {
		return nil, nil
	}
	models, ok := n.models(s)
	if s.guarded() {
		return update{fWarnings.Set([]string{unread(len(urls), "a person has to allow the analysis first")})}, nil
	}
	if !ok || n.Image == nil || models.Vision == nil {
		return update{fWarnings.Set([]string{unread(len(urls), "there is no model that reads images")})}, nil
	}
	var seen []Picture
	var u update
	for _, url := range urls[:min(len(urls), maxImages)] {
		p, more, err := n.describe(ctx, models.Vision, url)
		u = append(u, more...)
		if err != nil {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			// A text model cannot read images; that is no reason to do without it.
			u = append(u, fWarnings.Set([]string{"an image was not read: " + briefly(err)}))
			if stop := paid.Stop(err); stop == report.StopBudget || stop == report.StopAuth || stop == report.StopTimeout {
				break // the others fare no better
			}
			continue
		}
		seen = append(seen, p)
	}
	if left := len(urls) - maxImages; left > 0 {
		u = append(u, fWarnings.Set([]string{unread(left, fmt.Sprintf("the first %d are looked at", maxImages))}))
	}
	return append(u, fImages.Set(seen)), nil
}

func unread(images int, why string) string {
	if images == 1 {
		return "1 image not read: " + why
	}
	return fmt.Sprintf("%d images not read: %s", images, why)
}

// describe gives one image in words, from what is kept if it was seen before.
func (n nodes) describe(ctx context.Context, m llm.Model, url string) (Picture, update, error) {
	img, err := n.Image(ctx, url)
	if err != nil {
		return Picture{}, nil, err
	}
	sum := sha256.Sum256(img.Data)
	p := Picture{URL: url, Hash: hex.EncodeToString(sum[:])}
	if n.Described != nil {
		if text, ok := n.Described.Get(ctx, p.Hash); ok {
			p.Text = text
			return p, nil, nil
		}
	}
	text, err := prompts.Render(noFence, "describe_image", nil)
	if err != nil {
		return p, nil, err
	}
	got, err := paid.Once(ctx, "image "+p.Hash+url, func(ctx context.Context) (string, llm.Usage, error) {
		resp, err := m.Generate(ctx, llm.Request{Messages: []llm.Message{llm.User(text, img)}, MaxTokens: 800, Key: graph.Info(ctx).IdempotencyKey(p.Hash)})
		if err == nil && strings.TrimSpace(resp.Text) == "" {
			err = fmt.Errorf("%w: the model said nothing about it", llm.ErrUnusable)
		}
		return resp.Text, resp.Usage, err
	})
	if err != nil {
		return p, spent("describe_images", paid.Used(err)), err
	}
	u := spent("describe_images", got.Usage)
	if got.Fault != "" {
		return p, u, errors.New(got.Fault)
	}
	p.Text = got.Value
	if n.Described != nil {
		if err := n.Described.Put(ctx, p.Hash, p.Text); err != nil {
			u = append(u, fWarnings.Set([]string{fmt.Sprintf("what an image shows was not kept: %v", err)}))
		}
	}
	return p, u, nil
}

// briefly is an error without the address of a resolver or proxy of this machine.
func briefly(err error) string {
	text, _, cut := strings.Cut(err.Error(), ": dial ")
	if cut {
		text += ": it could not be reached"
	}
	return snip.Clip(text, 300)
}

// parseStackTrace finds the frames of tracebacks that are in the repository.
func (n nodes) parseStackTrace(ctx context.Context, s State) (update, error) {
	_, body := query(s.Issue)
	for _, p := range s.Images {
		body += "\n\n" + p.Text
	}
	traces := stacktrace.Parse(body).Traces
	if len(traces) == 0 {
		return nil, nil
	}
	place, err := n.Places.At(ctx, s.Origin(), s.Commit.Commit)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, f := range place.Snapshot.Files() {
		paths = append(paths, f.Path)
	}
	mapper := stacktrace.NewMapper(stacktrace.Tree{Files: paths, Repo: s.Origin().Repo})
	return update{fFrames.Set(framesOf(traces, mapper))}, nil
}

// maxFrames bounds the frames that are kept, of all traces together.
const maxFrames = 40

func framesOf(traces []stacktrace.Trace, mapper *stacktrace.Mapper) (out []Frame) {
	for _, t := range traces {
		depth := 0
		for i, at := range mapper.MapAll(t.Frames) {
			if at.Path == "" || len(out) == maxFrames {
				continue
			}
			f := t.Frames[i]
			out = append(out, Frame{Span: source.Span{Path: at.Path, Start: f.Line}, Function: f.Function, Error: t.Error, Depth: depth})
			depth++
		}
	}
	return out
}
