package netlist

import (
	"math/rand/v2"
	"testing"

	"netcov/aig"
	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/sat"
)

// bruteSolver is a solver by enumeration, for the small unrollings of the tests.
type bruteSolver struct {
	vars    int
	clauses [][]sat.Lit
}

func (b *bruteSolver) NewVar() sat.Var { b.vars++; return sat.Var(b.vars - 1) }

func (b *bruteSolver) AddClause(lits ...sat.Lit) {
	b.clauses = append(b.clauses, append([]sat.Lit(nil), lits...))
}

// propagate fixes what unit propagation gives under the assumptions; the
// circuits of the tests leave nothing open once inputs and latches are set.
func (b *bruteSolver) propagate(assume []sat.Lit) (map[sat.Var]bool, bool) {
	val := map[sat.Var]bool{}
	set := func(l sat.Lit) bool {
		v, ok := val[l.Var()]
		if ok {
			return v == !l.Neg()
		}
		val[l.Var()] = !l.Neg()
		return true
	}
	for _, l := range assume {
		if !set(l) {
			return nil, false
		}
	}
	for changed := true; changed; {
		changed = false
		for _, c := range b.clauses {
			open, unit, sat := 0, sat.LitUndef, false
			for _, l := range c {
				v, ok := val[l.Var()]
				switch {
				case !ok:
					open, unit = open+1, l
				case v == !l.Neg():
					sat = true
				}
			}
			if sat || open > 1 {
				continue
			}
			if open == 0 {
				return nil, false
			}
			set(unit)
			changed = true
		}
	}
	return val, true
}

// randomNetlist makes a small netlist with constraints and all kinds of resets.
func randomNetlist(r *rand.Rand) *Netlist {
	n := &Netlist{Graph: aig.NewGraph()}
	lits := []aig.Lit{aig.False}
	for range r.IntN(4) {
		l := n.Graph.Input()
		n.Inputs = append(n.Inputs, Input{Lit: l})
		lits = append(lits, l)
	}
	for range 1 + r.IntN(4) {
		l := n.Graph.Latch()
		n.Latches = append(n.Latches, Latch{Lit: l})
		lits = append(lits, l)
	}
	pick := func() aig.Lit { return lits[r.IntN(len(lits))] ^ aig.Lit(r.IntN(2)) }
	for range r.IntN(25) {
		l := n.Graph.RawAnd(pick(), pick())
		n.Gates = append(n.Gates, l)
		lits = append(lits, l)
	}
	for i := range n.Latches {
		n.Latches[i].Next = pick()
		switch r.IntN(4) {
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
	n.Bads = []Signal{{Lit: pick()}}
	for range r.IntN(2) {
		n.Constraints = append(n.Constraints, Signal{Lit: pick()})
	}
	return n
}

// evaluate runs the netlist by its definition, with one fault, and returns per
// frame the bad and the constraint value.
func evaluate(n *Netlist, fault *mutant.Target, f mutant.Fault, place mutant.Mux, free []bool, init []bool, inputs [][]bool) (bad, ok []bool) {
	state := make([]bool, len(n.Latches))
	raw := func(value []bool, l aig.Lit) bool { return value[l.Node()] != l.Neg() }
	switch f {
	case mutant.Reset:
		place = mutant.AtOutput
	case mutant.Missed:
		place = mutant.AtNext
	}
	var shown, missed bool // by a register; some update before
	forced := func(frame int, value, a, b bool) bool {
		switch f {
		case mutant.Zero:
			return false
		case mutant.One:
			return true
		case mutant.Nondet:
			return free[frame]
		case mutant.Missed:
			if free[frame] && !missed {
				missed = true
				return shown
			}
			return value
		case mutant.Reset:
			return value != (frame == 0)
		case mutant.Or:
			return a || b
		case mutant.Input0:
			return b
		case mutant.Input1:
			return a
		}
		return !value // inverted
	}
	for frame := range inputs {
		value := make([]bool, n.Graph.Size())
		for i, in := range n.Inputs {
			value[in.Lit.Node()] = inputs[frame][i]
		}
		if frame == 0 {
			for i, l := range n.Latches {
				switch {
				case l.Reset.Const():
					state[i] = l.Reset == aig.True
				case l.Reset == l.Lit:
					state[i] = init[i]
				default: // the tests use inputs only
					state[i] = raw(value, l.Reset)
				}
			}
		}
		for i, l := range n.Latches {
			value[l.Lit.Node()] = state[i]
			if fault != nil && !fault.Gate && fault.Index == i && place == mutant.AtOutput {
				value[l.Lit.Node()] = forced(frame, state[i], false, false)
			}
		}
		for i, g := range n.Gates {
			a, b := n.Graph.Fanins(g.Node())
			value[g.Node()] = raw(value, a) && raw(value, b)
			if fault != nil && fault.Gate && fault.Index == i && (place == mutant.AtOutput || frame > 0) {
				value[g.Node()] = forced(frame, value[g.Node()], raw(value, a), raw(value, b))
			}
		}
		bad = append(bad, raw(value, n.Bads[0].Lit))
		good := true
		for _, c := range n.Constraints {
			good = good && raw(value, c.Lit)
		}
		ok = append(ok, good)
		for i, l := range n.Latches {
			shown = value[l.Lit.Node()]
			state[i] = raw(value, l.Next)
			if fault != nil && !fault.Gate && fault.Index == i && place == mutant.AtNext {
				state[i] = forced(frame, state[i], false, false)
			}
		}
	}
	return bad, ok
}

func allTargets(n *Netlist) []mutant.Target {
	var ts []mutant.Target
	for i := range n.Latches {
		ts = append(ts, mutant.Target{Index: i})
	}
	for i := range n.Gates {
		ts = append(ts, mutant.Target{Gate: true, Index: i})
	}
	return ts
}

// TestModelsAgreeWithDefinition compares the compiled model, its mutants, the
// simulator's faulty lanes and the unrolling's selectors with a direct
// evaluation of the definition.
func TestModelsAgreeWithDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 1500 {
		n := randomNetlist(r)
		place := mutant.Mux(r.IntN(2))
		m := Compile(n, n.Bads[0].Lit, allTargets(n), place, mutant.Faults()...)
		if err := m.Graph.Sanity(); err != nil {
			t.Fatal(err)
		}
		const frames = 4
		inputs := make([][]bool, frames)
		free := make([]bool, frames)
		for i := range inputs {
			inputs[i] = make([]bool, len(n.Inputs))
			for j := range inputs[i] {
				inputs[i][j] = r.IntN(2) == 1
			}
			free[i] = r.IntN(2) == 1
		}
		init := make([]bool, len(m.Latches))
		for i, l := range m.Latches {
			init[i] = l.Reset == Reset1 || l.Reset == ResetX && r.IntN(2) == 1
		}
		check := func(what string, got, want []bool) {
			t.Helper()
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("round %d: %s: frame %d: got %v, want %v", round, what, i, got[i], want[i])
				}
			}
		}
		wantBad, wantOK := evaluate(n, nil, 0, place, free, init, inputs)
		bad, ok := simulate(m.Original(), init, inputs, -1, 0, free)
		check("original, bad", bad, wantBad)
		check("original, constraint", ok, wantOK)
		bad, ok = simulate(m, init, inputs, -1, 0, free)
		check("with cuts, bad", bad, wantBad)
		check("with cuts, constraint", ok, wantOK)
		for _, target := range allTargets(n) {
			fault := mutant.Faults()[r.IntN(len(mutant.Faults()))]
			k, force, inside := m.Find(target, fault)
			if !inside {
				continue
			}
			wantBad, wantOK := evaluate(n, &target, fault, place, free, init, inputs)
			bad, ok := simulate(m, init, inputs, k, force, free)
			check("faulty lane, bad", bad, wantBad)
			check("faulty lane, constraint", ok, wantOK)
			faulty := m.Mutant(k, force)
			wide := inputs
			if fault.Free() {
				wide = make([][]bool, frames)
				for i := range wide {
					wide[i] = append(append([]bool(nil), inputs[i]...), free[i])
				}
			}
			bad, ok = simulate(faulty, init, wide, -1, 0, nil)
			check("mutant, bad", bad, wantBad)
			check("mutant, constraint", ok, wantOK)
			bad, ok = unrolled(t, m, init, inputs, k, force, free, r.IntN(2) == 0)
			check("unrolled, bad", bad, wantBad)
			check("unrolled, constraint", ok, wantOK)
		}
	}
}

func simulate(m *Model, init []bool, inputs [][]bool, cut int, f Force, free []bool) (bad, ok []bool) {
	s := NewSimulator(m)
	s.Reset(func(i int) uint64 { return lane0(init[i]) })
	for frame := range inputs {
		in := make([]uint64, len(m.Inputs))
		for i := range inputs[frame] {
			in[i] = lane0(inputs[frame][i])
		}
		if cut >= 0 {
			s.SetFault(cut, 1, lane0(f == ForceOne || f == ForceFree && free[frame]))
		}
		s.Eval(in)
		bad = append(bad, s.Value(m.Bad)&1 == 1)
		ok = append(ok, s.Value(m.Constraint)&1 == 1)
		s.Step()
	}
	return bad, ok
}

// unrolled evaluates by unit propagation in the clauses of an unrolling.
func unrolled(t *testing.T, m *Model, init []bool, inputs [][]bool, cut int, f Force, free []bool, boundary bool) (bad, ok []bool) {
	b := &bruteSolver{}
	sel := sat.MkLit(b.NewVar(), false)
	opt := FramesOptions{Sink: SingleSink(b), Selector: func(k, _ int) (sat.Lit, bool) { return sel, k == cut }}
	if boundary {
		opt.Boundary = func(int) bool { return true }
	} else {
		opt.Initial = true
	}
	u := NewFrames(m, opt)
	assume := []sat.Lit{sel}
	for frame := range inputs {
		u.Lit(frame, m.Bad)
		u.Lit(frame, m.Constraint)
		for i := range m.Latches {
			if l, enc := u.Encoded(frame, m.Latches[i].Lit); frame == 0 && enc {
				assume = append(assume, l.XorSign(!init[i]))
			}
		}
		for i, v := range inputs[frame] {
			if l, enc := u.Encoded(frame, m.Inputs[i]); enc {
				assume = append(assume, l.XorSign(!v))
			}
		}
	}
	for frame := range inputs {
		if l, enc := u.Encoded(frame, m.Cuts[cut].Lit); enc {
			assume = append(assume, l.XorSign(!(f == ForceOne || f == ForceFree && free[frame])))
		}
		for i, v := range inputs[frame] { // what later frames asked for
			if l, enc := u.Encoded(frame, m.Inputs[i]); enc {
				assume = append(assume, l.XorSign(!v))
			}
		}
		for i := range m.Latches {
			if l, enc := u.Encoded(0, m.Latches[i].Lit); enc && frame == 0 {
				assume = append(assume, l.XorSign(!init[i]))
			}
		}
	}
	val, consistent := b.propagate(assume)
	if !consistent {
		t.Fatal("the unrolling contradicts the run")
	}
	for frame := range inputs {
		for _, q := range []struct {
			l  aig.Lit
			to *[]bool
		}{{m.Bad, &bad}, {m.Constraint, &ok}} {
			l := u.Lit(frame, q.l)
			v, done := val[l.Var()]
			if !done {
				t.Fatal("the unrolling leaves a value open")
			}
			*q.to = append(*q.to, v != l.Neg())
		}
	}
	return bad, ok
}

func TestGraphRulesKeepFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		raw, hashed := aig.NewGraph(), aig.NewGraph()
		var a, b []aig.Lit
		for range 4 {
			a, b = append(a, raw.Input()), append(b, hashed.Input())
		}
		for range 30 {
			i, j := r.IntN(len(a)), r.IntN(len(a))
			si, sj := aig.Lit(r.IntN(2)), aig.Lit(r.IntN(2))
			a = append(a, raw.RawAnd(a[i]^si, a[j]^sj))
			b = append(b, hashed.And(b[i]^si, b[j]^sj))
		}
		if hashed.Size() > raw.Size() {
			t.Fatal("hashing made the graph larger")
		}
		for word := range uint64(16) {
			va, vb := eval(raw, word), eval(hashed, word)
			for i := range a {
				if va(a[i]) != vb(b[i]) {
					t.Fatalf("node %d differs under inputs %04b", i, word)
				}
			}
		}
	}
}

func eval(g *aig.Graph, word uint64) func(aig.Lit) bool {
	v := make([]bool, g.Size())
	in := 0
	for n := range v {
		switch g.Kind(aig.Node(n)) {
		case aig.KindInput:
			v[n] = word>>in&1 == 1
			in++
		case aig.KindAnd:
			a, b := g.Fanins(aig.Node(n))
			v[n] = v[a.Node()] != a.Neg() && v[b.Node()] != b.Neg()
		}
	}
	return func(l aig.Lit) bool { return v[l.Node()] != l.Neg() }
}

// TestRestrictFirstFrame: what an invariant says of the latch "first frame" is left out
// where the part has no reset function, and its model no such latch.
func TestRestrictFirstFrame(t *testing.T) {
	// l0 starts as the input says, l1 with 0
	f := &aiger.File{MaxVar: 3, Inputs: []aiger.Lit{2}, Latches: []aiger.Latch{{Lit: 4, Next: 4, Reset: 2}, {Lit: 6, Next: 6}}, Bads: []aiger.Lit{4, 6}}
	n := FromAIGER(f)
	const first = 2 // after the latches
	inv := &cert.Invariant{Clauses: []cert.Clause{{cert.MkStateLit(first, false), cert.MkStateLit(1, true)}, {cert.MkStateLit(1, true)}}}
	for p, want := range []struct {
		latches, clauses int
		all              bool
	}{{2, 0, false}, {1, 1, false}} {
		part := NewExtractor(n).Extract([]aig.Lit{n.Bads[p].Lit})
		m := Compile(part.Netlist, part.Netlist.Bads[0].Lit, nil, mutant.AtOutput)
		r, all := part.Restrict(inv, part.ModelLatches())
		if len(m.Latches) != want.latches || part.ModelLatches() != want.latches || len(r.Clauses) != want.clauses || all != want.all {
			t.Errorf("property %d: %d latches (%d expected by the part), clauses %v, all %v", p, len(m.Latches), part.ModelLatches(), r.Clauses, all)
		}
	}
	both := NewExtractor(n).Extract([]aig.Lit{n.Bads[0].Lit, n.Bads[1].Lit})
	if r, all := both.Restrict(inv, both.ModelLatches()); !all || len(r.Clauses) != 2 {
		t.Errorf("of both properties: %v, all %v", r.Clauses, all)
	}
}

// TestPart: the edges of a part have the values that the whole evaluation gives them,
// under faults, too.
func TestPart(t *testing.T) {
	checked := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 17))
		n := FromAIGER(randaig.New(r, randaig.Everything()))
		if len(n.Properties()) == 0 || n.Properties()[0].Kind == PropertyJustice {
			continue
		}
		var targets []mutant.Target
		for i := range n.Latches {
			targets = append(targets, mutant.Target{Index: i})
		}
		for i := range n.Gates {
			targets = append(targets, mutant.Target{Gate: true, Index: i})
		}
		m := Compile(n, n.Properties()[0].Bad, targets, mutant.AtOutput)
		whole, part := NewSimulator(m), NewSimulator(m)
		for i := range m.Latches {
			w := r.Uint64()
			whole.SetState(i, w)
			part.SetState(i, w)
		}
		for k := range m.Cuts {
			mask, value := r.Uint64()&r.Uint64(), r.Uint64()
			whole.SetFault(k, mask, value)
			part.SetFault(k, mask, value)
		}
		in := make([]uint64, len(m.Inputs))
		for i := range in {
			in[i] = r.Uint64()
		}
		whole.Eval(in)
		p := NewPart(m, m.Constraint)
		part.EvalPart(p, in)
		for _, x := range m.Graph.Cone(m.Constraint) {
			checked++
			if l := aig.MkLit(x, false); whole.Value(l) != part.Value(l) {
				t.Fatalf("seed %d: node %d", seed, x)
			}
		}
	}
	if checked < 500 {
		t.Fatalf("%d nodes", checked)
	}
}

// TestNarrow compares simulation without the cuts that have no faults with that of all.
func TestNarrow(t *testing.T) {
	passed := 0
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 67))
		n := randomNetlist(r)
		m := Compile(n, n.Bads[0].Lit, allTargets(n), mutant.Mux(r.IntN(2)), mutant.Standard()...)
		if len(m.Cuts) == 0 {
			continue
		}
		all, few := NewSimulator(m), NewSimulator(m)
		for range 3 {
			few.ClearFaults()
			all.ClearFaults()
			for range 1 + r.IntN(3) {
				k, mask, value := r.IntN(len(m.Cuts)), r.Uint64(), r.Uint64()
				few.SetFault(k, mask, value)
				all.SetFault(k, mask, value)
			}
			few.Narrow()
			passed += len(few.ops.list) - len(few.narrow.list)
			for i := range m.Latches {
				w := r.Uint64()
				few.SetState(i, w)
				all.SetState(i, w)
			}
			in := make([]uint64, len(m.Inputs))
			for range 4 {
				for i := range in {
					in[i] = r.Uint64()
				}
				few.Eval(in)
				all.Eval(in)
				for _, l := range m.Roots() {
					if few.Value(l) != all.Value(l) {
						t.Fatalf("seed %d: a root differs", seed)
					}
				}
				few.Step()
				all.Step()
			}
		}
	}
	if passed < 1000 {
		t.Fatalf("%d cuts were passed over", passed)
	}
}
