package waveform

import (
	"fmt"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/mutant"
)

// machine evaluates one side, step by step, with three values.
type machine struct {
	f      *aiger.File
	fault  *sim.Fault      // nil: the design
	value  []aiger.Ternary // by variable, as its readers see it
	state  []aiger.Ternary
	step   int
	missed aiger.Ternary // whether the fault has missed an update
}

func newMachine(f *aiger.File, w *aiger.Witness, fault *sim.Fault) (*machine, error) {
	if len(w.Init) != len(f.Latches) || len(w.Inputs) == 0 {
		return nil, fmt.Errorf("the trace is none of a design with %d latches", len(f.Latches))
	}
	m := &machine{f: f, fault: fault, value: make([]aiger.Ternary, f.MaxVar+1), state: make([]aiger.Ternary, len(f.Latches))}
	copy(m.state, w.Init)
	order, err := f.InitialOrder()
	if err != nil {
		return nil, err
	}
	latch := map[uint32]int{}
	for i, l := range f.Latches {
		latch[l.Lit>>1] = i
		switch {
		case l.Reset <= 1:
			m.state[i] = aiger.Ternary(l.Reset)
		case l.HasResetFunction():
			m.state[i] = aiger.Unknown
		}
	}
	gate := map[uint32]aiger.And{}
	for _, a := range f.Ands {
		gate[a.Lhs>>1] = a
	}
	for i, l := range f.Inputs {
		m.value[l>>1] = w.Inputs[0][i]
	}
	for _, v := range order {
		i, isLatch := latch[v]
		switch {
		case !isLatch:
			m.value[v] = and(m.read(gate[v].Rhs0), m.read(gate[v].Rhs1))
		case f.Latches[i].HasResetFunction():
			m.state[i] = m.read(f.Latches[i].Reset)
			m.value[v] = m.state[i]
		default:
			m.value[v] = m.state[i]
		}
	}
	return m, nil
}

func (m *machine) read(l aiger.Lit) aiger.Ternary {
	v := m.value[l>>1]
	if v != aiger.Unknown && l&1 == 1 {
		return 1 - v
	}
	return v
}

func and(a, b aiger.Ternary) aiger.Ternary {
	switch {
	case a == aiger.False || b == aiger.False:
		return aiger.False
	case a == aiger.True:
		return b
	case b == aiger.True:
		return a
	}
	return aiger.Unknown
}

// seen is what the readers of the mutated node see in place of its value; a gate is
// given, too.
func (m *machine) seen(row []aiger.Ternary, value aiger.Ternary, gate *aiger.And) aiger.Ternary {
	return sim.Seen[aiger.Ternary](m.fault.Kind, &mutated{m, row, value, gate})
}

// mutated is the mutated node in one step.
type mutated struct {
	*machine
	row   []aiger.Ternary
	value aiger.Ternary
	gate  *aiger.And
}

func (n *mutated) Const(b bool) aiger.Ternary {
	if b {
		return aiger.True
	}
	return aiger.False
}

func (n *mutated) Not(a aiger.Ternary) aiger.Ternary {
	if a == aiger.Unknown {
		return a
	}
	return 1 - a
}

func (n *mutated) And(a, b aiger.Ternary) aiger.Ternary { return and(a, b) }
func (n *mutated) Value() aiger.Ternary                 { return n.value }
func (n *mutated) First() aiger.Ternary                 { return n.Const(n.step == 0) }
func (n *mutated) Shown() aiger.Ternary                 { return n.machine.value[n.fault.Var] }
func (n *mutated) Missed() aiger.Ternary                { return n.missed }
func (n *mutated) Operand(i int) aiger.Ternary {
	return n.read([2]aiger.Lit{n.gate.Rhs0, n.gate.Rhs1}[i])
}

// Free returns the free value, the last of the row.
func (n *mutated) Free() aiger.Ternary { return n.row[len(n.f.Inputs)] }

// eval evaluates a frame, and returns the state after it.
func (m *machine) eval(row []aiger.Ternary) []aiger.Ternary {
	f := m.f
	for i, l := range f.Inputs {
		m.value[l>>1] = row[i]
	}
	for i, l := range f.Latches {
		m.value[l.Lit>>1] = m.state[i]
		if m.fault != nil && m.fault.Var == l.Lit>>1 && sim.Place(m.fault.Kind, m.fault.Mux) == mutant.AtOutput {
			m.value[l.Lit>>1] = m.seen(row, m.state[i], nil)
		}
	}
	for _, a := range f.Ands {
		m.value[a.Lhs>>1] = and(m.read(a.Rhs0), m.read(a.Rhs1))
		if m.fault != nil && m.fault.Var == a.Lhs>>1 && (sim.Place(m.fault.Kind, m.fault.Mux) == mutant.AtOutput || m.step > 0) {
			m.value[a.Lhs>>1] = m.seen(row, m.value[a.Lhs>>1], &a)
		}
	}
	next := make([]aiger.Ternary, len(f.Latches))
	for i, l := range f.Latches {
		next[i] = m.read(l.Next)
		if m.fault != nil && m.fault.Var == l.Lit>>1 && sim.Place(m.fault.Kind, m.fault.Mux) == mutant.AtNext {
			next[i] = m.seen(row, next[i], nil)
		}
	}
	if m.fault != nil && m.fault.Kind.Remembers() {
		m.missed = sim.Remembered[aiger.Ternary](&mutated{machine: m, row: row})
	}
	m.step++
	return next
}
