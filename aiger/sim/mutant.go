// The mutant as an AIGER file of its own, so that any simulator and any model
// checker can take it.

package sim

import (
	"slices"

	"netcov/aiger"
	"netcov/mutant"
)

// FreeInput is the name of the input that a nondet fault adds, last of all.
const FreeInput = "netcov_free"

// StartedLatch is the name of the latch that a fault of a gate with AtNext
// adds, last of all: 0 in step 0 and 1 ever after.
const StartedLatch = "netcov_started"

// Mutant returns the file of f under fault. Its inputs are those of f, then the
// free input of a nondet fault; its latches those of f, then, for a gate with
// AtNext, one that is 0 in step 0 only. A trace of f under the fault is a
// trace of this file (a 0 added for that latch), with the same Result.
//
// The comment names the fault; the order of gates is the file's own. It fails
// for a variable that is no latch and no gate.
func Mutant(f *aiger.File, fault Fault) (*aiger.File, error) {
	sites, err := find(f, []Fault{fault})
	if err != nil {
		return nil, err
	}
	g := *f
	g.AndPos, g.SHA256 = nil, ""
	g.Comment = "mutant: " + fault.String() + "\n"
	m := &mutation{File: &g, fault: fault}
	m.forced = Seen[aiger.Lit](fault.Kind, m)
	g.Latches = slices.Clone(f.Latches)
	switch {
	case fault.Mux == mutant.AtNext && sites[0].latch >= 0:
		g.Latches[sites[0].latch].Next = m.forced
	case fault.Mux == mutant.AtNext:
		m.gateFromStep1(sites[0].gate)
	default:
		m.redirectFrom(0, m.forced)
	}
	return &g, nil
}

// mutation is a file that is being mutated.
type mutation struct {
	*aiger.File
	fault  Fault
	forced aiger.Lit // what the fault shows instead of the variable
}

func (m *mutation) variable() aiger.Lit {
	m.MaxVar++
	return 2 * m.MaxVar
}

// Const returns a constant.
func (m *mutation) Const(b bool) aiger.Lit {
	if b {
		return 1
	}
	return 0
}

// Free adds the free input.
func (m *mutation) Free() aiger.Lit {
	free := m.variable()
	m.Symbols.Inputs = named(m.Symbols.Inputs, len(m.Inputs), FreeInput)
	m.Inputs = append(slices.Clone(m.Inputs), free)
	return free
}

// named returns names with one more.
func named(names aiger.Names, at int, name string) aiger.Names {
	more := aiger.Names{at: name}
	for i, n := range names {
		more[i] = n
	}
	return more
}

// gateFromStep1 lets the readers of a gate see the fault when the added latch
// is 1: not(not(started and forced) and not(not started and gate)).
func (m *mutation) gateFromStep1(at int) {
	started, gate := m.variable(), m.Ands[at].Lhs
	m.Symbols.Latches = named(m.Symbols.Latches, len(m.Latches), StartedLatch)
	m.Latches = append(m.Latches, aiger.Latch{Lit: started, Next: 1})
	on, off, seen := m.variable(), m.variable(), m.variable()
	m.Ands = slices.Insert(
		slices.Clone(m.Ands), at+1,
		aiger.And{Lhs: on, Rhs0: started, Rhs1: m.forced},
		aiger.And{Lhs: off, Rhs0: started ^ 1, Rhs1: gate},
		aiger.And{Lhs: seen, Rhs0: on ^ 1, Rhs1: off ^ 1},
	)
	m.redirectFrom(at+4, seen^1)
}

// redirectFrom lets all readers of the mutated variable read seen instead, gates
// from position first on. Reset functions keep what they read.
func (m *mutation) redirectFrom(first int, seen aiger.Lit) {
	copies := m.keepResets()
	to := func(lit aiger.Lit) aiger.Lit {
		if lit>>1 == m.fault.Var {
			return seen ^ lit&1
		}
		return lit
	}
	all := func(lits []aiger.Lit) []aiger.Lit {
		lits = slices.Clone(lits)
		for i, lit := range lits {
			lits[i] = to(lit)
		}
		return lits
	}
	ands := slices.Clone(m.Ands)
	for i := first; i < len(ands); i++ {
		ands[i].Rhs0, ands[i].Rhs1 = to(ands[i].Rhs0), to(ands[i].Rhs1)
	}
	m.Ands = append(ands, copies...)
	for i := range m.Latches {
		m.Latches[i].Next = to(m.Latches[i].Next)
	}
	m.Outputs, m.Bads, m.Constraints, m.Fairness = all(m.Outputs), all(m.Bads), all(m.Constraints), all(m.Fairness)
	m.Justice = slices.Clone(m.Justice)
	for i, j := range m.Justice {
		m.Justice[i] = all(j)
	}
}

// keepResets lets the reset functions read copies of those gates between the
// mutated variable and them, and returns the copies.
func (m *mutation) keepResets() []aiger.And {
	needed := make(map[uint32]bool) // variables in the cones of reset functions
	for _, l := range m.Latches {
		if l.HasResetFunction() {
			needed[l.Reset>>1] = true
		}
	}
	if len(needed) == 0 {
		return nil
	}
	for _, a := range slices.Backward(m.Ands) {
		if needed[a.Lhs>>1] {
			needed[a.Rhs0>>1], needed[a.Rhs1>>1] = true, true
		}
	}
	copyOf := make(map[uint32]aiger.Lit)
	to := func(lit aiger.Lit) aiger.Lit {
		if other, ok := copyOf[lit>>1]; ok {
			return other | lit&1
		}
		return lit
	}
	var copies []aiger.And
	for _, a := range m.Ands {
		touched := func(lit aiger.Lit) bool { return lit>>1 == m.fault.Var || to(lit) != lit }
		if needed[a.Lhs>>1] && (touched(a.Rhs0) || touched(a.Rhs1)) {
			copyOf[a.Lhs>>1] = m.variable()
			copies = append(copies, aiger.And{Lhs: copyOf[a.Lhs>>1], Rhs0: to(a.Rhs0), Rhs1: to(a.Rhs1)})
		}
	}
	for i, l := range m.Latches {
		if l.HasResetFunction() {
			m.Latches[i].Reset = to(l.Reset)
		}
	}
	return copies
}
