package report

import "io"

// rdResult is reviewdog's DiagnosticResult; only what is written here is declared.
type rdResult struct {
	Source      rdSource       `json:"source"`
	Severity    string         `json:"severity,omitempty"`
	Diagnostics []rdDiagnostic `json:"diagnostics"`
}

type rdSource struct {
	Name string `json:"name"`
}

type rdDiagnostic struct {
	Message     string         `json:"message"`
	Location    rdLocation     `json:"location"`
	Severity    string         `json:"severity"`
	Code        rdCode         `json:"code"`
	Suggestions []rdSuggestion `json:"suggestions,omitempty"`
}

type rdLocation struct {
	Path  string   `json:"path"`
	Range *rdRange `json:"range,omitempty"`
}

// rdRange has no columns: it is of whole lines, the last one included.
type rdRange struct {
	Start rdPosition `json:"start"`
	End   rdPosition `json:"end"`
}

type rdPosition struct {
	Line int `json:"line"`
}

type rdCode struct {
	Value string `json:"value"`
}

type rdSuggestion struct {
	Range rdRange `json:"range"`
	Text  string  `json:"text"`
}

// grades are what reviewdog calls our levels.
var grades = map[string]string{"error": "ERROR", "warning": "WARNING", "note": "INFO"}

// writeRDJSON writes a diagnostic for each finding that is not resolved.
func writeRDJSON(w io.Writer, r Review, _ Options) error {
	out := rdResult{Source: rdSource{Name: r.Tool.Name}, Diagnostics: []rdDiagnostic{}}
	for _, f := range r.open() {
		out.Diagnostics = append(out.Diagnostics, f.diagnostic(wordsOf(r.Lang)))
	}
	if len(out.Diagnostics) > 0 { // the worst is the first
		out.Severity = out.Diagnostics[0].Severity
	}
	return encode(w, out)
}

// diagnostic has a text for Markdown, as which reviewdog posts it.
func (f Finding) diagnostic(w words) rdDiagnostic {
	text := join("\n\n", f.says(), f.Why)
	d := rdDiagnostic{Location: rdLocation{Path: f.Path}, Severity: grades[f.Severity.level()], Code: rdCode{f.rule()}}
	switch {
	case !f.onHead():
		text = join(w.Colon, w.at(f), text)
	case f.Start > 0:
		d.Location.Range = &rdRange{rdPosition{f.Start}, rdPosition{max(f.End, f.Start)}}
	}
	if f.mendable() {
		d.Suggestions = []rdSuggestion{{*d.Location.Range, f.mended()}}
	}
	d.Message = neutral(text)
	return d
}
