package ic3

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/go-air/gini"
	"github.com/go-air/gini/z"

	"netcov/aig"
	"netcov/cert"
	"netcov/ic3/internal/framesat"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/sat"
)

// giniSink gives clauses to gini, an independent solver.
type giniSink struct {
	g    *gini.Gini
	vars []z.Lit
}

func (s *giniSink) NewVar() sat.Var {
	s.vars = append(s.vars, s.g.Lit())
	return sat.Var(len(s.vars) - 1)
}

func (s *giniSink) lit(l sat.Lit) z.Lit {
	if l.Neg() {
		return s.vars[l.Var()].Not()
	}
	return s.vars[l.Var()]
}

func (s *giniSink) AddClause(lits ...sat.Lit) {
	for _, l := range lits {
		s.g.Add(s.lit(l))
	}
	s.g.Add(0)
}

func (s *giniSink) sat(assume ...sat.Lit) bool {
	for _, l := range assume {
		s.g.Assume(s.lit(l))
	}
	return s.g.Solve() == 1
}

// checkInvariant checks the three conditions of an inductive invariant with the
// constraint assumed in the current frame only.
func checkInvariant(t *testing.T, m *netlist.Model, inv *cert.Invariant) {
	t.Helper()
	for _, c := range inv.Clauses {
		covers := false
		for _, l := range c {
			r := m.Latches[l.Latch()].Reset
			covers = covers || r == netlist.Reset0 && l.Neg() || r == netlist.Reset1 && !l.Neg()
		}
		if !covers {
			t.Fatalf("clause %v does not hold in all initial states", c)
		}
	}
	s := &giniSink{g: gini.New()}
	f := netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(s)})
	for _, c := range inv.Clauses {
		var lits []sat.Lit
		for _, l := range c {
			lits = append(lits, f.Latch(0, l.Latch()).XorSign(l.Neg()))
		}
		s.AddClause(lits...)
	}
	constraint := f.Lit(0, m.Constraint)
	bad := f.Lit(0, m.Bad)
	if s.sat(constraint, bad) {
		t.Fatal("the invariant has a bad state")
	}
	for _, c := range inv.Clauses {
		assume := []sat.Lit{constraint}
		for _, l := range c {
			assume = append(assume, f.Latch(1, l.Latch()).XorSign(!l.Neg()))
		}
		if s.sat(assume...) {
			t.Fatalf("clause %v is not inductive", c)
		}
	}
}

// randomNetlist makes a small netlist with constraints and all kinds of resets.
func randomNetlist(r *rand.Rand, latches, gates int) *netlist.Netlist {
	n := &netlist.Netlist{Graph: aig.NewGraph()}
	lits := []aig.Lit{aig.False}
	for range r.IntN(4) {
		l := n.Graph.Input()
		n.Inputs = append(n.Inputs, netlist.Input{Lit: l})
		lits = append(lits, l)
	}
	for range 1 + r.IntN(latches) {
		l := n.Graph.Latch()
		n.Latches = append(n.Latches, netlist.Latch{Lit: l})
		lits = append(lits, l)
	}
	pick := func() aig.Lit {
		at := r.IntN(len(lits))
		if len(lits) > 8 && r.IntN(3) > 0 {
			at = len(lits) - 1 - r.IntN(8)
		}
		return lits[at] ^ aig.Lit(r.IntN(2))
	}
	for range r.IntN(gates) {
		l := n.Graph.RawAnd(pick(), pick())
		n.Gates = append(n.Gates, l)
		lits = append(lits, l)
	}
	for i := range n.Latches {
		n.Latches[i].Next = pick()
		switch r.IntN(6) {
		case 0:
			n.Latches[i].Reset = aig.True
		case 1:
			n.Latches[i].Reset = n.Latches[i].Lit
		case 2:
			if len(n.Inputs) > 0 {
				n.Latches[i].Reset = n.Inputs[r.IntN(len(n.Inputs))].Lit ^ aig.Lit(r.IntN(2))
			}
		}
	}
	bad := pick()
	for range 1 + r.IntN(4) {
		bad = n.Graph.RawAnd(bad, pick())
		n.Gates = append(n.Gates, bad)
	}
	n.Bads = []netlist.Signal{{Lit: bad}}
	if r.IntN(3) == 0 {
		n.Constraints = append(n.Constraints, netlist.Signal{Lit: pick()})
	}
	return n
}

// explicit decides the property by enumeration of states; it returns the depth
// of a shortest counterexample, or -1.
func explicit(m *netlist.Model) int {
	s := netlist.NewSimulator(m)
	seen := map[uint64]bool{}
	var frontier []uint64
	var free []int
	init := uint64(0)
	for i, l := range m.Latches {
		switch l.Reset {
		case netlist.Reset1:
			init |= 1 << i
		case netlist.ResetX:
			if l.InCone {
				free = append(free, i)
			}
		}
	}
	for w := range uint64(1) << len(free) {
		st := init
		for k, i := range free {
			st |= w >> k & 1 << i
		}
		frontier = append(frontier, st)
		seen[st] = true
	}
	in := make([]uint64, len(m.Inputs))
	for depth := 0; len(frontier) > 0; depth++ {
		var next []uint64
		for _, st := range frontier {
			for w := range uint64(1) << len(in) {
				for i := range m.Latches {
					s.SetState(i, st>>i&1)
				}
				for i := range in {
					in[i] = w >> i & 1
				}
				s.Eval(in)
				if s.Value(m.Constraint)&1 == 0 {
					continue
				}
				if s.Value(m.Bad)&1 == 1 {
					return depth
				}
				s.Step()
				to := uint64(0)
				for i, l := range m.Latches {
					if l.InCone {
						to |= s.State(i) & 1 << i
					}
				}
				if !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		frontier = next
	}
	return -1
}

// checkResult compares a result with the explicit verdict and checks its
// evidence.
func checkResult(t *testing.T, m *netlist.Model, r Result, want int) {
	t.Helper()
	switch {
	case r.Err != nil:
		t.Fatal(r.Err)
	case r.Status == cert.Unknown:
		t.Fatal("no verdict")
	case (r.Status == cert.Fails) != (want >= 0):
		t.Fatalf("verdict %v, but the shortest counterexample has depth %d", r.Status, want)
	case r.Status == cert.Fails:
		if at := netlist.Replay(m, r.Trace); at != r.Trace.Depth() {
			t.Fatalf("the trace of depth %d is bad in frame %d", r.Trace.Depth(), at)
		}
	default:
		checkInvariant(t, m, r.Invariant)
	}
}

func TestRandomModels(t *testing.T) {
	rounds := 3000
	if testing.Short() {
		rounds = 300
	}
	r := rand.New(rand.NewPCG(7, 8))
	verdicts := map[cert.Status]int{}
	for range rounds {
		n := randomNetlist(r, 9, 60)
		m := netlist.Compile(n, n.Bads[0].Lit, nil, mutant.AtOutput)
		e := New(m, Options{})
		res := e.Run(context.Background(), Budget{})
		verdicts[res.Status]++
		checkResult(t, m, res, explicit(m))
	}
	if verdicts[cert.Holds] < rounds/10 || verdicts[cert.Fails] < rounds/10 {
		t.Fatalf("lopsided sample: %v", verdicts)
	}
}

// randomClauses makes candidate clauses, some of which hold.
func randomClauses(r *rand.Rand, m *netlist.Model) []cert.Clause {
	var cs []cert.Clause
	for range r.IntN(12) {
		var c cert.Clause
		for range 1 + r.IntN(3) {
			i := r.IntN(len(m.Latches))
			c = append(c, cert.MkStateLit(i, r.IntN(2) == 0))
		}
		cs = append(cs, c)
	}
	return cs
}

func TestSlicesAndSeeds(t *testing.T) {
	rounds := 2000
	if testing.Short() {
		rounds = 200
	}
	r := rand.New(rand.NewPCG(9, 10))
	slices, inf, finite := 0, 0, 0
	for range rounds {
		n := randomNetlist(r, 7, 50)
		m := netlist.Compile(n, n.Bads[0].Lit, nil, mutant.AtOutput)
		want := explicit(m)
		seed := randomClauses(r, m)
		if r.IntN(3) == 0 { // a good seed
			first := New(m, Options{}).Run(context.Background(), Budget{})
			if first.Status == cert.Holds {
				seed = append(seed, first.Invariant.Clauses...)
			}
		}
		e := New(m, Options{Seed: seed})
		var res Result
		for res.Status == cert.Unknown && res.Err == nil {
			b := Budget{Propagations: 1 + int64(r.IntN(30))}
			if r.IntN(2) == 0 {
				b = Budget{Conflicts: 1}
			}
			res = e.Run(context.Background(), b)
			slices++
		}
		checkResult(t, m, res, want)
		only := New(m, Options{Seed: seed}) // takes the seeds in and stops there
		only.begin(context.Background(), Budget{})
		for only.phase <= phaseSeedFrames {
			only.step()
		}
		inf += len(only.inf)
		for _, f := range only.frames {
			finite += len(f)
		}
	}
	if slices < rounds*11/10 || inf < rounds/10 || finite == 0 {
		t.Fatalf("lopsided sample: %d slices, %d and %d seeds", slices, inf, finite)
	}
}

// inductiveSubset is maximalInductiveSubset by enumeration.
func inductiveSubset(m *netlist.Model, cs []cert.Clause) (alive []bool, safe bool) {
	s := netlist.NewSimulator(m)
	alive = make([]bool, len(cs))
	for i, c := range cs {
		for _, l := range c {
			r := m.Latches[l.Latch()].Reset
			alive[i] = alive[i] || r == netlist.Reset0 && l.Neg() || r == netlist.Reset1 && !l.Neg()
		}
	}
	in := make([]uint64, len(m.Inputs))
	holds := func(c cert.Clause, st uint64) bool {
		for _, l := range c {
			if (st>>l.Latch()&1 == 1) != l.Neg() {
				return true
			}
		}
		return false
	}
	for changed := true; changed; {
		changed, safe = false, true
		for st := range uint64(1) << len(m.Latches) {
			ok := true
			for i, c := range cs {
				ok = ok && (!alive[i] || holds(c, st))
			}
			if !ok {
				continue
			}
			for w := range uint64(1) << len(in) {
				for i := range m.Latches {
					s.SetState(i, st>>i&1)
				}
				for i := range in {
					in[i] = w >> i & 1
				}
				s.Eval(in)
				if s.Value(m.Constraint)&1 == 0 {
					continue
				}
				safe = safe && s.Value(m.Bad)&1 == 0
				s.Step()
				to := uint64(0)
				for i := range m.Latches {
					to |= s.State(i) & 1 << i
				}
				for i, c := range cs {
					if alive[i] && !holds(c, to) {
						alive[i] = false
						changed = true
					}
				}
			}
		}
	}
	return alive, safe
}

// maximalInductiveSubset returns the seeds that an engine finds inductive, and
// whether they exclude the bad states.
func maximalInductiveSubset(t *testing.T, m *netlist.Model, clauses []cert.Clause) (subset []cert.Clause, safe bool) {
	t.Helper()
	e := New(m, Options{Seed: clauses})
	e.begin(context.Background(), Budget{})
	if !e.seed() {
		t.Fatal("the seeds are not settled")
	}
	for _, l := range e.inf {
		subset = append(subset, l.clause())
	}
	return subset, e.s.Solve(framesat.TagInf, e.badAssumption(), nil) == sat.Unsat
}

// TestInductiveSeeds compares the seeds that are kept for good with enumeration:
// they are the largest inductive subset. A run that is given it comes to the same verdict.
func TestInductiveSeeds(t *testing.T) {
	rounds := 1500
	if testing.Short() {
		rounds = 150
	}
	r := rand.New(rand.NewPCG(11, 12))
	safe, some := 0, 0
	for range rounds {
		n := randomNetlist(r, 5, 40)
		m := netlist.Compile(n, n.Bads[0].Lit, nil, mutant.AtOutput)
		var cs []cert.Clause
	next:
		for _, c := range randomClauses(r, m) {
			seen := map[cert.StateLit]bool{}
			for _, l := range c {
				if !m.Latches[l.Latch()].InCone || seen[l^1] {
					continue next
				}
				seen[l] = true
			}
			cs = append(cs, c)
		}
		alive, wantSafe := inductiveSubset(m, cs)
		got, safeSubset := maximalInductiveSubset(t, m, cs)
		if safeSubset != wantSafe {
			t.Fatalf("got %v, safe %v, want safe %v", got, safeSubset, wantSafe)
		}
		// Equal as sets of states.
		for st := range uint64(1) << len(m.Latches) {
			state := make([]bool, len(m.Latches))
			for i := range state {
				state[i] = st>>i&1 == 1
			}
			want := true
			for i, c := range cs {
				want = want && (!alive[i] || c.Holds(state))
			}
			if (&cert.Invariant{Clauses: got}).Holds(state) != want {
				t.Fatalf("subset %v of %v, alive %v", got, cs, alive)
			}
		}
		if wantSafe {
			safe++
		}
		if len(got) > 0 {
			some++
		}
		// A run that begins with the subset.
		known, rest := []cert.Clause{}, []cert.Clause(nil)
		for i, c := range cs {
			if alive[i] {
				known = append(known, c)
			} else {
				rest = append(rest, c)
			}
		}
		e := New(m, Options{Known: known, Seed: rest})
		checkResult(t, m, e.Run(context.Background(), Budget{}), explicit(m))
	}
	if safe < rounds/20 || some < rounds/20 {
		t.Fatalf("lopsided sample: %d safe, %d with clauses", safe, some)
	}
}

func TestMinimise(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	before, after := 0, 0
	for range 500 {
		n := randomNetlist(r, 7, 50)
		m := netlist.Compile(n, n.Bads[0].Lit, nil, mutant.AtOutput)
		e := New(m, Options{})
		res := e.Run(context.Background(), Budget{})
		if res.Status != cert.Holds {
			continue
		}
		own, ok := e.Minimise(context.Background())
		if !ok || len(own.Clauses) > len(res.Invariant.Clauses) {
			t.Fatalf("its own: %d clauses became %d, %v", len(res.Invariant.Clauses), len(own.Clauses), ok)
		}
		checkInvariant(t, m, own)
		extra, _ := maximalInductiveSubset(t, m, randomClauses(r, m))
		inv := &cert.Invariant{Clauses: append(extra, res.Invariant.Clauses...)}
		small, ok := Minimise(context.Background(), m, inv, Options{})
		if !ok {
			t.Fatal("not minimised")
		}
		checkInvariant(t, m, small)
		before += len(inv.Clauses)
		after += len(small.Clauses)
	}
	if after >= before {
		t.Fatalf("%d clauses became %d", before, after)
	}
	t.Logf("%d clauses became %d", before, after)
}
