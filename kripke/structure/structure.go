// Package structure holds explicit Kripke structures: states with names,
// labels over a set of propositions, initial states, a total transition
// relation, and optional Büchi fairness (CKKV01 section 2). It reads and
// writes them as state-labelled HOA files and in a small text form of its own
// (see text.go), and draws them with Graphviz.
//
// Sets of states are bit vectors, labels one bit vector per proposition, and
// the transitions one flat array, so that a structure of a million states
// takes tens of megabytes.
package structure

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// MaxStates and MaxTransitions bound an explicit structure. Beyond them the
// symbolic algorithms are the right tool, and building stops with an error.
const (
	MaxStates      = 1 << 26
	MaxTransitions = 1 << 28
)

// Structure is a Kripke structure ⟨AP, W, R, W0, L⟩, with Büchi sets when Fair
// is not empty. States and propositions are numbers in the order of States and
// AP. It is immutable once built; several goroutines may read it.
type Structure struct {
	Name    string
	AP      []string // proposition names
	States  []string // state names, all different
	Initial []int    // initial states, increasing
	// Fair holds the sets of states that a fair path meets infinitely often.
	Fair []Set

	labels  []Set // labels[p] is the set of states where proposition p holds
	offsets []int32
	targets []int32 // successors of s: targets[offsets[s]:offsets[s+1]], increasing

	index    map[string]int // proposition by name
	preds    sync.Once
	poffsets []int32
	psources []int32
}

// FairName is the name of a fairness set where it stands as a label among
// others; no text form gives a proposition this name.
func FairName(i int) string { return fmt.Sprintf("fairness set %d", i) }

// Len is the number of states.
func (k *Structure) Len() int { return len(k.States) }

// Transitions is the number of transitions.
func (k *Structure) Transitions() int { return len(k.targets) }

// Size describes the structure in a few words.
func (k *Structure) Size() string {
	return fmt.Sprintf("structure, %d states, %d transitions", k.Len(), k.Transitions())
}

// Successors lists the successors of a state in increasing order. The slice
// belongs to the structure.
func (k *Structure) Successors(s int) []int32 { return k.targets[k.offsets[s]:k.offsets[s+1]] }

// Predecessors lists the predecessors of a state in increasing order. The
// slice belongs to the structure. The first call builds the index.
func (k *Structure) Predecessors(s int) []int32 {
	k.preds.Do(k.buildPredecessors)
	return k.psources[k.poffsets[s]:k.poffsets[s+1]]
}

func (k *Structure) buildPredecessors() {
	k.poffsets = make([]int32, k.Len()+1)
	k.psources = make([]int32, len(k.targets))
	for _, t := range k.targets {
		k.poffsets[t+1]++
	}
	for i := range k.Len() {
		k.poffsets[i+1] += k.poffsets[i]
	}
	next := append([]int32(nil), k.poffsets...)
	for s := range k.Len() {
		for _, t := range k.Successors(s) {
			k.psources[next[t]] = int32(s)
			next[t]++
		}
	}
}

// Proposition is the number of a proposition, and false when there is none of
// that name.
func (k *Structure) Proposition(name string) (int, bool) {
	p, ok := k.index[name]
	return p, ok
}

// Holds reports whether proposition p holds in state s.
func (k *Structure) Holds(s, p int) bool { return k.labels[p].Has(s) }

// Where is the set of states in which proposition p holds. It belongs to the
// structure: clone before changing it.
func (k *Structure) Where(p int) Set { return k.labels[p] }

// Label lists the propositions that hold in a state, in the order of AP.
func (k *Structure) Label(s int) []string {
	var out []string
	for p, name := range k.AP {
		if k.labels[p].Has(s) {
			out = append(out, name)
		}
	}
	return out
}

// InitialSet is the set of initial states.
func (k *Structure) InitialSet() Set { return SetOf(k.Len(), k.Initial...) }

// Reachable is the set of states reachable from the initial states.
func (k *Structure) Reachable() Set {
	seen := k.InitialSet()
	stack := append([]int(nil), k.Initial...)
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, t := range k.Successors(s) {
			if !seen.Has(int(t)) {
				seen.Add(int(t))
				stack = append(stack, int(t))
			}
		}
	}
	return seen
}

// Flip is K̃_{w,q}: the same structure with the value of proposition p dualised
// in the given states (CKV01 section 3). It shares all else with k.
func (k *Structure) Flip(p int, states ...int) *Structure {
	m := &Structure{
		Name: k.Name, AP: k.AP, States: k.States, Initial: k.Initial, Fair: k.Fair,
		labels: append([]Set(nil), k.labels...), offsets: k.offsets, targets: k.targets, index: k.index,
	}
	m.labels[p] = k.labels[p].Clone()
	for _, s := range states {
		m.labels[p].Flip(s)
	}
	return m
}

// WithLabel is k with one more proposition; it shares all else with k.
func (k *Structure) WithLabel(name string, where Set) *Structure {
	m := &Structure{
		Name: k.Name, AP: append(slices.Clone(k.AP), name), States: k.States, Initial: k.Initial, Fair: k.Fair,
		labels: append(slices.Clone(k.labels), where), offsets: k.offsets, targets: k.targets, index: maps.Clone(k.index),
	}
	m.index[name] = len(k.AP)
	return m
}

// ReachablePart is k without its unreachable states, together with the old
// number of each remaining state.
func (k *Structure) ReachablePart() (*Structure, []int) {
	old := k.Reachable().List()
	renumber := make([]int32, k.Len())
	r := &Structure{Name: k.Name, AP: k.AP, index: k.index, offsets: make([]int32, len(old)+1)}
	for i, s := range old {
		renumber[s] = int32(i)
		r.States = append(r.States, k.States[s])
	}
	for i, s := range old {
		for _, t := range k.Successors(s) {
			r.targets = append(r.targets, renumber[t])
		}
		r.offsets[i+1] = int32(len(r.targets))
	}
	for _, s := range k.Initial {
		r.Initial = append(r.Initial, int(renumber[s]))
	}
	project := func(f Set) Set {
		g := NewSet(len(old))
		for i, s := range old {
			if f.Has(s) {
				g.Add(i)
			}
		}
		return g
	}
	for _, f := range k.Fair {
		r.Fair = append(r.Fair, project(f))
	}
	for _, l := range k.labels {
		r.labels = append(r.labels, project(l))
	}
	return r, old
}

// Builder collects a structure. The first mistake is kept and Build reports it.
type Builder struct {
	Name string

	ap     []string
	index  map[string]int
	states []string
	byName map[string]int
	labels [][]int // the states of each proposition
	edges  [][]int32
	init   []int
	fair   [][]int
	count  int
	err    error
}

// NewBuilder starts a structure over the given propositions.
func NewBuilder(ap []string) *Builder {
	b := &Builder{ap: ap, index: map[string]int{}, byName: map[string]int{}}
	for i, p := range ap {
		if _, ok := b.index[p]; ok {
			b.fail(fmt.Errorf("the proposition %q is declared twice", p))
		}
		b.index[p] = i
		b.labels = append(b.labels, nil)
	}
	return b
}

func (b *Builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// AddState adds a state in which exactly the named propositions hold and
// returns its number.
func (b *Builder) AddState(name string, holds ...string) int {
	s := len(b.states)
	if _, ok := b.byName[name]; ok {
		b.fail(fmt.Errorf("two states have the name %q", name))
	}
	if s >= MaxStates {
		b.fail(fmt.Errorf("more than %d states: too many for an explicit structure, use a symbolic algorithm", MaxStates))
		return 0
	}
	b.byName[name] = s
	b.states = append(b.states, name)
	b.edges = append(b.edges, nil)
	for _, p := range holds {
		i, ok := b.index[p]
		if !ok {
			b.fail(fmt.Errorf("state %q: the proposition %q is not declared", name, p))
			continue
		}
		b.labels[i] = append(b.labels[i], s)
	}
	return s
}

// AddTransition adds a transition; repeating one changes nothing.
func (b *Builder) AddTransition(from, to int) {
	if b.count++; b.count > MaxTransitions {
		b.fail(fmt.Errorf("more than %d transitions: too many for an explicit structure, use a symbolic algorithm", MaxTransitions))
		return
	}
	if from < 0 || to < 0 || from >= len(b.edges) || to >= len(b.edges) {
		b.fail(fmt.Errorf("transition %d → %d: there are %d states", from, to, len(b.edges)))
		return
	}
	b.edges[from] = append(b.edges[from], int32(to))
}

// AddInitial makes a state initial.
func (b *Builder) AddInitial(s int) { b.init = append(b.init, s) }

// AddFair adds a set of states that fair paths meet infinitely often.
func (b *Builder) AddFair(states ...int) { b.fair = append(b.fair, states) }

// ErrNotTotal is wrapped by Build's error for a state without successor.
var ErrNotTotal = errors.New("the transition relation must be total")

// Build checks that there is an initial state and that every state has a
// successor, and returns the structure.
func (b *Builder) Build() (*Structure, error) {
	if b.err != nil {
		return nil, b.err
	}
	n := len(b.states)
	if len(b.init) == 0 {
		return nil, errors.New("there is no initial state")
	}
	k := &Structure{Name: b.Name, AP: b.ap, States: b.states, index: b.index, offsets: make([]int32, n+1)}
	k.targets = make([]int32, 0, b.count)
	for s, to := range b.edges {
		if len(to) == 0 {
			return nil, fmt.Errorf("state %q has no successor: %w (a self-loop makes a final state explicit)", b.states[s], ErrNotTotal)
		}
		k.targets = append(k.targets, sortedUnique(to)...)
		k.offsets[s+1] = int32(len(k.targets))
	}
	k.Initial = SetOf(n, b.init...).List()
	for _, f := range b.fair {
		k.Fair = append(k.Fair, SetOf(n, f...))
	}
	for _, states := range b.labels {
		k.labels = append(k.labels, SetOf(n, states...))
	}
	return k, nil
}
