package netlist

import (
	"netcov/aig"
	"netcov/aiger"
)

// ToAIGER writes the netlist as an AIGER file: inputs, latches and gates keep
// their positions. The netlist's graph must hold no cuts. Gates that the netlist
// does not list come after those that it does.
func (n *Netlist) ToAIGER() *aiger.File {
	f := &aiger.File{}
	to := make([]aiger.Lit, n.Graph.Size())
	variable := uint32(0)
	define := func(l aig.Lit) aiger.Lit {
		variable++
		to[l.Node()] = 2 * variable
		return 2 * variable
	}
	for i, in := range n.Inputs {
		f.Inputs = append(f.Inputs, define(in.Lit))
		name(&f.Symbols.Inputs, i, in.Name)
	}
	for i, l := range n.Latches {
		f.Latches = append(f.Latches, aiger.Latch{Lit: define(l.Lit)})
		name(&f.Symbols.Latches, i, l.Name)
	}
	var gates []aig.Node
	for node := range n.Graph.Size() {
		if n.Graph.Kind(aig.Node(node)) == aig.KindAnd {
			gates = append(gates, aig.Node(node))
			define(aig.MkLit(aig.Node(node), false))
		}
	}
	edge := func(l aig.Lit) aiger.Lit { return to[l.Node()] ^ aiger.Lit(l&1) }
	for _, node := range gates {
		a, b := n.Graph.Fanins(node)
		f.Ands = append(f.Ands, aiger.And{Lhs: to[node], Rhs0: edge(a), Rhs1: edge(b)})
	}
	for i, l := range n.Latches {
		f.Latches[i].Next = edge(l.Next)
		f.Latches[i].Reset = edge(l.Reset)
	}
	signals := func(ss []Signal, names *aiger.Names) []aiger.Lit {
		var ls []aiger.Lit
		for i, s := range ss {
			ls = append(ls, edge(s.Lit))
			name(names, i, s.Name)
		}
		return ls
	}
	f.Outputs = signals(n.Outputs, &f.Symbols.Outputs)
	f.Bads = signals(n.Bads, &f.Symbols.Bads)
	f.Constraints = signals(n.Constraints, &f.Symbols.Constraints)
	f.Fairness = signals(n.Fairness, &f.Symbols.Fairness)
	for i, j := range n.Justice {
		var ls []aiger.Lit
		for _, l := range j.Lits {
			ls = append(ls, edge(l))
		}
		f.Justice = append(f.Justice, ls)
		name(&f.Symbols.Justice, i, j.Name)
	}
	f.MaxVar = variable
	f.AndPos = n.gatePositions(gates)
	return f
}

// ListGates makes every AND node a gate, in the order of the graph.
func (n *Netlist) ListGates() {
	n.Gates = n.Gates[:0]
	for node := range n.Graph.Size() {
		if n.Graph.Kind(aig.Node(node)) == aig.KindAnd {
			n.Gates = append(n.Gates, aig.MkLit(aig.Node(node), false))
		}
	}
}

// gatePositions returns the position of each gate in the file, nil when they
// are in the graph's order.
func (n *Netlist) gatePositions(gates []aig.Node) []uint32 {
	at := make(map[aig.Node]uint32, len(gates))
	for i, g := range n.Gates {
		at[g.Node()] = uint32(i)
	}
	next := uint32(len(n.Gates))
	pos := make([]uint32, len(gates))
	ordered := true
	for i, g := range gates {
		p, ok := at[g]
		if !ok {
			p = next
			next++
		}
		pos[i] = p
		ordered = ordered && int(p) == i
	}
	if ordered {
		return nil
	}
	return pos
}

func name(to *aiger.Names, i int, s string) {
	if s == "" {
		return
	}
	if *to == nil {
		*to = aiger.Names{}
	}
	(*to)[i] = s
}
