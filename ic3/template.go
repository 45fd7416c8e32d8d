package ic3

import (
	"netcov/ic3/internal/framesat"
	"netcov/netlist"
	"netcov/proof"
)

// template is the transition relation as clauses, encoded once, with what ties
// it to the model.
type template struct {
	builder framesat.Builder
	cur     []proof.Lit // [latch]: its value, or LitUndef outside of the cone
	next    []proof.Lit // [latch]: its next-state function
	bad     proof.Lit
	// constraint is LitUndef when the model has none.
	constraint proof.Lit
	inputs     []proof.Lit // [input]: its value, or LitUndef outside of the cone
	latchOf    []int32     // [variable]: latch, or -1
	inputOf    []int32     // [variable]: input, or -1
	defs       definitions
	extra      proof.Var // first of the variables that the caller asked for
}

// additions is what an engine's transition relation has beside the model's.
type additions struct {
	vars      int   // further variables, from template.extra on
	exclusive []int // frozen latches of which at most one is 1 in any state
}

func newTemplate(m *netlist.Model, add additions) *template {
	t := &template{constraint: proof.LitUndef}
	t.builder.Reserve(m.Graph.Size())
	f := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(&t.builder)})
	t.cur = make([]proof.Lit, len(m.Latches))
	t.next = make([]proof.Lit, len(m.Latches))
	t.bad = f.Lit(0, m.Bad)
	if m.Constraint != netlist.True {
		t.constraint = f.Lit(0, m.Constraint)
	}
	for i, l := range m.Latches {
		t.cur[i], t.next[i] = proof.LitUndef, proof.LitUndef
		if l.InCone {
			t.next[i] = f.Lit(0, l.Next)
			t.cur[i] = f.Latch(0, i)
		}
	}
	t.extra = proof.Var(t.builder.NumVars())
	for range add.vars {
		t.builder.NewVar()
	}
	for i, a := range add.exclusive {
		for _, b := range add.exclusive[:i] {
			t.builder.ExcludePair(t.cur[a], t.cur[b])
		}
	}
	n := t.builder.NumVars()
	t.latchOf = fill(n)
	t.inputOf = fill(n)
	for i, l := range t.cur {
		if l != proof.LitUndef {
			t.latchOf[l.Var()] = int32(i)
		}
	}
	t.inputs = make([]proof.Lit, len(m.Inputs))
	for i, l := range m.Inputs {
		t.inputs[i] = proof.LitUndef
		if p, ok := f.Encoded(0, l); ok {
			t.inputOf[p.Var()] = int32(i)
			t.inputs[i] = p
		}
	}
	t.defs = newDefinitions(&t.builder)
	return t
}

func fill(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// definitions are the clauses that define each variable, in one slice: for
// each clause its length, the variable's literal in it, and the others.
type definitions struct {
	start []int32
	data  []proof.Lit
}

func newDefinitions(b *framesat.Builder) definitions {
	d := definitions{start: make([]int32, b.NumVars()+1)}
	clauses, lits := b.Size()
	d.data = make([]proof.Lit, 0, clauses+lits)
	v := proof.Var(0)
	b.Each(func(owner proof.Var, clause []proof.Lit) {
		for ; v < owner; v++ {
			d.start[v+1] = int32(len(d.data))
		}
		own := proof.LitUndef
		for _, l := range clause {
			if l.Var() == owner {
				own = l
			}
		}
		d.data = append(d.data, proof.Lit(len(clause)-1), own)
		for _, l := range clause {
			if l != own {
				d.data = append(d.data, l)
			}
		}
	})
	for ; int(v) < b.NumVars(); v++ {
		d.start[v+1] = int32(len(d.data))
	}
	return d
}
