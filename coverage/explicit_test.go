package coverage

import (
	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/netlist"
)

// explicit decides a property of a small file by enumerating its states: the
// oracle of the tests. It interprets the file itself and shares no code with
// what it judges. property is a position among the bads, or the outputs.
func explicit(f *aiger.File, property int) (fails bool) {
	bads := f.Bads
	if len(bads) == 0 {
		bads = f.Outputs
	}
	e := &enumeration{f: f, value: make([]bool, f.MaxVar+1)}
	seen := map[uint64]bool{}
	var work []uint64
	for in := range uint64(1) << len(f.Inputs) {
		for _, s := range e.initial(in) {
			// the reset functions read the inputs of step 0
			e.evaluate(s, in)
			if !e.all(f.Constraints) {
				continue
			}
			if e.read(bads[property]) {
				return true
			}
			if next := e.next(); !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		for in := range uint64(1) << len(f.Inputs) {
			e.evaluate(s, in)
			if !e.all(f.Constraints) {
				continue
			}
			if e.read(bads[property]) {
				return true
			}
			if next := e.next(); !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}

type enumeration struct {
	f     *aiger.File
	value []bool
}

func (e *enumeration) read(l aiger.Lit) bool { return e.value[l>>1] != (l&1 == 1) }

func (e *enumeration) all(ls []aiger.Lit) bool {
	for _, l := range ls {
		if !e.read(l) {
			return false
		}
	}
	return true
}

func (e *enumeration) evaluate(state, in uint64) {
	for i, l := range e.f.Inputs {
		e.value[l>>1] = in>>i&1 == 1
	}
	for i, l := range e.f.Latches {
		e.value[l.Lit>>1] = state>>i&1 == 1
	}
	for _, a := range e.f.Ands {
		e.value[a.Lhs>>1] = e.read(a.Rhs0) && e.read(a.Rhs1)
	}
}

func (e *enumeration) next() uint64 {
	var s uint64
	for i, l := range e.f.Latches {
		if e.read(l.Next) {
			s |= 1 << i
		}
	}
	return s
}

// initial returns the states in which the latches agree with their resets under
// the inputs.
func (e *enumeration) initial(in uint64) []uint64 {
	var out []uint64
	for s := range uint64(1) << len(e.f.Latches) {
		e.evaluate(s, in)
		ok := true
		for i, l := range e.f.Latches {
			if l.Reset != l.Lit && e.read(l.Reset) != (s>>i&1 == 1) {
				ok = false
				break
			}
		}
		if ok {
			out = append(out, s)
		}
	}
	return out
}

// truth decides one mutant by enumeration of the mutant's own file.
func truth(f *aiger.File, property int, t netlist.Target, fault netlist.Fault, place netlist.MuxPlace) Verdict {
	lit := func() aiger.Lit {
		if !t.Gate {
			return f.Latches[t.Index].Lit
		}
		for i, a := range f.Ands {
			if f.AndPosition(i) == t.Index {
				return a.Lhs
			}
		}
		panic("no such gate")
	}()
	sf := sim.Fault{Var: lit >> 1, Kind: sim.Kind(fault)}
	if place == netlist.MuxNext {
		sf.Mux = sim.Next
	}
	mutant, err := sim.Mutant(f, sf)
	if err != nil {
		panic(err)
	}
	if explicit(mutant, property) {
		return Covered
	}
	return NotCovered
}
