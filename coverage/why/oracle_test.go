package why

import (
	"slices"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/certify"
	"netcov/mutant"
)

// eval evaluates a frame of a file by the definition; bits of state and in are the
// latches and inputs.
func eval(f *aiger.File, state, in uint64) func(aiger.Lit) bool {
	v := make([]bool, f.MaxVar+1)
	read := func(l aiger.Lit) bool { return v[l>>1] != (l&1 == 1) }
	for i, l := range f.Inputs {
		v[l>>1] = in>>i&1 == 1
	}
	for i, l := range f.Latches {
		v[l.Lit>>1] = state>>i&1 == 1
	}
	for _, a := range f.Ands {
		v[a.Lhs>>1] = read(a.Rhs0) && read(a.Rhs1)
	}
	return read
}

func all(ls []aiger.Lit, read func(aiger.Lit) bool) bool {
	for _, l := range ls {
		if !read(l) {
			return false
		}
	}
	return true
}

func next(f *aiger.File, read func(aiger.Lit) bool) (s uint64) {
	for i, l := range f.Latches {
		if read(l.Next) {
			s |= 1 << i
		}
	}
	return s
}

// truth gives the reason by enumeration of all pairs of states; shortest is the length
// of the shortest gap, in steps.
func truth(f *aiger.File, properties []int, m Mutant, place mutant.Mux, o certify.Observation) (reason Reason, shortest int) {
	fault := sim.Fault{Kind: m.Fault, Mux: place}
	if !m.Target.Gate {
		fault.Var = f.Latches[m.Target.Index].Lit >> 1
	} else {
		for i, a := range f.Ands {
			if f.AndPosition(i) == m.Target.Index {
				fault.Var = a.Lhs >> 1
			}
		}
	}
	if !inCone(f, properties, fault.Var) {
		return Outside, 0
	}
	g, err := sim.Mutant(f, fault)
	if err != nil {
		panic(err)
	}
	one, constant := m.Fault.Stuck()
	anyRun, s := false, true
	type pair struct{ a, b uint64 }
	seen := map[pair]bool{}
	var frontier []pair
	visit := func(p pair, in uint64, first bool) (gap bool) {
		read := eval(f, p.a, in)
		if first { // is this an initial state under the inputs?
			for i, l := range f.Latches {
				if l.Reset != l.Lit && read(l.Reset) != (p.a>>i&1 == 1) {
					return false
				}
			}
		}
		holds := all(f.Constraints, read)
		anyRun = anyRun || holds
		if holds {
			value := read(2 * fault.Var)
			if !m.Target.Gate && place == mutant.AtNext {
				value = read(f.Latches[m.Target.Index].Next)
			}
			constant = constant && value == one
		}
		for free := range uint64(len(g.Inputs)-len(f.Inputs)) + 1 {
			other := eval(g, p.b, in|free<<len(f.Inputs))
			both := all(g.Constraints, other)
			s = s && holds == both
			if !holds || !both {
				continue
			}
			if o.In(f) == certify.ObserveOutputs {
				for i, l := range f.Outputs {
					gap = gap || len(f.Bads) > 0 && read(l) != other(g.Outputs[i])
				}
			} else {
				for _, l := range f.Latches {
					gap = gap || l.Lit>>1 != fault.Var && read(l.Lit) != other(l.Lit)
				}
			}
			if to := (pair{next(f, read), next(g, other)}); !seen[to] {
				seen[to] = true
				frontier = append(frontier, to)
			}
		}
		return gap
	}
	ins := uint64(1) << len(f.Inputs)
	gapAt := -1
	for state := range uint64(1) << len(f.Latches) {
		for in := range ins {
			if visit(pair{state, state}, in, true) {
				gapAt = 0
			}
		}
	}
	for step := 1; len(frontier) > 0; step++ {
		now := frontier
		frontier = nil
		for _, p := range now {
			for in := range ins {
				if visit(p, in, false) && gapAt < 0 {
					gapAt = step
				}
			}
		}
	}
	constant = constant && alwaysConstant(f, fault, m, place)
	switch {
	case !anyRun:
		return Vacuous, 0
	case constant:
		return Constant, 0
	case gapAt >= 0:
		return Gap, gapAt
	case s:
		return Equivalent, 0
	}
	return Vacuous, 0
}

// alwaysConstant looks at all runs of the design, those that the mutant cannot follow
// included.
func alwaysConstant(f *aiger.File, fault sim.Fault, m Mutant, place mutant.Mux) bool {
	seen := map[uint64]bool{}
	var work []uint64
	one, constant := m.Fault.Stuck()
	visit := func(state, in uint64, first bool) {
		read := eval(f, state, in)
		if first {
			for i, l := range f.Latches {
				if l.Reset != l.Lit && read(l.Reset) != (state>>i&1 == 1) {
					return
				}
			}
		}
		if !all(f.Constraints, read) {
			return
		}
		value := read(2 * fault.Var)
		if !m.Target.Gate && place == mutant.AtNext {
			value = read(f.Latches[m.Target.Index].Next)
		}
		constant = constant && value == one
		if to := next(f, read); !seen[to] {
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
	return constant
}

// inCone tells whether a property or a constraint reads the variable, in any number of
// steps.
func inCone(f *aiger.File, properties []int, variable uint32) bool {
	in := map[uint32]bool{}
	bads, _, _ := f.Properties()
	for _, p := range properties {
		if p < len(bads) {
			in[bads[p]>>1] = true
			continue
		}
		for _, l := range slices.Concat(f.Justice[p-len(bads)], f.Fairness) {
			in[l>>1] = true
		}
	}
	for _, l := range f.Constraints {
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
