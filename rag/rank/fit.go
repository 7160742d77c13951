package rank

import (
	"math"
	"runtime"
	"slices"
	"sync"
)

// Case is one question with a known answer.
type Case struct {
	Group string // cases of one group are never split between fitting and checking
	Rows  []Row
	Gold  []bool // which rows are right; at least one, or the case teaches nothing
}

// Fit says how weights are fitted. The zero value is the setting that the tables
// of this program were fitted with.
type Fit struct {
	Steps int     // Zero means 150.
	Rate  float64 // Zero means 0.1.
	// Pull is how strongly weights are held at the table's own: the loss grows by Pull
	// times the square of the distance. Zero means 0.02.
	Pull float64
}

// Weights fits the weights of a table to cases: it raises the probability of each
// right row among itself and all wrong ones, under a softmax over the scores
// (ListNet's top-one likelihood; Cao et al., ICML 2007), by Adam with full
// batches. Signs are kept. The result is the same on every run.
func (f Fit) Weights(t Table, cases []Case) []float64 {
	f = f.defaults()
	start := t.Weights()
	w := append([]float64(nil), start...)
	m, v := make([]float64, len(w)), make([]float64, len(w))
	for step := 1; step <= f.Steps; step++ {
		grad := make([]float64, len(w))
		for _, c := range cases {
			gradient(c, w, grad)
		}
		for i := range w {
			g := grad[i]/float64(max(1, len(cases))) + 2*f.Pull*(w[i]-start[i])
			m[i] = 0.9*m[i] + 0.1*g
			v[i] = 0.999*v[i] + 0.001*g*g
			a, b := m[i]/(1-math.Pow(0.9, float64(step))), v[i]/(1-math.Pow(0.999, float64(step)))
			w[i] = signed(w[i]-f.Rate*a/(math.Sqrt(b)+1e-9), t[i].Sign)
		}
	}
	return w
}

func (f Fit) defaults() Fit {
	if f.Steps == 0 {
		f.Steps = 150
	}
	if f.Rate == 0 {
		f.Rate = 0.1
	}
	if f.Pull == 0 {
		f.Pull = 0.02
	}
	return f
}

func signed(w float64, sign int) float64 {
	if float64(sign)*w < 0 {
		return 0
	}
	return w
}

// lowest keeps exp above zero: of two rows far below the best one, neither is then
// divided by nothing.
const lowest = -700

// gradient adds that of the loss of one case: for each right row r, the mean over
// them of log(1 + sum over wrong rows of exp(s-s_r)).
func gradient(c Case, w, grad []float64) {
	scores := make([]float64, len(c.Rows))
	top, right := math.Inf(-1), 0
	for i, r := range c.Rows {
		scores[i] = dot(w, r)
		top = max(top, scores[i])
		if c.Gold[i] {
			right++
		}
	}
	var wrong float64
	for i := range scores {
		scores[i] = math.Exp(max(scores[i]-top, lowest))
		if !c.Gold[i] {
			wrong += scores[i]
		}
	}
	var share float64 // of each wrong row's weight, summed over the right rows
	for i, r := range c.Rows {
		if c.Gold[i] {
			all := wrong + scores[i]
			add(grad, r, (scores[i]/all-1)/float64(right))
			share += 1 / all / float64(right)
		}
	}
	for i, r := range c.Rows {
		if !c.Gold[i] && scores[i]*share > 1e-9 {
			add(grad, r, scores[i]*share)
		}
	}
}

func dot(w []float64, r Row) float64 {
	var s float64
	for i, x := range r {
		s += w[i] * float64(x)
	}
	return s
}

func add(grad []float64, r Row, by float64) {
	for i, x := range r {
		grad[i] += by * float64(x)
	}
}

// LeaveOut gives each case the weights that were fitted without its group: no case
// is judged by weights that saw its own.
func (f Fit) LeaveOut(t Table, cases []Case) [][]float64 {
	groups := map[string][]int{}
	for i, c := range cases {
		groups[c.Group] = append(groups[c.Group], i)
	}
	out := make([][]float64, len(cases))
	var wg sync.WaitGroup
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for g, own := range groups {
		free <- struct{}{}
		wg.Go(func() {
			rest := slices.DeleteFunc(slices.Clone(cases), func(c Case) bool { return c.Group == g })
			w := f.Weights(t, rest)
			for _, i := range own {
				out[i] = w
			}
			<-free
		})
	}
	wg.Wait()
	return out
}
