package coverage

import (
	"context"
	"time"

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
// the invariants proves the property, and what refutes one part refutes the property. The
// mutants are decided in the same parts: see inparts.go.

// Only a design of bundleFrom registers is worth it. A bundle is full from bundleRegisters
// on, or from bundleTimes as many as the constraints depend on, or each part would be little
// else than a copy of these. Tests change them.
var (
	bundleFrom      = 2000
	bundleRegisters = 50
	bundleTimes     = 4
)

// bundleConflicts bounds the first attempt on a bundle; each further attempt on those that
// stay open may take moreConflicts times as many. Tests change it.
var bundleConflicts int64 = 20_000

const moreConflicts = 8

// provedPart is a bundle with its proof.
type provedPart struct {
	bads      []aig.Lit
	invariant *cert.Invariant // of the whole, that excludes these
	time      time.Duration
}

// checkParts model checks a property in the parts of its bundles. The answer has the proofs
// of the parts, in their order.
func checkParts(ctx context.Context, n *netlist.Netlist, bundles [][]aig.Lit, look probes) *Answer {
	begin := time.Now()
	x := netlist.NewExtractor(n)
	out := &Answer{Status: cert.Holds, Engine: EngineIC3, K: 1}
	open := make([]*openPart, len(bundles))
	for i, bads := range bundles {
		out.parts = append(out.parts, &provedPart{bads: bads})
		open[i] = &openPart{provedPart: out.parts[i], bound: -1}
	}
	for conflicts, first := bundleConflicts, true; len(open) > 0; conflicts, first = moreConflicts*conflicts, false {
		left := open[:0]
		for _, o := range open {
			a := o.prove(ctx, x, conflicts, first, look)
			if a.Err != nil || a.Status == cert.Fails {
				a.Time = time.Since(begin)
				return a
			}
			if a.Status == cert.Unknown {
				left = append(left, o)
			}
			out.M = max(out.M, a.M)
		}
		open = left
		if ctx.Err() != nil {
			break
		}
	}
	out.Bound, out.Time = out.M, time.Since(begin)
	if len(open) > 0 {
		out.Status, out.parts = cert.Unknown, nil
		for _, o := range open {
			out.Bound = min(out.Bound, o.bound)
		}
		out.M = max(out.Bound, 0)
		return out
	}
	all := make([]*cert.Invariant, len(out.parts))
	for i, p := range out.parts {
		all[i] = p.invariant
	}
	out.Invariant = cert.Conjunction(all...)
	return out
}

// openPart is a part that is not proved.
type openPart struct {
	*provedPart
	bound int
}

// prove runs IC3, and where that has given up once, k-induction first. The answer speaks
// of the whole.
func (o *openPart) prove(ctx context.Context, x *netlist.Extractor, conflicts int64, first bool, look probes) *Answer {
	begin := time.Now()
	defer func() { o.time += time.Since(begin) }()
	part := x.Extract(o.bads)
	var lits []aig.Lit
	for _, s := range part.Netlist.Bads {
		lits = append(lits, s.Lit)
	}
	bad := part.Netlist.Graph.OrAll(lits...)
	var a *Answer
	if !first {
		part.Netlist.Bads = []netlist.Signal{{Lit: bad}}
		a = quickInduction(ctx, part.Netlist, []int{0}, look)
	}
	if a == nil {
		a = runEngine(ctx, ic3.New(netlist.Compile(part.Netlist, bad, nil, mutant.AtOutput), look.ic3(nil)), ic3.Budget{Conflicts: conflicts})
	}
	a.engine = nil // it knows the part only
	o.bound = max(o.bound, a.Bound)
	if a.Trace != nil {
		a.Trace = part.Trace(a.Trace)
	}
	if a.Status == cert.Holds {
		o.invariant = part.Invariant(a.Invariant)
	}
	return a
}

// bundle opens a bad-state literal into disjuncts and bundles them: nil where there are
// no two bundles worth it.
func bundle(n *netlist.Netlist, bad aig.Lit) [][]aig.Lit {
	if len(n.Latches) < bundleFrom {
		return nil
	}
	leaves := n.Graph.Disjuncts(bad)
	if len(leaves) < 2 {
		return nil
	}
	own, shared := components(n, leaves)
	registers := map[int32]int{}
	for _, l := range n.Latches {
		if root := own[l.Lit.Node()]; root >= 0 {
			registers[root]++
		}
	}
	var bundles [][]aig.Lit
	at := map[int32]int{} // root of a cluster → its bundle
	full := max(bundleRegisters, bundleTimes*shared)
	size := full
	for _, l := range leaves {
		root := own[l.Node()]
		k, known := at[root]
		if !known {
			if size >= full {
				bundles, size = append(bundles, nil), 0
			}
			k = len(bundles) - 1
			at[root], size = k, size+registers[root]
		}
		bundles[k] = append(bundles[k], l)
	}
	if len(bundles) < 2 {
		return nil
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
