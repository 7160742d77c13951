package llm

import (
	"cmp"
	"strings"
)

// Names are the models for the kinds of work, each as provider/name.
type Names struct {
	Main   string // Zero means deepseek/deepseek-chat.
	Small  string // for summaries and short choices. Zero means Main.
	Critic string // looks at the work of the others. Zero means Main.
	Vision string // reads images. Zero means deepseek/deepseek-vl2 beside DeepSeek, else Main.
}

// Defaults fills in what is not set.
func (n Names) Defaults() Names {
	n.Main = cmp.Or(n.Main, "deepseek/deepseek-chat")
	n.Small = cmp.Or(n.Small, n.Main)
	n.Critic = cmp.Or(n.Critic, n.Main)
	if n.Vision == "" && strings.HasPrefix(n.Main, "deepseek/") {
		n.Vision = "deepseek/deepseek-vl2"
	}
	n.Vision = cmp.Or(n.Vision, n.Main)
	return n
}

// Set holds a model for each kind of work.
type Set struct{ Main, Small, Critic, Vision Model }

// OpenSet opens what the names say, after [Names.Defaults]. A name that stands twice
// is opened once.
func OpenSet(n Names, open func(name string) (Model, error)) (Set, error) {
	n = n.Defaults()
	var s Set
	opened := map[string]Model{}
	for _, slot := range []struct {
		name string
		to   *Model
	}{{n.Main, &s.Main}, {n.Small, &s.Small}, {n.Critic, &s.Critic}, {n.Vision, &s.Vision}} {
		if opened[slot.name] == nil {
			m, err := open(slot.name)
			if err != nil {
				return Set{}, err
			}
			opened[slot.name] = m
		}
		*slot.to = opened[slot.name]
	}
	return s, nil
}
