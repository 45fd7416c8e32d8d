package coverage

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"netcov/aig"
	"netcov/aiger"
	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
	"netcov/cert"
	"netcov/certify"
	"netcov/netlist"
)

// joined draws designs with registers of their own, puts them side by side, and joins
// their bad states by OR; most of those that some run reaches are left out. Some designs
// read the same inputs.
func joined(r *rand.Rand) *aiger.File {
	shape := randaig.Shape{Inputs: 2, Latches: 4, Ands: 14, Bads: 3, ResetOne: true, Uninitialised: true, ResetFunction: true}
	f := &aiger.File{}
	variable := func() aiger.Lit {
		f.MaxVar++
		return 2 * f.MaxVar
	}
	holds := aiger.Lit(1) // no part is in a bad state
	for i := range 2 + r.IntN(3) {
		shape.Constraints = max(0, r.IntN(2)-i) // in the first part
		p := randaig.New(r, shape)
		to := make([]aiger.Lit, p.MaxVar+1)
		move := func(l aiger.Lit) aiger.Lit { return to[l>>1] ^ l&1 }
		for i, l := range p.Inputs {
			if i < len(f.Inputs) && r.IntN(2) == 0 {
				to[l>>1] = f.Inputs[i]
				continue
			}
			to[l>>1] = variable()
			f.Inputs = append(f.Inputs, to[l>>1])
		}
		for _, l := range p.Latches {
			to[l.Lit>>1] = variable()
		}
		for _, a := range p.Ands {
			to[a.Lhs>>1] = variable()
			f.Ands = append(f.Ands, aiger.And{Lhs: to[a.Lhs>>1], Rhs0: move(a.Rhs0), Rhs1: move(a.Rhs1)})
		}
		for _, l := range p.Latches {
			f.Latches = append(f.Latches, aiger.Latch{Lit: move(l.Lit), Next: move(l.Next), Reset: move(l.Reset)})
		}
		for _, l := range p.Constraints {
			f.Constraints = append(f.Constraints, move(l))
		}
		for i, l := range p.Bads {
			if explicit.Fails(p, i) && r.IntN(20) > 0 {
				continue
			}
			g := variable()
			f.Ands = append(f.Ands, aiger.And{Lhs: g, Rhs0: holds, Rhs1: move(l) ^ 1})
			holds = g
		}
	}
	f.Bads = []aiger.Lit{holds ^ 1}
	return f
}

// smallBundles lets a test change what a bundle is. It returns the bound on conflicts.
func smallBundles(t *testing.T) (conflicts int64) {
	from, registers, times, conflicts := bundleFrom, bundleRegisters, bundleTimes, bundleConflicts
	t.Cleanup(func() { bundleFrom, bundleRegisters, bundleTimes, bundleConflicts = from, registers, times, conflicts })
	bundleFrom = 0
	return conflicts
}

// stopsEarly reports whether the first attempt on a part leaves it open.
func stopsEarly(n *netlist.Netlist, bads []aig.Lit) bool {
	o := &openPart{provedPart: &provedPart{bads: bads}}
	return o.prove(context.Background(), netlist.NewExtractor(n), bundleConflicts, true, probes{}).Status == cert.Unknown
}

// refuses reports whether the second opinion refuses a proof without the invariant of a
// part: it has to where the rest proves nothing on the whole.
func refuses(t *testing.T, f *aiger.File, n *netlist.Netlist, p *Answer, at int) bool {
	p.parts[at].invariant = &cert.Invariant{}
	var rest []*cert.Invariant
	for _, part := range p.parts {
		rest = append(rest, part.invariant)
	}
	_, err := p.ConfirmParts(context.Background(), f, n, 0)
	if whole := certify.NewChecker(f, 0).Invariant(context.Background(), cert.Conjunction(rest...), nil); whole != nil && err == nil {
		t.Fatalf("a part without an invariant is accepted: %v", whole)
	}
	return err != nil
}

// TestPartsAgainstEnumeration compares proofs in parts with enumeration, and asks the
// second opinion about the joint invariants and the traces.
func TestPartsAgainstEnumeration(t *testing.T) {
	conflicts := smallBundles(t)
	r := rand.New(rand.NewPCG(19, 1))
	count := map[cert.Status]int{}
	bundles, constrained, again, refused := 0, 0, 0, 0
	for i := range rounds(t, 8000) {
		bundleRegisters, bundleTimes = 1<<r.IntN(4), r.IntN(5)
		f := joined(r)
		n := netlist.FromAIGER(f)
		bad := n.Bads[0].Lit
		bundleConflicts = 1 + int64(r.IntN(2))*conflicts
		parts := bundle(n, bad)
		if len(parts) < 2 {
			continue
		}
		p := Check(context.Background(), n, 0, CheckOptions{})
		if p.engine != nil {
			t.Fatalf("design %d: proved as a whole", i)
		}
		bundles += len(parts)
		if slices.ContainsFunc(parts, func(b []aig.Lit) bool { return stopsEarly(n, b) }) {
			again++
		}
		if fails := explicit.Fails(f, 0); p.Err != nil || p.Status == cert.Unknown || fails != (p.Status == cert.Fails) {
			t.Fatalf("design %d: %v in parts (%v), enumeration says that it fails: %v", i, p.Status, p.Err, fails)
		}
		k := certify.NewChecker(f, 0)
		err := error(nil)
		if p.Status == cert.Fails {
			err = k.Trace(p.Trace)
		} else {
			asked := false
			if asked, err = p.ConfirmParts(context.Background(), f, n, 0); err != nil || !asked {
				t.Fatalf("design %d: no second opinion on the parts: %v", i, err)
			}
			err = k.Invariant(context.Background(), p.Invariant, nil)
			if refuses(t, f, n, p, r.IntN(len(p.parts))) {
				refused++
			}
		}
		if err != nil {
			t.Fatalf("design %d: %v", i, err)
		}
		count[p.Status]++
		if len(f.Constraints) > 0 {
			constrained++
		}
	}
	all := count[cert.Holds] + count[cert.Fails]
	t.Logf("%d bundles of %d designs, %d hold, %d fail, %d with constraints, %d have parts that stay open at first, %d proofs without one of their parts are refused", bundles, all, count[cert.Holds], count[cert.Fails], constrained, again, refused)
	if least := rounds(t, 8000) / 80; count[cert.Holds] < least || count[cert.Fails] < least || constrained == 0 || bundles < 2*all || again == 0 || refused < least/2 {
		t.Errorf("too few were looked at: %v, %d with constraints, %d bundles, %d open at first", count, constrained, bundles, again)
	}
}
