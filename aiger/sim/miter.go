package sim

import (
	"netcov/aiger"
)

// Miter returns the file of f and of its mutant side by side: it is bad where one of the
// literals points, as its readers see it, differs. The inputs are those of f, then the
// free value of a nondet fault; the latches those of f, then those of Mutant, each of
// which starts as the design's. All constraints hold on both sides. Points must not
// contain the mutated latch.
func Miter(f *aiger.File, fault Fault, points []aiger.Lit) (*aiger.File, error) {
	watched := *f // Mutant redirects what reads the node
	watched.Outputs, watched.Bads, watched.Justice, watched.Fairness = points, nil, nil, nil
	watched.Symbols = aiger.Symbols{Inputs: f.Symbols.Inputs, Latches: f.Symbols.Latches}
	g, err := Mutant(&watched, fault)
	if err != nil {
		return nil, err
	}
	m := &aiger.File{Comment: "miter of the design and its " + g.Comment}
	variable := func() aiger.Lit { m.MaxVar++; return 2 * m.MaxVar }
	left, right := make([]aiger.Lit, f.MaxVar+1), make([]aiger.Lit, g.MaxVar+1)
	for i, l := range g.Inputs {
		v := variable()
		if right[l>>1] = v; i < len(f.Inputs) {
			left[f.Inputs[i]>>1] = v
		}
		m.Inputs = append(m.Inputs, v)
	}
	m.Symbols.Inputs = g.Symbols.Inputs
	m.Symbols.Latches = aiger.Names{}
	for side, x := range []*aiger.File{f, g} {
		for i, l := range x.Latches {
			v := variable()
			[][]aiger.Lit{left, right}[side][l.Lit>>1] = v
			m.Latches = append(m.Latches, aiger.Latch{Lit: v})
			if name := x.Symbols.Latches[i]; name != "" {
				m.Symbols.Latches[len(m.Latches)-1] = []string{"design.", "mutant."}[side] + name
			}
		}
	}
	gate := func(a, b aiger.Lit) aiger.Lit {
		v := variable()
		m.Ands = append(m.Ands, aiger.And{Lhs: v, Rhs0: max(a, b), Rhs1: min(a, b)})
		return v
	}
	at := 0
	for side, x := range []*aiger.File{f, g} {
		to := [][]aiger.Lit{left, right}[side]
		edge := func(l aiger.Lit) aiger.Lit { return to[l>>1] ^ l&1 }
		for _, a := range x.Ands {
			to[a.Lhs>>1] = gate(edge(a.Rhs0), edge(a.Rhs1))
		}
		for i, l := range x.Latches {
			q := &m.Latches[at]
			at++
			q.Next = edge(l.Next)
			q.Reset = edge(l.Reset)
			if side == 1 && l.Reset == l.Lit {
				q.Reset = m.Latches[i].Lit
			}
		}
		for _, l := range x.Constraints {
			m.Constraints = append(m.Constraints, edge(l))
		}
	}
	same := aiger.Lit(1)
	for i, l := range points {
		a, b := left[l>>1]^l&1, right[g.Outputs[i]>>1]^g.Outputs[i]&1
		differ := gate(gate(a, b^1)^1, gate(a^1, b)^1) ^ 1
		same = gate(same, differ^1)
	}
	m.Bads = []aiger.Lit{same ^ 1}
	m.Symbols.Bads = aiger.Names{0: "differs"}
	return m, nil
}

// MiterTrace turns a trace of f, and of its mutant, into one of the miter.
func MiterTrace(f *aiger.File, w *aiger.Witness, fault Fault) *aiger.Witness {
	r := *w
	r.Properties = []aiger.Property{{Kind: 'b', Index: 0}}
	r.Init = append(append([]aiger.Ternary{}, w.Init...), w.Init...)
	for i, l := range f.Latches { // the mutant's start as the design's
		if l.Reset > 1 {
			r.Init[len(f.Latches)+i] = aiger.Unknown
		}
	}
	if g, err := Mutant(f, fault); err == nil { // its own latches start at 0
		r.Init = append(r.Init, make([]aiger.Ternary, len(g.Latches)-len(f.Latches))...)
	}
	return &r
}
