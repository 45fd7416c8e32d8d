package report

import (
	"fmt"
	"strings"

	"netcov/kripke/structure"
)

// Many states are drawn as few: neighbours that are covered for the same signals, and
// that are initial or not alike, become one box, which says how many they are and by
// which words they differ from the others. Where that leaves too many boxes, all states
// of a kind become one.

// merged is a picture with at most so many states, and what each of them stands for; the
// picture itself when it is small or when merging does not make it so.
func (p *picture) merged(most int) *picture {
	if p.graph.Len() <= most || len(p.missing) > 0 {
		return p
	}
	kind := make([]string, p.graph.Len())
	initial := p.graph.InitialSet()
	for s := range kind {
		kind[s] = fmt.Sprint(p.class[s], p.covered[s], initial.Has(s))
	}
	regions := p.regions(kind)
	if count(regions) > most {
		number := map[string]int{}
		for s, k := range kind {
			if _, ok := number[k]; !ok {
				number[k] = len(number)
			}
			regions[s] = number[k]
		}
	}
	if count(regions) > most {
		return p
	}
	return p.quotient(regions)
}

// count is the number of regions.
func count(regions []int) int {
	n := 0
	for _, r := range regions {
		n = max(n, r+1)
	}
	return n
}

// regions numbers the connected parts of one kind.
func (p *picture) regions(kind []string) []int {
	region := make([]int, len(kind))
	for s := range region {
		region[s] = -1
	}
	next := 0
	for s := range region {
		if region[s] >= 0 {
			continue
		}
		stack := []int{s}
		region[s] = next
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, list := range [][]int32{p.graph.Successors(v), p.graph.Predecessors(v)} {
				for _, t := range list {
					if region[t] < 0 && kind[t] == kind[s] {
						region[t] = next
						stack = append(stack, int(t))
					}
				}
			}
		}
		next++
	}
	return region
}

// quotient has a state for each region.
func (p *picture) quotient(regions []int) *picture {
	n := count(regions)
	members := make([][]string, n)
	for s, r := range regions {
		members[r] = append(members[r], p.graph.States[s])
	}
	q := &picture{title: p.title, signals: p.signals, whole: p.graph.Len(), class: make([]structure.Class, n), covered: make([][]int, n), describe: p.describe}
	b := structure.NewBuilder(nil)
	for r, states := range members {
		name := states[0]
		if len(states) > 1 {
			name = fmt.Sprintf("%d: %d states", r+1, len(states))
			if words := p.inWords(r, regions, states); words != "" {
				name += ", " + words
			}
		}
		b.AddState(name)
	}
	steps := map[[2]int]bool{}
	for s, r := range regions {
		q.class[r], q.covered[r] = p.class[s], p.covered[s]
		for _, t := range p.graph.Successors(s) {
			if step := [2]int{r, regions[t]}; !steps[step] {
				steps[step] = true
				b.AddTransition(step[0], step[1])
			}
		}
	}
	starts := map[int]bool{}
	for _, s := range p.graph.Initial {
		if r := regions[s]; !starts[r] {
			starts[r] = true
			b.AddInitial(r)
		}
	}
	g, err := b.Build()
	if err != nil { // every state has a successor, and names begin with numbers
		return p
	}
	q.graph = g
	return q
}

// inWords says by which words the states of a region differ from all others.
func (p *picture) inWords(r int, regions []int, states []string) string {
	if p.describe == nil {
		return ""
	}
	var others []string
	for s, name := range p.graph.States {
		if regions[s] != r {
			others = append(others, name)
		}
	}
	return strings.Join(p.describe(states, others), "; ")
}
