package netlist

import (
	"errors"

	"netcov/aig"
	"netcov/aiger"
)

// FromAIGER builds the netlist of a file that aiger.Read has accepted.
func FromAIGER(f *aiger.File) *Netlist {
	n := &Netlist{Graph: aig.NewGraph()}
	lits := make([]aig.Lit, int(f.MaxVar)+1) // by variable
	edge := func(l aiger.Lit) aig.Lit { return lits[l>>1] ^ aig.Lit(l&1) }

	for i, l := range f.Inputs {
		lits[l>>1] = n.Graph.Input()
		n.Inputs = append(n.Inputs, Input{lits[l>>1], f.Symbols.Inputs[i]})
	}
	for i, l := range f.Latches {
		lits[l.Lit>>1] = n.Graph.Latch()
		n.Latches = append(n.Latches, Latch{Lit: lits[l.Lit>>1], Name: f.Symbols.Latches[i]})
	}
	n.Gates = make([]aig.Lit, len(f.Ands))
	for i, a := range f.Ands {
		lits[a.Lhs>>1] = n.Graph.RawAnd(edge(a.Rhs0), edge(a.Rhs1))
		n.Gates[f.AndPosition(i)] = lits[a.Lhs>>1]
	}
	for i, l := range f.Latches {
		n.Latches[i].Next = edge(l.Next)
		n.Latches[i].Reset = edge(l.Reset)
	}
	signals := func(ls []aiger.Lit, names aiger.Names) []Signal {
		ss := make([]Signal, len(ls))
		for i, l := range ls {
			ss[i] = Signal{edge(l), names[i]}
		}
		return ss
	}
	n.Outputs = signals(f.Outputs, f.Symbols.Outputs)
	n.Bads = signals(f.Bads, f.Symbols.Bads)
	n.Constraints = signals(f.Constraints, f.Symbols.Constraints)
	n.Fairness = signals(f.Fairness, f.Symbols.Fairness)
	for i, j := range f.Justice {
		set := Justice{Name: f.Symbols.Justice[i]}
		for _, l := range j {
			set.Lits = append(set.Lits, edge(l))
		}
		n.Justice = append(n.Justice, set)
	}
	return n
}

// FileLits returns edges as literals of the file that the netlist is made of, or has become.
func (n *Netlist) FileLits(f *aiger.File, edges []aig.Lit) ([]aiger.Lit, error) {
	at := make(map[aig.Node]aiger.Lit, len(edges))
	for _, l := range edges {
		at[l.Node()] = 0
	}
	found := 0
	find := func(l aig.Lit, lit aiger.Lit) {
		if _, asked := at[l.Node()]; asked {
			at[l.Node()] = lit ^ aiger.Lit(l&1)
			found++
		}
	}
	find(aig.False, 0)
	for i, in := range n.Inputs {
		find(in.Lit, f.Inputs[i])
	}
	for i, l := range n.Latches {
		find(l.Lit, f.Latches[i].Lit)
	}
	for i, lit := range f.GateLiterals() {
		find(n.Gates[i], lit)
	}
	if found < len(at) {
		return nil, errors.New("an edge is none of the file's")
	}
	out := make([]aiger.Lit, len(edges))
	for i, l := range edges {
		out[i] = at[l.Node()] ^ aiger.Lit(l&1)
	}
	return out, nil
}
