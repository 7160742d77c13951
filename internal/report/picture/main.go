// Command picture draws a report as SVG, as a terminal shows it:
//
//	go run ./internal/report/picture < report.txt > report.svg
package main

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"os"
	"regexp"
	"strings"
)

func main() {
	if err := draw(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

const (
	column = 8.4 // of a letter, in pixels
	row    = 19
	margin = 18
)

// styles say what is drawn how; the first that fits a line is taken, and its groups are
// drawn in its class.
var styles = []struct {
	re    *regexp.Regexp
	class string
}{
	{regexp.MustCompile(`^(CONFIRMED|LIKELY|INCONCLUSIVE)`), "good"},
	{regexp.MustCompile(`^([A-Z][A-Z ]+)$`), "head"},
	{regexp.MustCompile(`^ +(?:\d+\.|e\d+) ([^ :]+:[\d-]+)`), "place"},
	{regexp.MustCompile(`^ +(\d+ \|)`), "dim"},
	{regexp.MustCompile(`^  (chosen|open|ruled out) `), "head"},
}

func draw(r io.Reader, w io.Writer) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	width := 0
	for _, l := range lines {
		width = max(width, len([]rune(l)))
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%d" role="img" aria-label="A report of RepoMind">
<style>
rect { fill: #1b1f24 }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d0d7de; white-space: pre }
.good { fill: #56d364; font-weight: bold }
.head { fill: #ffffff; font-weight: bold }
.place { fill: #6cb6ff }
.dim { fill: #768390 }
</style>
<rect width="100%%" height="100%%" rx="8"/>
`, float64(width)*column+2*margin, len(lines)*row+2*margin)
	for i, l := range lines {
		fmt.Fprintf(out, `<text x="%d" y="%d" xml:space="preserve">%s</text>`+"\n", margin, margin+(i+1)*row-5, styled(l))
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}

func styled(line string) string {
	for _, s := range styles {
		if at := s.re.FindStringSubmatchIndex(line); at != nil {
			return html.EscapeString(line[:at[2]]) + `<tspan class="` + s.class + `">` + html.EscapeString(line[at[2]:at[3]]) + "</tspan>" + html.EscapeString(line[at[3]:])
		}
	}
	return html.EscapeString(line)
}
