package report

import (
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Both languages say everything, with the same verbs.
func TestWordsAreComplete(t *testing.T) {
	verbs := func(s string) []string {
		all := regexp.MustCompile(`%(\[\d\])?(\.\d)?[a-z]`).FindAllString(s, -1)
		slices.Sort(all)
		return all
	}
	en, zh := reflect.ValueOf(english), reflect.ValueOf(chinese)
	for i := range en.NumField() {
		name := en.Type().Field(i).Name
		if en.Field(i).Kind() != reflect.String {
			continue
		}
		a, b := en.Field(i).String(), zh.Field(i).String()
		if a == "" || b == "" {
			t.Errorf("%s is %q and %q", name, a, b)
		}
		if diff := cmp.Diff(verbs(a), verbs(b)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestValuesHaveNames(t *testing.T) {
	values := []string{"answer", "yes", "partly", "no", "unknown", "unclear"}
	for _, v := range []any{
		[]Status{Completed, Partial, Failed, Waiting, Rejected}, []Kind{Bug, Feature, Question, Security},
		[]Severity{Critical, High, Medium, Low}, []Class{Confirmed, Likely, Inconclusive},
		[]State{Chosen, RuledOut, Open}, []FixClass{CodeFix, DependencyUpgrade, ConfigFix}, []Verdict{Approve, RequestChanges, Undecided},
	} {
		for i := range reflect.ValueOf(v).Len() {
			values = append(values, reflect.ValueOf(v).Index(i).String())
		}
	}
	stops := []Stop{StopDone, StopBudget, StopTimeout, StopMaxSteps, StopTruncated, StopAuth, StopProvider, StopApproval, StopNoModel}
	for _, w := range []words{english, chinese} {
		for _, v := range values {
			if w.Values[v] == "" {
				t.Errorf("%q has no name beside %q", v, w.Where)
			}
		}
		for _, l := range []Lens{LensSecurity, LensStyle, LensLogic, LensRules} {
			if w.Lenses[l] == "" {
				t.Errorf("%q has no name beside %q", l, w.Where)
			}
		}
		for _, s := range stops {
			if w.Stops[s] == "" {
				t.Errorf("%q has no name beside %q", s, w.Where)
			}
		}
	}
}
