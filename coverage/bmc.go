package coverage

import (
	"context"

	"netcov/aig"
	"netcov/cert"
	"netcov/netlist"
	"netcov/sat"
)

// mutantBMC is bounded search over all mutants at once: one unrolling with a
// selector per cut and one per stuck value, both constant in time, at most one
// cut selected.
type mutantBMC struct {
	m      *netlist.Model
	s      sat.Solver
	frames *netlist.Frames
	sel    []sat.Lit              // [cut]; LitUndef where no mutant of the cut is asked for
	stuck  [][2]sat.Lit           // [cut][value]
	asked  [][netlist.Forces]bool // [cut][force]: what may still be selected
	depth  int                    // frames encoded so far, 0 to depth-1
	prefix []sat.Lit              // [d]: the constraints hold in frames 0..d
	bad    []sat.Lit              // [d]: the bad-state literal of frame d
	ever   []sat.Lit              // [d]: implies bad, with its prefix, in some frame 0..d
}

func newMutantBMC(solver sat.Solver, m *netlist.Model, ms []*Mutant) *mutantBMC {
	b := &mutantBMC{m: m, s: solver}
	b.sel = make([]sat.Lit, len(m.Cuts))
	b.stuck = make([][2]sat.Lit, len(m.Cuts))
	b.asked = make([][netlist.Forces]bool, len(m.Cuts))
	for k := range b.sel {
		b.sel[k] = sat.LitUndef
	}
	var all []sat.Lit
	for _, x := range ms {
		if x.cut < 0 || b.sel[x.cut] != sat.LitUndef {
			continue
		}
		b.sel[x.cut] = sat.MkLit(b.s.NewVar(), false)
		for v := range 2 {
			b.stuck[x.cut][v] = sat.MkLit(b.s.NewVar(), false)
			b.s.AddClause(b.stuck[x.cut][v].Not(), b.sel[x.cut])
		}
		all = append(all, b.sel[x.cut])
	}
	atMostOne(b.s, all)
	b.frames = netlist.NewFrames(m, netlist.FramesOptions{
		Sink:    netlist.SingleSink(b.s),
		Initial: true,
		Share:   true,
		Selector: func(cut, _ int) (sat.Lit, bool) {
			return b.sel[cut], b.sel[cut] != sat.LitUndef
		},
		Forced: func(cut, _ int, v sat.Lit) {
			b.s.AddClause(b.stuck[cut][0].Not(), v.Not())
			b.s.AddClause(b.stuck[cut][1].Not(), v)
		},
	})
	return b
}

// extend encodes one more frame.
func (b *mutantBMC) extend() {
	d := b.depth
	b.depth++
	c := b.frames.Lit(d, b.m.Constraint)
	p := c
	if d > 0 {
		p = sat.MkLit(b.s.NewVar(), false)
		b.s.AddClause(p.Not(), c)
		b.s.AddClause(p.Not(), b.prefix[d-1])
	}
	b.prefix = append(b.prefix, p)
	bad := b.frames.Lit(d, b.m.Bad)
	b.bad = append(b.bad, bad)
	here := sat.MkLit(b.s.NewVar(), false)
	b.s.AddClause(here.Not(), bad)
	b.s.AddClause(here.Not(), p)
	ever := here
	if d > 0 {
		ever = sat.MkLit(b.s.NewVar(), false)
		b.s.AddClause(ever.Not(), here, b.ever[d-1])
	}
	b.ever = append(b.ever, ever)
}

// selection returns the assumptions that select one mutant.
func (b *mutantBMC) selection(m *Mutant) []sat.Lit {
	switch m.force {
	case netlist.ForceZero:
		return []sat.Lit{b.stuck[m.cut][0]}
	case netlist.ForceOne:
		return []sat.Lit{b.stuck[m.cut][1]}
	}
	return []sat.Lit{b.sel[m.cut]}
}

// solveUpTo asks for a counterexample of one mutant of at most depth steps.
func (b *mutantBMC) solveUpTo(ctx context.Context, depth int, m *Mutant) sat.Status {
	return b.s.Solve(ctx, append(b.selection(m), b.ever[depth])...)
}

// trace reads the counterexample of a mutant from the solver's model: up to the
// first frame that is bad.
func (b *mutantBMC) trace(m *Mutant) *cert.Trace {
	t := &cert.Trace{Latches: make([]bool, len(b.m.Latches))}
	value := func(frame int, l aig.Lit) bool {
		p, ok := b.frames.Encoded(frame, l)
		return ok && b.s.Value(p)
	}
	for i, l := range b.m.Latches {
		if l.Reset == netlist.ResetX {
			t.Latches[i] = value(0, l.Lit)
		} else {
			t.Latches[i] = l.Reset == netlist.Reset1
		}
	}
	for frame := range b.depth {
		in := make([]bool, len(b.m.Inputs), len(b.m.Inputs)+1)
		for i, l := range b.m.Inputs {
			in[i] = value(frame, l)
		}
		if m.free() {
			in = append(in, value(frame, b.m.Cuts[m.cut].Lit))
		}
		t.Inputs = append(t.Inputs, in)
		if b.s.Value(b.bad[frame]) {
			break
		}
	}
	return t
}

// some returns the clause that some mutant is selected.
func (b *mutantBMC) some() []sat.Lit {
	var c []sat.Lit
	for _, l := range b.sel {
		if l != sat.LitUndef {
			c = append(c, l)
		}
	}
	return c
}

// drop leaves only the open mutants to be selected.
func (b *mutantBMC) drop(open []*Mutant) {
	asked := make([][netlist.Forces]bool, len(b.sel))
	for _, m := range open {
		asked[m.cut][m.force] = true
	}
	for k, a := range asked {
		if b.sel[k] == sat.LitUndef || b.asked[k] == a {
			continue
		}
		b.asked[k] = a
		switch {
		case a == [netlist.Forces]bool{}:
			b.s.AddClause(b.sel[k].Not())
		case a[netlist.ForceFree]:
		case a[netlist.ForceZero] && a[netlist.ForceOne]:
			b.s.AddClause(b.sel[k].Not(), b.stuck[k][0], b.stuck[k][1])
		case a[netlist.ForceZero]:
			b.s.AddClause(b.sel[k].Not(), b.stuck[k][0])
		default:
			b.s.AddClause(b.sel[k].Not(), b.stuck[k][1])
		}
	}
}

// selected returns the open mutant that the solver's model selects: the
// stuck one where the model holds the value constant.
func (b *mutantBMC) selected(open []*Mutant) *Mutant {
	var choice *Mutant
	for _, m := range open {
		if !b.s.Value(b.sel[m.cut]) {
			continue
		}
		switch {
		case m.free():
			if choice == nil {
				choice = m
			}
		case b.s.Value(b.stuck[m.cut][m.force]):
			choice = m
		}
	}
	return choice
}
