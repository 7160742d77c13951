package settings

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// row is one setting.
type row struct {
	name      string
	help      string // with the bound
	byDefault string
	repo      bool // the repository's file may set it
	variable  bool // only the environment may
	list      bool // of several values
	set       func(*Settings, string) error
	get       func(Settings) string
}

// table is all settings, in the order in which they are shown.
var table = []row{
	text("model", "the model, provider/name", "", func(s *Settings) *string { return &s.Model }, isModel),
	text("small-model", "the model for small work; that of model if not set", "", func(s *Settings) *string { return &s.SmallModel }, isModel),
	text("critic-model", "the model that judges; that of model if not set", "", func(s *Settings) *string { return &s.CriticModel }, isModel),
	text("vision-model", "the model that reads images; that of model if not set", "", func(s *Settings) *string { return &s.VisionModel }, isModel),
	text("base-url", "where the provider of model is, with its version", "", func(s *Settings) *string { return &s.BaseURL }, isURL),
	boolean("no-llm", "call no model: true or false", func(s *Settings) *bool { return &s.NoLLM }),
	decimal("max-cost", "the most that all calls of a run may cost, in US dollars; 0 is no limit", "0", 0, 1e6, func(s *Settings) *float64 { return &s.MaxCost }),
	whole("max-tokens", "the most tokens of all calls of a run; 0 is no limit", "0", 0, math.MaxInt32, func(s *Settings) *int { return &s.MaxTokens }),
	whole("max-steps", "the most steps of a run; 0 is 100", "0", 0, 100_000, func(s *Settings) *int { return &s.MaxSteps }),
	duration("timeout", "the longest that all calls of a run may take, as 10m; 0 is no limit", func(s *Settings) *time.Duration { return &s.Timeout }),
	whole("concurrency", "how many nodes work at once, 0 to 64; 0 is 16", "0", 0, 64, func(s *Settings) *int { return &s.Concurrency }),
	choice("format", "the format on standard output", "text", true, func(s *Settings) *string { return &s.Format }, "text", "markdown", "json", "sarif", "rdjson", "github"),
	choice("lang", "the report's language; auto is that of the issue", "auto", true, func(s *Settings) *string { return &s.Lang }, "auto", "en", "zh"),
	text("vectors", "rank by vectors too: none, minilm, openai/MODEL or ollama/MODEL", "none", func(s *Settings) *string { return &s.Vectors }, isVectors),
	text("vector", "a Chroma server for vectors and memory, as chroma://localhost:8000; files if not set", "", func(s *Settings) *string { return &s.Vector }, isChroma),
	choice("fail-on", "the severity from which a finding of a review asks for changes", "high", true, func(s *Settings) *string { return &s.FailOn }, "none", "low", "medium", "high", "critical"),
	ofRepo(decimal("min-confidence", "how sure a finding has to be to be reported, 0 to 1", "0.7", 0, 1, func(s *Settings) *float64 { return &s.MinConfidence })),
	ofRepo(whole("max-findings", "the most findings of a report, the worst first; 0 is no limit", "10", 0, 1000, func(s *Settings) *int { return &s.MaxFindings })),
	list("include", "globs of the files that are reviewed; all if not set", func(s *Settings) *[]string { return &s.Include }, isGlob),
	list("exclude", "globs of files that are not reviewed", func(s *Settings) *[]string { return &s.Exclude }, isGlob),
	list("lens", "the lenses of a review: security, style, logic; all if not set", func(s *Settings) *[]string { return &s.Lenses }, isLens),
	variableOnly(text("state-dir", "where runs and memory are kept", "", func(s *Settings) *string { return &s.StateDir }, nil)),
	variableOnly(text("cache-dir", "where clones and indexes are kept", "", func(s *Settings) *string { return &s.CacheDir }, nil)),
}

// ofRepo is a setting that the repository's file may set.
func ofRepo(r row) row {
	r.repo = true
	return r
}

// form is what a file has to hold for the setting.
func (r row) form() string {
	if r.list {
		return "list of plain values"
	}
	return "plain value"
}

// variableOnly is a setting that is needed before files are read.
func variableOnly(r row) row {
	r.variable = true
	return r
}

func text(name, help, byDefault string, at func(*Settings) *string, check func(string) error) row {
	return row{name: name, help: help, byDefault: byDefault, get: func(s Settings) string { return *at(&s) }, set: func(s *Settings, v string) error {
		if !isOneLine(v) {
			return fmt.Errorf("%.40q: want one line of at most %d bytes without control characters", v, maxValue)
		}
		*at(s) = v
		if check == nil || v == "" {
			return nil
		}
		return check(v)
	}}
}

func choice(name, help, byDefault string, repo bool, at func(*Settings) *string, values ...string) row {
	all := strings.Join(values, ", ")
	return row{name: name, help: help + ": " + all, byDefault: byDefault, repo: repo, get: func(s Settings) string { return *at(&s) }, set: func(s *Settings, v string) error {
		if !slices.Contains(values, v) {
			return fmt.Errorf("%.40q: want one of %s", v, all)
		}
		*at(s) = v
		return nil
	}}
}

func boolean(name, help string, at func(*Settings) *bool) row {
	return row{name: name, help: help, byDefault: "false", get: func(s Settings) string { return strconv.FormatBool(*at(&s)) }, set: func(s *Settings, v string) (err error) {
		if *at(s), err = strconv.ParseBool(v); err != nil {
			return fmt.Errorf("%.40q: want true or false", v)
		}
		return nil
	}}
}

func whole(name, help, byDefault string, from, to int, at func(*Settings) *int) row {
	return row{name: name, help: help, byDefault: byDefault, get: func(s Settings) string { return strconv.Itoa(*at(&s)) }, set: func(s *Settings, v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < from || n > to {
			return fmt.Errorf("%.40q: want a whole number from %d to %d", v, from, to)
		}
		*at(s) = n
		return nil
	}}
}

func decimal(name, help, byDefault string, from, to float64, at func(*Settings) *float64) row {
	return row{name: name, help: help, byDefault: byDefault, get: func(s Settings) string { return strconv.FormatFloat(*at(&s), 'g', -1, 64) }, set: func(s *Settings, v string) error {
		n, err := strconv.ParseFloat(v, 64)
		if err != nil || !(n >= from && n <= to) { // NaN is neither
			return fmt.Errorf("%.40q: want a number from %.0f to %.0f", v, from, to)
		}
		*at(s) = n
		return nil
	}}
}

func duration(name, help string, at func(*Settings) *time.Duration) row {
	return row{name: name, help: help, byDefault: "0s", get: func(s Settings) string { return at(&s).String() }, set: func(s *Settings, v string) error {
		d, err := time.ParseDuration(v)
		if v == "0" {
			d, err = 0, nil
		}
		if err != nil || d < 0 {
			return fmt.Errorf("%.40q: want a time from 0 on, as 90s or 10m", v)
		}
		*at(s) = d
		return nil
	}}
}

// Row is a setting for people.
type Row struct{ Name, Value, Source, Help string }

// Table gives all settings in a fixed order.
func (l Loaded) Table() (rows []Row) {
	for _, r := range table {
		rows = append(rows, Row{r.name, r.get(l.Settings), string(l.From[r.name]), r.help})
	}
	return rows
}

// Name is what a setting is called and what it means.
type Name struct {
	Name, Variable, Help, Default string
	Repo                          bool // .repomind.yml may set it
}

// Names lists the settings.
func Names() (names []Name) {
	for _, r := range table {
		names = append(names, Name{r.name, Variable(r.name), r.help, r.byDefault, r.repo})
	}
	return names
}
