package review

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/code"
	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

// suggestions keeps those that change something and leave a file that parses. A language
// that cannot be parsed here has none.
func (v *verifier) suggestions(ctx context.Context, parser []string) error {
	var files []source.File
	texts := blobs{}
	at := map[string]int{} // the finding of a file that is tried
	for i := range v.Findings {
		f := &v.Findings[i]
		if f.Suggestion == "" {
			continue
		}
		patched, ok := v.patched(*f)
		if !ok || source.LanguageOf(f.Path, nil) == "" {
			f.Suggestion = ""
			continue
		}
		name := fmt.Sprintf("%d/%s", i, f.Path)
		at[name] = i
		files = append(files, source.File{Path: name, Blob: fmt.Sprintf("%040x", i+1), Size: int64(len(patched))})
		texts[name] = patched
	}
	if len(files) == 0 {
		return nil
	}
	idx, err := code.Build(ctx, files, texts, code.Config{Parser: parser})
	if err != nil {
		return err
	}
	for name, i := range at {
		f := &v.Findings[i]
		was, read := v.index.File(f.Path)
		is, parsed := idx.File(name)
		if !parsed || is.Broken && !(read && was.Broken) {
			f.Suggestion = ""
		}
	}
	return nil
}

// patched is the file with a suggestion in it; ok is false where it cannot be put in, or
// changes nothing but white space at the ends of lines.
func (v *verifier) patched(f report.Finding) (data []byte, ok bool) {
	lines := v.content(f.Path)
	if f.Side != report.Right || f.Start < 1 || f.End > len(lines) {
		return nil, false
	}
	with := strings.Split(strings.TrimRight(f.Suggestion, "\n"), "\n")
	old := lines[f.Start-1 : f.End]
	if slices.EqualFunc(with, old, func(a, b string) bool { return strings.TrimRight(a, " \t\r") == strings.TrimRight(b, " \t\r") }) {
		return nil, false
	}
	all := slices.Concat(lines[:f.Start-1], with, lines[f.End:])
	return []byte(strings.Join(all, "\n") + "\n"), true
}

// blobs are texts by path, as an index reads them.
type blobs map[string][]byte

// Blobs implements code.Blobs.
func (b blobs) Blobs(_ context.Context, files []source.File, each func(i int, data []byte) error) error {
	for i, f := range files {
		if err := each(i, b[f.Path]); err != nil {
			return err
		}
	}
	return nil
}
