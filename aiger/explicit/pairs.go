package explicit

import (
	"slices"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/mutant"
)

// Facts are what enumeration of all pairs of runs, of a design and a mutant on the same
// inputs, says of the mutant. The constraints hold on both in every step but perhaps the
// last one.
type Facts struct {
	Outside  bool // no property asked about, and no constraint, depends on the node
	AnyRun   bool // the constraints allow the first step of some run of the design
	Constant bool // the fault gives the value that the node has in all runs of the design
	W        bool // no point differs where the constraints hold on both
	S        bool // W, and no step is within the constraints on one side only
	Shortest int  // where not W: the last step of the shortest pair that shows a difference
}

// True reports whether a reason is true, whether or not one before it is.
func (x Facts) True(r mutant.Reason) bool {
	switch r {
	case mutant.Outside:
		return x.Outside
	case mutant.Constant:
		return !x.Outside && x.Constant
	case mutant.Equivalent:
		return !x.Outside && x.S
	case mutant.Vacuous:
		return !x.Outside && (!x.AnyRun || x.W && !x.S)
	case mutant.Gap:
		return !x.Outside && !x.W
	}
	return r == mutant.Open && !x.Outside
}

// Reason is the first that is true.
func (x Facts) Reason() mutant.Reason {
	if !x.Outside && !x.AnyRun {
		return mutant.Vacuous
	}
	all := mutant.Reasons()
	return all[slices.IndexFunc(all, x.True)]
}

// Compare enumerates the pairs. Properties are positions as for Fails; points are the
// literals, as their readers see them, that are compared. Inputs and latches together
// should be at most some ten.
func Compare(f *aiger.File, properties []int, fault sim.Fault, points []aiger.Lit) (Facts, error) {
	watched := *f
	watched.Outputs, watched.Bads, watched.Justice, watched.Fairness = points, nil, nil, nil
	g, err := sim.Mutant(&watched, fault)
	if err != nil {
		return Facts{}, err
	}
	p := &pairs{f: f, g: g, fault: fault, points: points, seen: map[[2]uint64]bool{}}
	p.Outside = !inCone(f, properties, fault.Var)
	p.W, p.S = true, true
	if one, stuck := fault.Kind.Stuck(); stuck {
		p.Constant = constant(f, fault, one)
	}
	for state := range uint64(1) << len(f.Latches) {
		for in := range uint64(1) << len(f.Inputs) {
			p.visit([2]uint64{state, state}, in, 0)
		}
	}
	for step := 1; len(p.frontier) > 0; step++ {
		now := p.frontier
		p.frontier = nil
		for _, s := range now {
			for in := range uint64(1) << len(f.Inputs) {
				p.visit(s, in, step)
			}
		}
	}
	p.S = p.S && p.W
	return p.Facts, nil
}

// pairs is one enumeration, breadth first.
type pairs struct {
	Facts
	f, g     *aiger.File
	fault    sim.Fault
	points   []aiger.Lit
	seen     map[[2]uint64]bool
	frontier [][2]uint64
}

func (p *pairs) visit(s [2]uint64, in uint64, step int) {
	a := at(p.f, s[0], in)
	if step == 0 && !starts(a, s[0]) {
		return
	}
	holds := a.all(p.f.Constraints)
	p.AnyRun = p.AnyRun || step == 0 && holds
	for free := range uint64(len(p.g.Inputs)-len(p.f.Inputs)) + 1 {
		b := at(p.g, s[1], in|free<<len(p.f.Inputs))
		both := b.all(p.g.Constraints)
		p.S = p.S && holds == both
		if !holds || !both {
			continue
		}
		for i, l := range p.points {
			if p.W && a.read(l) != b.read(p.g.Outputs[i]) {
				p.W, p.Shortest = false, step
			}
		}
		if to := ([2]uint64{a.next(), b.next()}); !p.seen[to] {
			p.seen[to] = true
			p.frontier = append(p.frontier, to)
		}
	}
}

// at evaluates a file in one step.
func at(f *aiger.File, state, in uint64) *enumeration {
	e := &enumeration{f: f, value: make([]bool, f.MaxVar+1)}
	e.evaluate(state, in)
	return e
}

// starts reports whether a state is initial, under the inputs that were evaluated.
func starts(e *enumeration, state uint64) bool {
	for i, l := range e.f.Latches {
		if l.Reset != l.Lit && e.read(l.Reset) != (state>>i&1 == 1) {
			return false
		}
	}
	return true
}

// constant looks at all runs of the design, those that the mutant cannot follow included.
func constant(f *aiger.File, fault sim.Fault, one bool) bool {
	value := 2 * fault.Var
	for _, l := range f.Latches {
		if l.Lit == value && fault.Mux == mutant.AtNext {
			value = l.Next
			break
		}
	}
	seen, work, same := map[uint64]bool{}, []uint64{}, true
	visit := func(state, in uint64, first bool) {
		e := at(f, state, in)
		if first && !starts(e, state) || !e.all(f.Constraints) {
			return
		}
		same = same && e.read(value) == one
		if to := e.next(); !seen[to] {
			seen[to] = true
			work = append(work, to)
		}
	}
	for state := range uint64(1) << len(f.Latches) {
		for in := range uint64(1) << len(f.Inputs) {
			visit(state, in, true)
		}
	}
	for len(work) > 0 {
		state := work[len(work)-1]
		work = work[:len(work)-1]
		for in := range uint64(1) << len(f.Inputs) {
			visit(state, in, false)
		}
	}
	return same
}

// inCone reports whether a property or a constraint reads the variable, in any number of
// steps.
func inCone(f *aiger.File, properties []int, variable uint32) bool {
	in := map[uint32]bool{}
	bads, _, _ := f.Properties()
	roots := slices.Clone(f.Constraints)
	for _, p := range properties {
		if p < len(bads) {
			roots = append(roots, bads[p])
		} else {
			roots = append(append(roots, f.Justice[p-len(bads)]...), f.Fairness...)
		}
	}
	for _, l := range roots {
		in[l>>1] = true
	}
	for size := -1; size != len(in); {
		size = len(in)
		for _, l := range f.Latches {
			if in[l.Lit>>1] {
				in[l.Next>>1], in[l.Reset>>1] = true, true
			}
		}
		for _, a := range f.Ands {
			if in[a.Lhs>>1] {
				in[a.Rhs0>>1], in[a.Rhs1>>1] = true, true
			}
		}
	}
	return in[variable]
}
