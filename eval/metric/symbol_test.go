package metric_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/repomind/repomind/eval/metric"
)

func TestWhenSymbolsAreTheSame(t *testing.T) {
	for _, tt := range []struct {
		a, b         string
		symbol, last bool
	}{
		{"a.py:Cart.total", "a.py:Cart.total", true, true},
		{"a.py:Cart.total", "a.py:total", true, true},
		{"a.py:total", "a.py:shop.Cart.total", true, true},
		{"a.go:lexer.next", "a.go:(*lexer).next", true, true},
		{"a.rs:Word::find", "a.rs:Word.find", true, true},
		{"a.rb:Word#find", "a.rb:Word.find", true, true},
		{"a.py:Cart.total", "a.py:Order.total", false, true},
		{"a.py:Cart.total", "b.py:Cart.total", false, false},
		{"a.py:Cart.total", "a.py:Cart", false, false},
		{"a.py:Cart.total", "a.py:Cart.subtotal", false, false},
		{"a.py", "a.py", false, false},
		{"a.py:", "a.py:", false, false},
	} {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := metric.SameSymbol(pair[0], pair[1]); got != tt.symbol {
				t.Errorf("SameSymbol(%q, %q) = %v", pair[0], pair[1], got)
			}
			if got := metric.SameLast(pair[0], pair[1]); got != tt.last {
				t.Errorf("SameLast(%q, %q) = %v", pair[0], pair[1], got)
			}
		}
	}
}

func TestFindSymbols(t *testing.T) {
	ranked := []string{"a.py:Order.total", "a.py:Cart.total", "b.py:total", "a.py:Cart.add", "a.py:Cart.total"}
	for _, tt := range []struct {
		name string
		gold []string
		same func(a, b string) bool
		want metric.Places
	}{
		{"the exact name goes before an earlier one that is alike", []string{"a.py:Cart.total"}, metric.SameLast, metric.Places{2}},
		{"else the first that is alike", []string{"a.py:Basket.total"}, metric.SameLast, metric.Places{1}},
		{"a parser's names do not take another class's", []string{"a.py:Basket.total"}, metric.SameSymbol, metric.Places{0}},
		{"less qualified", []string{"a.py:add", "a.py:total"}, metric.SameSymbol, metric.Places{4, 1}},
		{"one symbol is one function", []string{"a.py:A.add", "a.py:B.add"}, metric.SameLast, metric.Places{4, 0}},
		{"what another gold names exactly is taken", []string{"a.py:X.total", "a.py:Order.total"}, metric.SameLast, metric.Places{2, 1}},
		{"no gold", nil, metric.SameLast, metric.Places{}},
	} {
		if diff := cmp.Diff(tt.want, metric.FindSymbols(tt.gold, ranked, tt.same)); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
	}
}
