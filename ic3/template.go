package ic3

import (
	"slices"

	"netcov/aig"
	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/netlist"
	"netcov/sat"
)

// template is the transition relation as clauses, encoded once, with what ties
// it to the model.
type template struct {
	builder framesat.Builder
	cur     []sat.Lit // [latch]: its value, or LitUndef outside of the cone
	next    []sat.Lit // [latch]: its next-state function
	bad     sat.Lit
	// constraint is LitUndef when the model has none.
	constraint sat.Lit
	inputs     []sat.Lit // [input]: its value, or LitUndef outside of the cone
	latchOf    []int32   // [variable]: latch, or -1
	inputOf    []int32   // [variable]: input, or -1
	defs       definitions
	extra      sat.Var // first of the variables that the caller asked for
}

// newTemplate encodes the model, with further variables for the caller, from
// template.extra on.
func newTemplate(m *netlist.Model, extra int) *template {
	t := &template{constraint: sat.LitUndef}
	t.builder.Reserve(m.Graph.Size())
	f := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(&t.builder)})
	t.cur = make([]sat.Lit, len(m.Latches))
	t.next = make([]sat.Lit, len(m.Latches))
	t.bad = f.Lit(0, m.Bad)
	if m.Constraint != aig.True {
		t.constraint = f.Lit(0, m.Constraint)
	}
	for i, l := range m.Latches {
		t.cur[i], t.next[i] = sat.LitUndef, sat.LitUndef
		if l.InCone {
			t.next[i] = f.Lit(0, l.Next)
			t.cur[i] = f.Latch(0, i)
		}
	}
	t.extra = sat.Var(t.builder.NumVars())
	for range extra {
		t.builder.NewVar()
	}
	n := t.builder.NumVars()
	t.latchOf = fill(n)
	t.inputOf = fill(n)
	for i, l := range t.cur {
		if l != sat.LitUndef {
			t.latchOf[l.Var()] = int32(i)
		}
	}
	t.inputs = make([]sat.Lit, len(m.Inputs))
	for i, l := range m.Inputs {
		t.inputs[i] = sat.LitUndef
		if p, ok := f.Encoded(0, l); ok {
			t.inputOf[p.Var()] = int32(i)
			t.inputs[i] = p
		}
	}
	t.defs = newDefinitions(&t.builder)
	return t
}

// reduced returns the transition relation as far as an invariant needs it: what
// the next states of its latches, the bad states and the constraint depend on.
// It has further variables for the caller. Pairs of exclusive latches are left
// out.
func (t *template) reduced(inv *cert.Invariant, vars int) *template {
	roots := []sat.Lit{t.bad}
	if t.constraint != sat.LitUndef {
		roots = append(roots, t.constraint)
	}
	for _, c := range inv.Clauses {
		for _, l := range c {
			if next := t.next[l.Latch()]; next != sat.LitUndef {
				roots = append(roots, next)
			}
		}
	}
	x := *t
	x.builder = framesat.Builder{}
	x.builder.Reserve(len(t.latchOf))
	x.defs.add(&x.builder, x.defs.cone(roots))
	x.extra = sat.Var(x.builder.NumVars())
	for range vars {
		x.builder.NewVar()
	}
	spare := fill(vars)
	x.latchOf, x.inputOf = slices.Concat(x.latchOf, spare), slices.Concat(x.inputOf, spare)
	return &x
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
	data  []sat.Lit
}

func newDefinitions(b *framesat.Builder) definitions {
	d := definitions{start: make([]int32, b.NumVars()+1)}
	clauses, lits := b.Size()
	d.data = make([]sat.Lit, 0, clauses+lits)
	v := sat.Var(0)
	b.Each(func(owner sat.Var, clause []sat.Lit) {
		for ; v < owner; v++ {
			d.start[v+1] = int32(len(d.data))
		}
		own := sat.LitUndef
		for _, l := range clause {
			if l.Var() == owner {
				own = l
			}
		}
		d.data = append(d.data, sat.Lit(len(clause)-1), own)
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

// each visits the clauses that define a variable; the variable's literal comes
// first.
func (d *definitions) each(v sat.Var, f func(clause []sat.Lit)) {
	for i := d.start[v]; i < d.start[v+1]; {
		end := i + 2 + int32(d.data[i])
		f(d.data[i+1 : end])
		i = end
	}
}

// cone marks the variables that the literals depend on.
func (d *definitions) cone(roots []sat.Lit) []bool {
	in := make([]bool, len(d.start)-1)
	var stack []sat.Var
	push := func(l sat.Lit) {
		if v := l.Var(); !in[v] {
			in[v] = true
			stack = append(stack, v)
		}
	}
	for _, l := range roots {
		push(l)
	}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		d.each(v, func(clause []sat.Lit) {
			for _, l := range clause {
				push(l)
			}
		})
	}
	return in
}

// add adds all variables to a builder, and the clauses of those that are marked.
func (d *definitions) add(b *framesat.Builder, marked []bool) {
	for v, in := range marked {
		b.NewVar()
		if in {
			d.each(sat.Var(v), func(clause []sat.Lit) { b.AddClause(clause...) })
		}
	}
}
