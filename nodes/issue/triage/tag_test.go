package triage_test

import (
	"strings"
	"testing"

	"github.com/repomind/repomind/nodes/issue/triage"
)

func TestTag(t *testing.T) {
	for _, tt := range []struct {
		version, tags, project, want string
	}{
		{"1.9.1", "v1.9.0 v1.9.1 v1.9.10", "gin", "v1.9.1"},
		{"v1.9.1", "1.9.1", "gin", "1.9.1"},
		{"1.4.0", "rel_1_4_0 rel_1_4_1", "sqlalchemy", "rel_1_4_0"},
		{"3.5.0", "release-3.5.0", "x", "release-3.5.0"},
		{"3.5", "v3.5.0", "x", "v3.5.0"},
		{"3.5.0", "v3.5", "x", "v3.5"},
		{"1.37.0", "tokio-1.37.0 tokio-util-1.37.0", "tokio", "tokio-1.37.0"},
		{"1.37.0", "macros-1.37.0 util-1.37.0", "tokio", ""},
		{"2.0.0", "v2.0.0-rc.1 v2.0.0b2", "x", ""},
		{"2.0.0-rc.1", "v2.0.0 v2.0.0rc.1", "x", "v2.0.0rc.1"},
		{"2.0.0", "2.0.0.Final", "x", "2.0.0.Final"},
		{"latest", "v1.0.0", "x", ""},
		{"", "v1.0.0", "x", ""},
		{"1.0.0", "", "x", ""},
		{"3.5.0", "v3.5 v3.5.0", "x", "v3.5.0"},
		{"3.5", "v3.5 v3.5.0", "x", "v3.5"},
		{"3.5.0", "v3.5 release-3.5.0.0", "x", ""},
		{"3.5.0", "v3.5 release-3.5.0", "x", "release-3.5.0"},
		{"3.5.0", "3.5.0 v3.5.0", "x", "3.5.0"},
		{"1.2.0", "v1.2.0 x-v1.2.0", "x", ""},
		{"1.2.0", "gson-parent-1.2.0", "gson", "gson-parent-1.2.0"},
		{"7.17.0", "@babel/core@7.17.0", "babel", ""},
		{"3.5.4", "core@3.5.4 dom@3.5.4", "core", "core@3.5.4"},
		{"1.3.4", "tools/goctl/v1.3.4 v1.3.4", "go-zero", "v1.3.4"},
		{"2.0.0rc1", "v2.0.0-rc.1 v2.0.0", "x", "v2.0.0-rc.1"},
		{"2.0.0-alpha.2", "v2.0.0a2", "x", "v2.0.0a2"},
		{"0.920+dev.febec71", "v0.920", "mypy", ""},
		{"1.4.0+incompatible", "v1.4.0", "x", "v1.4.0"},
		{"2022.03.0", "v2022.3.0", "x", "v2022.3.0"},
		{"1.2.0", "1.2.0 1.2.0", "x", "1.2.0"},
		{"99999999999999999999.1", "v1.1", "x", ""},
		{"1.2.0", "\xff1.2.0", "\xff", ""},
	} {
		got, ok := triage.Tag(tt.version, strings.Fields(tt.tags), tt.project)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s of %s: %q, %v, want %q", tt.version, tt.tags, got, ok, tt.want)
		}
	}
}
