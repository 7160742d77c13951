// Package settings holds what a user can set, where each value came from, and whether it
// is within its bounds.
//
// A flag goes before a variable of the environment, that before the file of the
// repository, that before the file of the user, and that before the default. The
// repository's file was written by strangers: it may set little, and no file may hold a
// key. Nothing is read here: the caller hands in flags, environment and files.
package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/repomind/repomind/internal/source"
)

// Settings are the values.
type Settings struct {
	Model, SmallModel, CriticModel, VisionModel string
	BaseURL                                     string
	NoLLM                                       bool
	MaxCost                                     float64 // US dollars; 0 is no limit
	MaxTokens                                   int     // 0 is no limit
	MaxSteps                                    int     // 0 is the usual
	Timeout                                     time.Duration
	Concurrency                                 int // 0 is the usual
	Format                                      string
	Lang                                        string
	Vectors                                     string
	Vector                                      string
	StateDir, CacheDir                          string

	// The rest is of reviews.

	FailOn           string  // a severity, or none
	MinConfidence    float64 // 0 to 1
	MaxFindings      int     // 0 is no limit
	Include, Exclude []string
	Lenses           []string
	// Instructions can only be in a file.
	Instructions []Instruction
}

// Instruction is what a project asks reviewers of the files that a glob matches.
type Instruction struct{ Path, Text string }

// Source says where a value came from, as "flag --model", "REPOMIND_MODEL",
// ".repomind.yml:3" or "default".
type Source string

// Default is the Source of a value that nobody set.
const Default Source = "default"

// Loaded is the settings with their sources.
type Loaded struct {
	Settings
	From map[string]Source // by name
}

// File is a file of settings: its name, for messages, and what it holds. An empty Name is
// no file.
type File struct {
	Name string
	Data []byte
}

// Input is what settings are read from.
type Input struct {
	// Flags are those that are set, by name.
	Flags map[string]string
	// Getenv gives a variable of the environment; "" is not set, nil is no environment.
	Getenv func(string) string
	// Environ is looked through for variables that mean nothing.
	Environ []string
	// RepoFile is .repomind.yml of the base branch, UserFile config.yml of the user.
	RepoFile, UserFile File
	// Nearer are the .repomind.yml of directories further down, the nearest first. They go
	// before RepoFile.
	Nearer []File
}

// Load reads the settings. The warnings are sentences; the error joins all that is wrong,
// each with the setting, the source, the value and the bound, and says nothing that could
// move a cursor or is a password. With an error, the settings are not for use.
func Load(in Input) (Loaded, []string, error) {
	l := Loaded{From: map[string]Source{}}
	var errs []error
	var files []map[string]entry
	for _, f := range slices.Concat(in.Nearer, []File{in.RepoFile}) {
		read, err := parse(f, true)
		files, errs = append(files, read.values), append(errs, err)
		l.Instructions = append(l.Instructions, read.instructions...)
	}
	read, err := parse(in.UserFile, false)
	files, errs = append(files, read.values), append(errs, err)
	l.Instructions = append(l.Instructions, read.instructions...)
	for _, row := range table {
		value, from := row.byDefault, Default
		for _, v := range set(in, files, row.name) {
			if v.from != "" {
				value, from = v.value, v.from
				break
			}
		}
		l.From[row.name] = from
		if err := row.set(&l.Settings, value); err != nil {
			errs = append(errs, fmt.Errorf("%s (%s): %w", row.name, from, err))
		}
	}
	return l, unknownVariables(in.Environ), errors.Join(errs...)
}

// set are the places where a setting may be set, the first one first.
func set(in Input, files []map[string]entry, name string) []entry {
	all := []entry{flag(in.Flags, name), env(in.Getenv, name)}
	for _, f := range files {
		all = append(all, f[name])
	}
	return all
}

// entry is a value and where it stands; from is empty where there is none.
type entry struct {
	value string
	from  Source
}

func flag(set map[string]string, name string) entry {
	if v, ok := set[name]; ok {
		return entry{v, Source("flag --" + name)}
	}
	return entry{}
}

func env(getenv func(string) string, name string) entry {
	if getenv == nil {
		return entry{}
	}
	if v := getenv(Variable(name)); v != "" {
		return entry{v, Source(Variable(name))}
	}
	return entry{}
}

// others are variables with the prefix that are no settings.
var others = []string{"REPOMIND_PARSER", "REPOMIND_TEST_"}

func unknownVariables(environ []string) (warnings []string) {
	for _, v := range environ {
		name, _, _ := strings.Cut(v, "=")
		short, ours := strings.CutPrefix(name, prefix)
		if !ours || isVariable(name) {
			continue
		}
		hint := ""
		if best := nearest(short); best != "" {
			hint = "; did you mean " + Variable(best) + "?"
		}
		warnings = append(warnings, fmt.Sprintf("the variable %s means nothing%s", source.Quote(name), hint))
	}
	slices.Sort(warnings)
	return warnings
}

func isVariable(name string) bool {
	return slices.ContainsFunc(table, func(r row) bool { return Variable(r.name) == name }) ||
		slices.ContainsFunc(others, func(o string) bool { return strings.HasPrefix(name, o) })
}
