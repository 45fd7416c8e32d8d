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

// StartedLatch is the name of the latch that a fault which knows the first step adds,
// last of all: 0 in step 0 and 1 ever after. A fault of a gate with AtNext is one.
const StartedLatch = "netcov_started"

// MissedLatch is the name of the latch that a fault which remembers adds: 1 after the
// first step in which the free input was.
const MissedLatch = "netcov_missed"

// Mutant returns the file of f under fault. Its inputs are those of f, then the
// free input, if there is one; its latches those of f, then, where the fault knows the
// first step, one that is 0 in step 0 only, and where it remembers, what it does. A trace of f under the fault is a
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
	m := &mutation{File: &g, fault: fault, site: sites[0]}
	g.Latches = slices.Clone(f.Latches)
	seen := Seen[aiger.Lit](fault.Kind, m)
	switch {
	case m.atNext():
		m.Latches[m.site.latch].Next = seen
		if m.missed != 0 {
			m.Latches[len(m.Latches)-1].Next = Remembered[aiger.Lit](m)
		}
		m.Ands = append(slices.Clone(m.Ands), m.added...)
	case m.site.latch >= 0:
		m.insert(0, seen)
	case fault.place() == mutant.AtNext:
		m.insert(m.site.gate+1, m.fromStep1(seen))
	default:
		m.insert(m.site.gate+1, seen)
	}
	return &g, nil
}

// mutation is a file that is being mutated.
type mutation struct {
	*aiger.File
	fault Fault
	site  site
	added []aiger.And // what the fault needs, to be inserted behind the node

	free, missed aiger.Lit // 0: not added yet
}

// atNext reports whether the fault is at what a latch is to store.
func (m *mutation) atNext() bool { return m.site.latch >= 0 && m.fault.place() == mutant.AtNext }

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

// Not returns a complement.
func (m *mutation) Not(a aiger.Lit) aiger.Lit { return a ^ 1 }

// And adds a gate.
func (m *mutation) And(a, b aiger.Lit) aiger.Lit {
	l := m.variable()
	m.added = append(m.added, aiger.And{Lhs: l, Rhs0: a, Rhs1: b})
	return l
}

// Value returns the node, or what it is to store.
func (m *mutation) Value() aiger.Lit {
	if m.atNext() {
		return m.Latches[m.site.latch].Next
	}
	return 2 * m.fault.Var
}

// Operand returns what a gate reads.
func (m *mutation) Operand(i int) aiger.Lit {
	and := m.Ands[m.site.gate]
	return [2]aiger.Lit{and.Rhs0, and.Rhs1}[i]
}

// Free adds the free input.
func (m *mutation) Free() aiger.Lit {
	if m.free != 0 {
		return m.free
	}
	m.free = m.variable()
	m.Symbols.Inputs = named(m.Symbols.Inputs, len(m.Inputs), FreeInput)
	m.Inputs = append(slices.Clone(m.Inputs), m.free)
	return m.free
}

// Shown returns a latch.
func (m *mutation) Shown() aiger.Lit { return 2 * m.fault.Var }

// Missed adds the latch that remembers a missed update.
func (m *mutation) Missed() aiger.Lit {
	if m.missed == 0 {
		m.missed = m.variable()
		m.Symbols.Latches = named(m.Symbols.Latches, len(m.Latches), MissedLatch)
		m.Latches = append(m.Latches, aiger.Latch{Lit: m.missed})
	}
	return m.missed
}

// named returns names with one more.
func named(names aiger.Names, at int, name string) aiger.Names {
	more := aiger.Names{at: name}
	for i, n := range names {
		more[i] = n
	}
	return more
}

// First adds the latch that is 0 in step 0 only.
func (m *mutation) First() aiger.Lit {
	started := m.variable()
	m.Symbols.Latches = named(m.Symbols.Latches, len(m.Latches), StartedLatch)
	m.Latches = append(m.Latches, aiger.Latch{Lit: started, Next: 1})
	return started ^ 1
}

// fromStep1 is seen where the added latch is 1, and the node where it is 0:
// not(not(started and seen) and not(not started and node)).
func (m *mutation) fromStep1(seen aiger.Lit) aiger.Lit {
	first := m.First()
	on, off := m.And(first^1, seen), m.And(first, m.Value())
	return m.And(on^1, off^1) ^ 1
}

// insert inserts what the fault needs and lets all readers of the mutated node see
// another literal, gates from that position on. Reset functions keep what they read.
func (m *mutation) insert(position int, seen aiger.Lit) {
	m.Ands = slices.Insert(slices.Clone(m.Ands), position, m.added...)
	first := position + len(m.added)
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
