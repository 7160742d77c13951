package rule

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/repomind/repomind/internal/report"
	"github.com/repomind/repomind/internal/source"
)

// skipped are the ways to switch a test off, by the extension of the file. A skip that has
// a condition is none of them.
var skipped = map[string]*regexp.Regexp{
	".py":    regexp.MustCompile(`^\s*@(?:pytest\.mark\.skip|unittest\.skip|skip)\b(?:\(|$)|^\s*pytest\.skip\([^)]*allow_module_level=True`),
	".go":    regexp.MustCompile(`^\tt\.Skip(?:f|Now)?\(`), // deeper ones depend on something
	".js":    javaScriptSkip,
	".jsx":   javaScriptSkip,
	".ts":    javaScriptSkip,
	".tsx":   javaScriptSkip,
	".mjs":   javaScriptSkip,
	".rs":    regexp.MustCompile(`^\s*#\[ignore\b`),
	".java":  regexp.MustCompile(`^\s*@(?:Disabled|Ignore)\b`),
	".kt":    regexp.MustCompile(`^\s*@(?:Disabled|Ignore)\b`),
	".rb":    regexp.MustCompile(`^\s*(?:xit|xdescribe|xcontext)\b`),
	".php":   regexp.MustCompile(`\$this->markTestSkipped\(`),
	".cs":    regexp.MustCompile(`\[(?:Fact|Theory)\(Skip\s*=`),
	".swift": regexp.MustCompile(`throw XCTSkip\(`),
}

var (
	javaScriptSkip = regexp.MustCompile(`^\s*(?:(?:it|test|describe|suite)\.skip\(|(?:xit|xtest|xdescribe)\()`)
	javaScriptOnly = regexp.MustCompile(`^\s*(?:it|test|describe|suite)\.only\(|^\s*(?:fit|fdescribe)\(`)
)

// skips finds tests that no longer run. A test that is new and skipped takes nothing away.
func skips(f File) (out []report.Finding) {
	form := skipped[path.Ext(f.Path)]
	if form == nil || source.RoleOf(f.Path) != source.Test || f.Status == "added" {
		return nil
	}
	added := map[int]bool{}
	for _, l := range f.Added {
		added[l.Number] = true
	}
	for _, line := range f.Added {
		switch {
		case javaScriptOnly.MatchString(line.Text) && strings.Contains(".js .jsx .ts .tsx .mjs", path.Ext(f.Path)):
			out = append(out, f.finding("test-skipped", report.High, line, "Only this test runs now.", "All others of the file, and in some runners of the project, are passed over and the run is green."))
		case form.MatchString(line.Text) && !added[line.Number+1]: // what follows was there before
			out = append(out, f.finding("test-skipped", report.Medium, line, "The test is switched off.", "It passed or failed before; now it says nothing."))
		}
	}
	return out
}

// begins are the first lines of tests, by extension; the first group is the name.
var begins = map[string]*regexp.Regexp{
	".py": regexp.MustCompile(`^\s*(?:async )?def (test_\w+)\(`),
	".go": regexp.MustCompile(`^func (Test[A-Z_]\w*)\(`),
	".rs": regexp.MustCompile(`^\s*(?:async )?fn (test_\w+)\(`),
	".js": javaScriptTest, ".ts": javaScriptTest, ".jsx": javaScriptTest, ".tsx": javaScriptTest, ".mjs": javaScriptTest,
}

var javaScriptTest = regexp.MustCompile("^\\s*(?:it|test)\\(\\s*['\"`]([^'\"`]+)['\"`]")

// tests finds tests that were deleted while what they test stayed. A test whose name comes
// back elsewhere in the change was moved.
func tests(_ context.Context, c Change) (out []report.Finding, _ error) {
	added := map[string]bool{}
	codeGone := false
	for _, f := range c.Files {
		for _, l := range f.Added {
			if name := testName(f.Path, l.Text); name != "" {
				added[name] = true
			}
		}
		codeGone = codeGone || f.Status == "removed" && source.RoleOf(f.Path) == source.Code
	}
	if codeGone {
		return nil, nil // its tests go with it
	}
	for _, f := range c.Files {
		var gone []string
		var first Line
		news := 0
		for _, l := range f.Added {
			if testName(f.Path, l.Text) != "" {
				news++
			}
		}
		for _, l := range f.Removed {
			if name := testName(f.Was(), l.Text); name != "" && !added[name] && !slices.Contains(gone, name) {
				if gone = append(gone, name); first.Number == 0 {
					first = l
				}
			}
		}
		if len(gone) > news { // fewer new ones than old ones: they were not only renamed
			out = append(out, f.gone("test-deleted", report.Medium, first, fmt.Sprintf("%s deleted: %s.", plural(len(gone), "test was", "tests were"), list(gone)),
				"No code file is deleted with them, and no test of these names is added elsewhere."))
		}
	}
	return out, nil
}

func testName(p, line string) string {
	form := begins[path.Ext(p)]
	if form == nil || source.RoleOf(p) != source.Test {
		return ""
	}
	if m := form.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func list(names []string) string {
	const most = 5
	text := short(strings.Join(names[:min(len(names), most)], ", "))
	if left := len(names) - most; left > 0 {
		text += fmt.Sprintf(" and %d more", left)
	}
	return text
}
