package report_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/repomind/repomind/internal/report"
)

// log is what SARIF 2.1.0 requires of a log, and what viewers need.
type log struct {
	Version string
	Runs    []struct {
		Tool struct {
			Driver struct {
				Name  string
				Rules []struct {
					ID               string
					ShortDescription struct{ Text string }
					Properties       map[string]any
				}
			}
		}
		AutomationDetails        struct{ ID string }
		VersionControlProvenance []struct{ RepositoryURI, RevisionID string }
		Invocations              []struct{ ExecutionSuccessful *bool }
		Results                  []result
	}
}

type result struct {
	RuleID, Level       string
	Message             struct{ Text string }
	PartialFingerprints map[string]string
	Locations           []struct {
		PhysicalLocation struct {
			ArtifactLocation struct{ URI string }
			Region           *struct{ StartLine, EndLine int }
		}
	}
}

func logOf(t *testing.T, a report.Analysis) log {
	t.Helper()
	var l log
	if err := json.Unmarshal(write(t, report.SARIF, a), &l); err != nil {
		t.Fatal(err)
	}
	if len(l.Runs) != 1 {
		t.Fatalf("%d runs", len(l.Runs))
	}
	return l
}

func TestSARIFHasWhatItRequires(t *testing.T) {
	for name, a := range samples() {
		l := logOf(t, a)
		run := l.Runs[0]
		if l.Version != "2.1.0" || run.Tool.Driver.Name == "" || run.AutomationDetails.ID == "" || run.Results == nil ||
			len(run.Tool.Driver.Rules) != 1 || len(run.Invocations) != 1 || run.Invocations[0].ExecutionSuccessful == nil {
			t.Errorf("%s: %+v", name, l)
		}
		if at := run.VersionControlProvenance; len(at) != 1 || at[0].RepositoryURI != "https://github.com/o/shop" || at[0].RevisionID != sha {
			t.Errorf("%s is of %+v", name, at)
		}
		if len(run.Results) != len(a.Locations) {
			t.Errorf("%s has %d results for %d locations", name, len(run.Results), len(a.Locations))
		}
		for i, r := range run.Results {
			required(t, a.Locations[i], r)
			if r.RuleID != run.Tool.Driver.Rules[0].ID {
				t.Errorf("%s has no rule %s", name, r.RuleID)
			}
		}
	}
}

// required checks a result against its location.
func required(t *testing.T, l report.Location, r result) {
	t.Helper()
	if r.Message.Text == "" || strings.Contains(r.Message.Text, "](") || len(r.Locations) != 1 || r.PartialFingerprints["repomind/v1"] == "" {
		t.Fatalf("%+v", r)
	}
	at := r.Locations[0].PhysicalLocation
	if u, err := url.Parse(at.ArtifactLocation.URI); err != nil || u.IsAbs() || u.Host != "" || strings.TrimPrefix(u.Path, "./") != l.Path {
		t.Errorf("%q is at %q: %v", l.Path, at.ArtifactLocation.URI, err)
	}
	if region := at.Region; (region == nil) != (l.Start == 0) || region != nil && (region.StartLine != l.Start || region.EndLine != l.End) {
		t.Errorf("%v is at %+v", l.Span(), region)
	}
}

func TestSARIFLevel(t *testing.T) {
	for _, tt := range []struct {
		class    report.Class
		severity report.Severity
		want     string
	}{
		{report.Confirmed, report.Critical, "error"},
		{report.Likely, report.High, "error"},
		{report.Likely, report.Medium, "warning"},
		{report.Confirmed, report.Low, "note"},
		{report.Inconclusive, report.Critical, "note"},
	} {
		a := samples()["confirmed"]
		a.RootCause.Class, a.Severity = tt.class, tt.severity
		if got := logOf(t, a).Runs[0].Results[0].Level; got != tt.want {
			t.Errorf("%s %s is %s, want %s", tt.severity, tt.class, got, tt.want)
		}
	}
}

func TestSARIFPathsStayRelative(t *testing.T) {
	for _, p := range []string{"c:/x.py", "/etc/passwd", "//host/x", "a b/%41#?.py", "目录/文件.go"} {
		l := report.Location{Path: p, Rank: 1}
		a := samples()["confirmed"]
		a.Locations = []report.Location{l}
		required(t, l, logOf(t, a).Runs[0].Results[0])
	}
}

// The fingerprint of a place stays when its lines move, and differs from that of another.
func TestFingerprintKnowsNoLines(t *testing.T) {
	prints := func(a report.Analysis) (out []string) {
		for _, r := range logOf(t, a).Runs[0].Results {
			out = append(out, r.PartialFingerprints["repomind/v1"])
		}
		return out
	}
	at := func(shift int) report.Analysis {
		a := samples()["confirmed"]
		a.Locations = []report.Location{
			{Path: "shop/cart.py", Symbol: "Cart.add", Start: 5 + shift, End: 6 + shift, Rank: 1},
			{Path: "shop/cart.py", Start: 6 + shift, End: 6 + shift, Rank: 2},
			{Path: "shop/cart.py", Start: 9 + shift, End: 9 + shift, Rank: 3},
		}
		for i := range a.Evidence {
			a.Evidence[i].Start += shift
			a.Evidence[i].End += shift
		}
		return a
	}
	before := prints(at(0))
	if diff := cmp.Diff(before, prints(at(40))); diff != "" {
		t.Error(diff)
	}
	if before[0] == before[1] || before[1] == before[2] {
		t.Errorf("two places have the same: %q", before)
	}
}
