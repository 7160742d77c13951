package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version, the commit and the Go release",
		Example: "  repomind version",
		Args:    cobra.NoArgs,
		Run: func(c *cobra.Command, _ []string) {
			info, _ := debug.ReadBuildInfo()
			fmt.Fprintln(c.OutOrStdout(), version(info))
		},
	}
}

func version(info *debug.BuildInfo) string {
	if info == nil {
		return "repomind (no build information) " + runtime.Version()
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	s := "repomind " + v
	for _, set := range info.Settings {
		switch {
		case set.Key == "vcs.revision":
			s += " " + set.Value
		case set.Key == "vcs.modified" && set.Value == "true":
			s += " (modified)"
		}
	}
	return s + " " + info.GoVersion
}

// buildVersion is what reports call the program's version.
func buildVersion() string {
	info, _ := debug.ReadBuildInfo()
	v := strings.TrimPrefix(version(info), "repomind ")
	return strings.TrimSuffix(v, " "+runtime.Version())
}
