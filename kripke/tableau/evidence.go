package tableau

import (
	"context"
	"slices"

	"netcov/kripke/structure"
)

// Criterion names a comparison criterion.
type Criterion string

// The criteria of KGG99 sections 3 and 6.3, in the order of reports.
const (
	UnImplementedStartState Criterion = "UnImplementedStartState"
	UnImplementedState      Criterion = "UnImplementedState"
	UnImplementedTransition Criterion = "UnImplementedTransition"
	ManyToOne               Criterion = "ManyToOne"
	OneToMany               Criterion = "OneToMany"
)

// Criteria lists them.
var Criteria = []Criterion{UnImplementedStartState, UnImplementedState, UnImplementedTransition, ManyToOne, OneToMany}

// Meaning says in plain words what an entry of the criterion means.
func (c Criterion) Meaning() string {
	return map[Criterion]string{
		UnImplementedStartState: "The specification allows this start and the design never starts there: either the specification does not fix the initial states, or the design lacks one.",
		UnImplementedState:      "The specification allows this situation and the design never gets there: either the property is too weak, or the design lacks it, or its inputs are too restricted.",
		UnImplementedTransition: "The specification allows this step and the design never takes it from the state shown: either the property is too weak or the design lacks it.",
		ManyToOne:               "The specification does not tell these states of the design apart, although they look the same: either a property is missing, or the design has more states than it needs.",
		OneToMany:               "Several parts of the specification describe this state of the design: a part of the specification is redundant.",
	}[c]
}

// Count is the number of elements of a criterion.
func (c *Comparison) Count(k Criterion) int {
	switch k {
	case UnImplementedStartState:
		return len(c.UnImplementedStartState)
	case UnImplementedState:
		return len(c.UnImplementedState)
	case UnImplementedTransition:
		return len(c.UnImplementedTransition)
	case ManyToOne:
		return len(c.ManyToOne)
	}
	return len(c.OneToMany)
}

// Step is a step of corresponding paths. Impl is -1 where the design has no
// such step.
type Step struct{ Impl, Tableau int }

// Entry is one element of a criterion with its evidence.
type Entry struct {
	Criterion Criterion
	// Tableau holds the tableau state; for UnImplementedTransition the two ends,
	// for OneToMany all tableau states of the implementation state.
	Tableau []int
	// Impl holds implementation states: one without the step for
	// UnImplementedTransition, two that look the same for ManyToOne, the one
	// for OneToMany.
	Impl []int
	// Path is a pair of corresponding paths, from the initial states, that
	// leads there; Other a second one for ManyToOne and OneToMany.
	Path, Other []Step
	// Consequence says that an unimplemented state is reached from other
	// unimplemented states only.
	Consequence bool
}

// Entries lists the elements of a criterion that a filter keeps, with their
// evidence. A nil filter keeps all. When the context ends, the error is its
// cause, and the entries are those that were finished.
func (c *Comparison) Entries(ctx context.Context, k Criterion, f *Filter) ([]Entry, error) {
	if !c.Holds {
		return nil, nil
	}
	var out []Entry
	switch k {
	case UnImplementedStartState:
		for _, t := range c.UnImplementedStartState {
			out = append(out, Entry{Criterion: k, Tableau: []int{t}})
		}
	case UnImplementedState:
		for _, t := range c.UnImplementedState {
			out = append(out, Entry{Criterion: k, Tableau: []int{t}, Consequence: c.consequence(t)})
		}
	case UnImplementedTransition:
		for _, e := range c.UnImplementedTransition {
			out = append(out, Entry{Criterion: k, Tableau: []int{e[0], e[1]}})
		}
	case ManyToOne:
		for _, t := range c.ManyToOne {
			out = append(out, Entry{Criterion: k, Tableau: []int{t}})
		}
	case OneToMany:
		for _, i := range c.OneToMany {
			out = append(out, Entry{Criterion: k, Tableau: c.reach.tableaus(i), Impl: []int{i}})
		}
	}
	out, err := f.apply(ctx, c, out)
	if err != nil {
		return nil, err
	}
	var approach []int32
	for n := range out {
		if ctx.Err() != nil {
			return out[:n], context.Cause(ctx)
		}
		if k == UnImplementedState && approach == nil {
			approach = c.approach()
		}
		c.explain(&out[n], approach)
	}
	return out, nil
}

// consequence reports whether an unimplemented state is neither initial nor has
// an implemented predecessor.
func (c *Comparison) consequence(t int) bool {
	if slices.Contains(c.Tableau.Initial, t) {
		return false
	}
	return !slices.ContainsFunc(c.Tableau.Predecessors(t), func(p int32) bool {
		_, un := slices.BinarySearch(c.UnImplementedState, int(p))
		return !un
	})
}

// approach gives each unimplemented state its predecessor on a shortest way
// from an implemented or an initial state, -1 for the initial ones.
func (c *Comparison) approach() []int32 {
	from := make([]int32, c.Tableau.Len())
	seen := structure.NewSet(c.Tableau.Len())
	var queue []int
	visit := func(t int, parent int32) {
		if !seen.Has(t) {
			seen.Add(t)
			from[t] = parent
			queue = append(queue, t)
		}
	}
	for t := range c.Tableau.Len() {
		if _, un := slices.BinarySearch(c.UnImplementedState, t); !un {
			visit(t, -1)
		}
	}
	for _, t := range c.Tableau.Initial {
		visit(t, -1)
	}
	for n := 0; n < len(queue); n++ {
		for _, u := range c.Tableau.Successors(queue[n]) {
			visit(int(u), int32(queue[n]))
		}
	}
	return from
}

// explain adds states and paths to an entry.
func (c *Comparison) explain(e *Entry, approach []int32) {
	t := e.Tableau[0]
	switch e.Criterion {
	case UnImplementedStartState:
		e.Path = []Step{{-1, t}}
	case UnImplementedState:
		e.Path = c.unimplementedPath(t, approach)
	case UnImplementedTransition:
		to := structure.SetOf(c.Impl.Len(), c.reach.implementations(e.Tableau[1])...)
		i := c.stuck(c.reach.implementations(t), to)
		e.Impl = []int{i}
		e.Path = append(c.reach.path(i, t), Step{-1, e.Tableau[1]})
	case ManyToOne:
		e.Impl = c.alike(c.reach.implementations(t))
		e.Path, e.Other = c.reach.path(e.Impl[0], t), c.reach.path(e.Impl[1], t)
	case OneToMany:
		e.Path, e.Other = c.reach.path(e.Impl[0], t), c.reach.path(e.Impl[0], e.Tableau[1])
	}
}

// unimplementedPath goes along corresponding paths as far as the design
// follows, and then on in the tableau alone.
func (c *Comparison) unimplementedPath(t int, approach []int32) []Step {
	var tail []Step
	for {
		if _, un := slices.BinarySearch(c.UnImplementedState, t); !un {
			break
		}
		tail = append(tail, Step{-1, t})
		if approach[t] < 0 {
			slices.Reverse(tail)
			return tail
		}
		t = int(approach[t])
	}
	slices.Reverse(tail)
	return append(c.reach.path(c.reach.implementations(t)[0], t), tail...)
}

// alike finds two of the states with the same label.
func (c *Comparison) alike(states []int) []int {
	first := map[int32]int{}
	for _, i := range states {
		if j, ok := first[c.label[i]]; ok {
			return []int{j, i}
		}
		first[c.label[i]] = i
	}
	return nil
}
