package triage_test

import (
	"testing"

	"github.com/repomind/repomind/nodes/issue/triage"
)

func TestRelease(t *testing.T) {
	for _, tt := range []struct {
		subject, version string
		want             bool
	}{
		{"Bump version to 3.4.1 (#9466)", "3.4.1", true},
		{"Bump version number to v3.4.1", "3.4.1", true},
		{"v3.4.1", "v3.4.1", true},
		{"3.4.1", "3.4.1", true},
		{"chore(release): 3.4.1", "3.4.1", true},
		{"Release Chart 3.4.1.", "3.4.1", true},
		{"Prepare for the 3.4.1 release", "3.4.1", true},
		{"Bump version from 3.4.0 to 3.4.1", "3.4.1", true},
		{"Bump version from 3.4.0 to 3.4.1", "3.4.0", false},
		{"Release 3.4.1-beta.2", "3.4.1", false},
		{"Release 3.4.10", "3.4.1", false},
		{"Release 13.4.1", "3.4.1", false},
		{"Fix a regression of 3.4.1", "3.4.1", false},
		{"Bump lodash to 3.4.1", "3.4.1", false},
		{"Release", "3.4.1", false},
		{"", "3.4.1", false},
		{"Release", "", false},
	} {
		if got := triage.Release(tt.subject, tt.version, "Chart.js"); got != tt.want {
			t.Errorf("Release(%q, %q) = %v, want %v", tt.subject, tt.version, got, tt.want)
		}
	}
}
