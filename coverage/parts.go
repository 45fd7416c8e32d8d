package coverage

import (
	"context"

	"netcov/aig"
	"netcov/cert"
	"netcov/ic3"
	"netcov/mutant"
	"netcov/netlist"
)

// The property of a large design often says that none of many things happens, each of
// which concerns a few registers. IC3 on all of them at once pays for the whole design in
// each query. So the bad states are opened into the disjuncts whose union they are,
// disjuncts that share registers are one cluster, and bundles of clusters are proved one
// after the other, each on the part of the design that it depends on. No register of one
// part is in another, those that the constraints depend on excepted: the conjunction of
// the invariants proves the property, and what refutes one part refutes the property.

// bundleRegisters is the number of registers from which a bundle is full. The cone of a
// property has two bundles at least, or it is proved as a whole. Tests change it.
var bundleRegisters = 1000

// bundleConflicts bounds the first attempt on a bundle. What stays open is proved
// together, without a bound. Tests change it.
var bundleConflicts int64 = 20_000

// checkParts model checks the property with this bad-state literal in parts. It returns
// nil where there are no two parts worth it.
func checkParts(ctx context.Context, n *netlist.Netlist, bad aig.Lit, look probes) *Answer {
	bundles := bundle(n, bad)
	if len(bundles) < 2 {
		return nil
	}
	p := &partProof{x: netlist.NewExtractor(n), look: look}
	var open []aig.Lit
	for _, b := range bundles {
		a := p.prove(ctx, b, ic3.Budget{Conflicts: bundleConflicts})
		if a.Err != nil || a.Status == cert.Fails {
			return a
		}
		if a.Status == cert.Unknown {
			open = append(open, b...)
		}
	}
	if len(open) > 0 {
		if a := p.prove(ctx, open, ic3.Budget{}); a.Status != cert.Holds {
			return a
		}
	}
	return &Answer{Status: cert.Holds, Engine: EngineIC3, K: 1, M: p.frames, Bound: p.frames, Invariant: cert.Conjunction(p.proved...)}
}

// partProof is the proof so far.
type partProof struct {
	x      *netlist.Extractor
	look   probes
	proved []*cert.Invariant // of the whole
	frames int               // the most that a part took
}

// prove runs IC3 on the part of some disjuncts. The answer speaks of the whole.
func (p *partProof) prove(ctx context.Context, bads []aig.Lit, b ic3.Budget) *Answer {
	part := p.x.Extract(bads)
	var lits []aig.Lit
	for _, s := range part.Netlist.Bads {
		lits = append(lits, s.Lit)
	}
	bad := part.Netlist.Graph.OrAll(lits...)
	a := runEngine(ctx, ic3.New(netlist.Compile(part.Netlist, bad, nil, mutant.AtOutput), p.look.ic3(nil)), b)
	a.engine = nil // it knows the part only
	if a.Trace != nil {
		a.Trace = part.Trace(a.Trace)
	}
	if a.Status == cert.Holds {
		a.Invariant = part.Invariant(a.Invariant)
		p.proved, p.frames = append(p.proved, a.Invariant), max(p.frames, a.M)
	}
	return a
}

// bundle opens a bad-state literal into disjuncts and bundles them.
func bundle(n *netlist.Netlist, bad aig.Lit) [][]aig.Lit {
	if len(n.Latches) < 2*bundleRegisters {
		return nil
	}
	leaves := n.Graph.Disjuncts(bad)
	if len(leaves) < 2 {
		return nil
	}
	own, shared := components(n, leaves)
	if 4*shared > bundleRegisters {
		return nil // each part would be little else than a copy of the constraints
	}
	registers := map[int32]int{}
	for _, l := range n.Latches {
		if root := own[l.Lit.Node()]; root >= 0 {
			registers[root]++
		}
	}
	var bundles [][]aig.Lit
	at := map[int32]int{} // root of a cluster → its bundle
	size := bundleRegisters
	for _, l := range leaves {
		root := own[l.Node()]
		k, known := at[root]
		if !known {
			if size >= bundleRegisters {
				bundles, size = append(bundles, nil), 0
			}
			k = len(bundles) - 1
			at[root], size = k, size+registers[root]
		}
		bundles[k] = append(bundles[k], l)
	}
	return bundles
}

// components tells for each node in the cones of the leaves, of any number of steps,
// which cluster it is in: two nodes are in the same one if a register ties them. It is
// negative for nodes in no cluster: those outside of the cones, inputs, and what the
// constraints depend on, which every part has. Shared is the number of registers among
// these.
func components(n *netlist.Netlist, leaves []aig.Lit) (of []int32, shared int) {
	var constraints []aig.Lit
	for _, c := range n.Constraints {
		constraints = append(constraints, c.Lit)
	}
	common, cone := n.SequentialCone(constraints...), n.SequentialCone(leaves...)
	of = make([]int32, n.Graph.Size())
	for v := range of {
		of[v] = int32(v)
		if k := n.Graph.Kind(aig.Node(v)); common[v] || !cone[v] || k == aig.KindConst || k == aig.KindInput {
			of[v] = -1
		}
	}
	find := func(v int32) int32 {
		for of[v] != v {
			of[v] = of[of[v]]
			v = of[v]
		}
		return v
	}
	join := func(v aig.Node, l aig.Lit) {
		if of[v] >= 0 && of[l.Node()] >= 0 {
			of[find(int32(v))] = find(int32(l.Node()))
		}
	}
	for v := range of {
		if v := aig.Node(v); of[v] >= 0 && n.Graph.Kind(v) == aig.KindAnd {
			a, b := n.Graph.Fanins(v)
			join(v, a)
			join(v, b)
		}
	}
	for _, l := range n.Latches {
		if common[l.Lit.Node()] {
			shared++
		}
		join(l.Lit.Node(), l.Next)
		join(l.Lit.Node(), l.Reset)
	}
	for v := range of {
		if of[v] >= 0 {
			of[v] = find(int32(v))
		}
	}
	return of, shared
}
