package smv

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"netcov/aig"
	"netcov/netlist"
)

var (
	modelCount = flag.Int("smv.models", 120, "random models for the comparison with the interpreter")
	modelSeed  = flag.Uint64("smv.seed", 1, "first seed of the random models")
)

// space is a state space found by trying all pairs of states.
type space struct {
	states  []string // all valuations that satisfy INVAR, by name
	initial []string
	succ    map[string][]string
	reach   []string
	// fails tells that some expression fails, or some assignment leaves its
	// domain, for some valuation.
	fails bool
	// broken tells for each INVARSPEC whether it is violated; brokenIn, for
	// those that read the current state only, in which states it is false.
	broken   []bool
	brokenIn []map[string]bool
}

// valuation is a would-be state; ok tells that INVAR allows it.
type valuation struct {
	vals map[*tvar]tval
	name string
	ok   bool
}

// enumerate calls f for all valuations of variables.
func enumerate(vars []*tvar, into map[*tvar]tval, f func()) {
	if len(vars) == 0 {
		f()
		return
	}
	for _, x := range vars[0].vals {
		into[vars[0]] = x
		enumerate(vars[1:], into, f)
	}
}

func (ip *interp) stateVars() (state, input []*tvar) {
	for _, v := range ip.vars {
		if v.kind == kindInput {
			input = append(input, v)
		} else {
			state = append(state, v)
		}
	}
	return state, input
}

func stateName(vars []*tvar, vals map[*tvar]tval) string {
	parts := make([]string, len(vars))
	for i, v := range vars {
		parts[i] = v.name + "=" + showVal(vals[v])
	}
	return strings.Join(parts, " ")
}

// allowed reports whether an assignment lets a variable have its value.
func (ip *interp) allowed(a tassign, have tval, sp *space) bool {
	ok := false
	func() {
		defer func() {
			if r := recover(); r != nil {
				if _, is := r.(tfail); !is {
					panic(r)
				}
				sp.fails = true
			}
		}()
		for _, x := range ip.eval(a.right, a.in, false) {
			if n, is := x.(int64); is && len(a.v.vals) == 2 && a.v.vals[0] == false {
				x = n == 1
			}
			if !slices.Contains(a.v.vals, x) {
				sp.fails = true
			}
			ok = ok || x == have
		}
	}()
	return ok
}

// explore builds the space. INVARSPECs that read next() or an IVAR speak of
// steps.
func (ip *interp) explore() *space {
	sp := &space{succ: map[string][]string{}}
	state, input := ip.stateVars()
	var all []valuation
	var specs []tcons
	holds := func(c tcons) bool {
		v, ok := ip.attempt(c.e, c.in, false)
		sp.fails = sp.fails || !ok
		return v && ok
	}
	for _, c := range ip.cons {
		if c.kind == itemInvarspec {
			specs = append(specs, c)
			sp.brokenIn = append(sp.brokenIn, map[string]bool{})
		}
	}
	sp.broken = make([]bool, len(specs))
	ofStep := func(c tcons) bool { return mentions(ip, c.e, c.in) }
	ip.cur = map[*tvar]tval{}
	enumerate(state, ip.cur, func() {
		ok, first := true, true
		for _, a := range ip.assigns {
			switch a.kind {
			case itemPlain:
				ok = ip.allowed(a, ip.cur[a.v], sp) && ok
			case itemInit:
				first = ip.allowed(a, ip.cur[a.v], sp) && first
			}
		}
		for _, c := range ip.cons {
			switch c.kind {
			case itemINVAR:
				ok = holds(c) && ok
			case itemINIT:
				first = holds(c) && first
			}
		}
		name := stateName(state, ip.cur)
		for i, c := range specs {
			if !ofStep(c) {
				sp.brokenIn[i][name] = !holds(c)
			}
		}
		all = append(all, valuation{maps.Clone(ip.cur), name, ok})
		if ok {
			sp.states = append(sp.states, name)
		}
		if ok && first {
			sp.initial = append(sp.initial, name)
		}
	})
	stepBroken := make([]map[string]bool, len(specs))
	for i := range stepBroken {
		stepBroken[i] = map[string]bool{}
	}
	// Failures count over all valuations, whether INVAR allows them or not.
	for _, from := range all {
		ip.cur = maps.Clone(from.vals)
		enumerate(input, ip.cur, func() {
			for _, to := range all {
				ip.nxt = to.vals
				ok := from.ok && to.ok
				for _, v := range state {
					if v.kind == kindFrozen {
						ok = ok && to.vals[v] == from.vals[v]
					}
				}
				for _, a := range ip.assigns {
					if a.kind == itemNext {
						ok = ip.allowed(a, to.vals[a.v], sp) && ok
					}
				}
				for _, c := range ip.cons {
					if c.kind == itemTRANS {
						ok = holds(c) && ok
					}
				}
				for i, c := range specs {
					if ofStep(c) && !holds(c) && ok {
						stepBroken[i][from.name] = true
					}
				}
				if ok && !slices.Contains(sp.succ[from.name], to.name) {
					sp.succ[from.name] = append(sp.succ[from.name], to.name)
				}
			}
		})
	}
	seen := map[string]bool{}
	work := slices.Clone(sp.initial)
	for len(work) > 0 {
		s := work[0]
		work = work[1:]
		if seen[s] {
			continue
		}
		seen[s] = true
		sp.reach = append(sp.reach, s)
		for i := range specs {
			sp.broken[i] = sp.broken[i] || sp.brokenIn[i][s] || stepBroken[i][s]
		}
		work = append(work, sp.succ[s]...)
	}
	return sp
}

// mentions reports whether an expression reads next() or an IVAR.
func mentions(ip *interp, e *expr, in *tinst) bool {
	switch e.op {
	case opNext:
		return true
	case opSizeof: // a constant
		return false
	case opIndex:
		if e.args[1].op != opInt && e.args[1].text != "K" { // chosen at run time
			return mentions(ip, e.args[0], in) || mentions(ip, e.args[1], in)
		}
		fallthrough
	case opIdent, opDot:
		switch x := ip.resolve(e, in).(type) {
		case *tvar:
			return x.kind == kindInput
		case bound:
			return mentions(ip, x.e, x.in)
		}
		return false
	}
	return slices.ContainsFunc(e.args, func(a *expr) bool { return mentions(ip, a, in) })
}

// netlistSpace explores a netlist as engines see it: all runs on which every
// constraint holds. States are named by the values of the model's variables.
type netlistSpace struct {
	reach  map[string]bool
	broken []bool
	badIn  []map[string]bool // by property: states in which the literal holds
	good   []map[string]bool // … and states in which it does not
}

func exploreNetlist(t *testing.T, n *Netlist) *netlistSpace {
	net, g := n.Design.Netlist, n.enc.g
	out := &netlistSpace{reach: map[string]bool{}, broken: make([]bool, len(net.Bads))}
	for range net.Bads {
		out.badIn = append(out.badIn, map[string]bool{})
		out.good = append(out.good, map[string]bool{})
	}
	if err := g.Sanity(); err != nil {
		t.Fatal(err)
	}
	// Only what the netlist reads is tried; the rest stays 0.
	var roots []aig.Lit
	for _, l := range net.Latches {
		roots = append(roots, l.Next, l.Reset)
	}
	for _, s := range append(append([]netlist.Signal{}, net.Bads...), net.Constraints...) {
		roots = append(roots, s.Lit)
	}
	var vals []value
	var vars []*variable
	for _, v := range n.prog.vars {
		if v.kind == kindInput {
			continue
		}
		x := n.enc.variable(v, now)
		vals, vars = append(vals, x), append(vars, v)
		roots = append(roots, x.bits...)
		for _, g := range x.guards {
			roots = append(roots, g.on)
		}
	}
	inCone := map[aig.Node]bool{}
	for _, k := range g.Cone(roots...) {
		inCone[k] = true
	}
	inputBits := []aig.Node{}
	initOnly := map[aig.Node]bool{}
	for _, in := range n.enc.inputs {
		if k := in.lit.Node(); inCone[k] {
			inputBits = append(inputBits, k)
			initOnly[k] = in.use == inputInit
		}
	}
	if len(inputBits) > 11 {
		return nil
	}
	name := func(v func(aig.Lit) bool) string {
		parts := make([]string, len(vars))
		for i, x := range vars {
			parts[i] = x.name + "=" + n.prog.valueText(x.dom.typ, vals[i], v)
		}
		return strings.Join(parts, " ")
	}
	key := func(bits []bool) string { return fmt.Sprint(bits) }
	seen := map[string]bool{}
	var work [][]bool
	frame := func(latches []bool, in int, start bool) {
		leaf := map[aig.Node]bool{}
		for i, k := range inputBits {
			leaf[k] = in>>i&1 == 1
			if initOnly[k] && !start && leaf[k] {
				return
			}
		}
		for i, l := range net.Latches {
			leaf[l.Lit.Node()] = latches[i]
		}
		v := graphValues(g, leaf)
		if start {
			for i, l := range net.Latches {
				if v(l.Reset) != latches[i] {
					return
				}
			}
		}
		for _, c := range net.Constraints {
			if !v(c.Lit) {
				return
			}
		}
		s := name(v)
		out.reach[s] = true
		for i, b := range net.Bads {
			if v(b.Lit) {
				out.broken[i] = true
				out.badIn[i][s] = true
			} else {
				out.good[i][s] = true
			}
		}
		next := make([]bool, len(net.Latches))
		for i, l := range net.Latches {
			next[i] = v(l.Next)
		}
		if k := key(next); !seen[k] {
			seen[k] = true
			work = append(work, next)
		}
	}
	for l := range 1 << len(net.Latches) {
		latches := make([]bool, len(net.Latches))
		fits := true
		for i := range latches {
			latches[i] = l>>i&1 == 1
			if r := net.Latches[i].Reset; r.Const() && (r == aig.True) != latches[i] {
				fits = false
			}
		}
		if !fits {
			continue
		}
		for in := range 1 << len(inputBits) {
			frame(latches, in, true)
		}
	}
	for len(work) > 0 {
		latches := work[0]
		work = work[1:]
		for in := range 1 << len(inputBits) {
			frame(latches, in, false)
		}
	}
	return out
}

func sorted(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func same(t *testing.T, text, what string, got, want []string) {
	t.Helper()
	got, want = slices.Clone(got), slices.Clone(want)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%s differ\n%s\ngot  %q\nwant %q", what, text, got, want)
	}
}

// fullName names a state by all its variables.
func (m *Model) fullName(s State) string {
	vals := m.valuation(s)
	var parts []string
	for i, v := range m.prog.vars {
		if v.kind != kindInput {
			parts = append(parts, v.name+"="+m.valueText(vals, i))
		}
	}
	return strings.Join(parts, " ")
}

func compareModel(t *testing.T, text string, p *Program, sp *space) {
	m, err := p.Model(ModelOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	ctx := context.Background()
	g, err := m.Explore(ctx, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, len(g.States))
	dead := false
	for i, s := range g.States {
		names[i] = m.fullName(s)
		dead = dead || len(g.Succ[i]) == 0
	}
	same(t, text, "reachable states of the model", names, sp.reach)
	var first []string
	for _, i := range g.Initial {
		first = append(first, names[i])
	}
	same(t, text, "initial states", first, sp.initial)
	for i := range g.States {
		var succ []string
		for _, j := range g.Succ[i] {
			succ = append(succ, names[j])
		}
		same(t, text, "successors of "+names[i], succ, sp.succ[names[i]])
	}
	for i := range min(len(g.States), 5) { // the solver must find what trying finds
		found := map[State]bool{}
		if err := m.step.search(ctx, g.States[i], 1<<20, found); err != nil {
			t.Fatal(err)
		}
		var succ []string
		for s := range found {
			succ = append(succ, m.fullName(s))
		}
		same(t, text, "successors by SAT of "+names[i], succ, sp.succ[names[i]])
	}
	k := 0
	for _, s := range p.specs {
		if s.kind != itemInvarspec {
			continue
		}
		if s.node.flags&(hasNext|hasInput) == 0 {
			q, err := m.Prop(p.text(s.node))
			if err != nil {
				t.Fatalf("%v\n%s\n%s", err, p.text(s.node), text)
			}
			for i, holds := range q.Holds(g.States) {
				if holds == sp.brokenIn[k][names[i]] {
					t.Fatalf("%s is %v in %s\n%s", p.text(s.node), holds, names[i], text)
				}
			}
		}
		k++
	}
	d, err := m.Deadlock(ctx, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	want := DeadlockFree
	switch {
	case len(sp.initial) == 0:
		want = DeadlockNoInitial
	case dead:
		want = DeadlockReachable
	}
	allLive := true
	for _, s := range sp.states {
		allLive = allLive && len(sp.succ[s]) > 0
	}
	if d.Status == DeadlockTotal && allLive {
		d.Status = DeadlockFree
	}
	if d.Status != want {
		t.Fatalf("deadlock status %d, want %d\n%s", d.Status, want, text)
	}
	if d.Status == DeadlockReachable && len(sp.succ[m.fullName(d.State)]) > 0 {
		t.Fatalf("the state %s is no deadlock\n%s", m.fullName(d.State), text)
	}
}

func compareNetlist(t *testing.T, text string, p *Program, n *Netlist, sp *space) bool {
	ns := exploreNetlist(t, n)
	if ns == nil {
		return false
	}
	same(t, text, "reachable states of the netlist", sorted(ns.reach), sp.reach)
	k := 0
	for _, s := range p.specs {
		if s.kind != itemInvarspec {
			continue
		}
		if ns.broken[k] != sp.broken[k] {
			t.Fatalf("INVARSPEC %s: broken %v, want %v\n%s", p.text(s.node), ns.broken[k], sp.broken[k], text)
		}
		if s.node.flags&(hasNext|hasInput) == 0 {
			for state := range ns.reach {
				if bad := ns.badIn[k][state]; bad == ns.good[k][state] || bad != sp.brokenIn[k][state] {
					t.Fatalf("INVARSPEC %s: bad literal %v in %s\n%s", p.text(s.node), bad, state, text)
				}
			}
		}
		k++
	}
	return true
}

func randomModel(seed uint64, states, inputs int, strict bool) string {
	r := rand.New(rand.NewPCG(seed, 99))
	g := &gen{Rand: r, strict: strict}
	return g.model(states, inputs, r.IntN(3) > 0)
}

func TestAgainstInterpreter(t *testing.T) {
	count := *modelCount
	if testing.Short() {
		count = min(count, 60)
	}
	accepted, refused, lenient, compared := 0, 0, 0, 0
	for i := range count {
		seed := *modelSeed + uint64(i)
		text := randomModel(seed, 40, 4, false)
		p, err := Parse(fmt.Sprintf("seed%d.smv", seed), []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		sp := newInterp(text).explore()
		n, err := p.Compile(Options{DeadlockStates: -1})
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			if !sp.fails {
				t.Fatalf("refused without a reason: %v\n%s", err, text)
			}
			refused++
			continue
		}
		if sp.fails {
			// Definitions taken from constraints can hide a failure that only
			// states outside of the constraints reach.
			if len(p.elab.root.items) == 0 || !strings.Contains(text, "INVAR ") && !strings.Contains(text, "TRANS ") && !strings.Contains(text, "INIT ") && !strings.Contains(text, "next(v") && !strings.Contains(text, "ASSIGN v") {
				t.Fatalf("a failure is not noticed\n%s", text)
			}
			lenient++
			continue
		}
		accepted++
		if compareNetlist(t, text, p, n, sp) {
			compared++
		}
		compareModel(t, text, p, sp)
	}
	t.Logf("%d accepted (%d netlists explored), %d refused, %d failures out of reach", accepted, compared, refused, lenient)
	if count >= 100 && (accepted < count/3 || compared < accepted/2) {
		t.Errorf("the random models are too odd: %d of %d accepted, %d netlists explored", accepted, count, compared)
	}
}

// TestAgainstNuSMV compares with the program itself where NETCOV_NUSMV names
// its binary.
func TestAgainstNuSMV(t *testing.T) {
	binary := os.Getenv("NETCOV_NUSMV")
	if binary == "" {
		t.Skip("NETCOV_NUSMV names no NuSMV binary")
	}
	dir := t.TempDir()
	count := regexp.MustCompile(`reachable states: ([0-9.e+]+)`)
	failure := regexp.MustCompile("division by zero|a shift by|no case applies|expression fails|outside of the array")
	agreed, refused, lenient, stricter := 0, 0, 0, 0
	for i := range *modelCount {
		text := randomModel(*modelSeed+uint64(i), 2000, 16, true)
		file := filepath.Join(dir, "m.smv")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		script := filepath.Join(dir, "script")
		if err := os.WriteFile(script, []byte("set on_failure_script_quits\nread_model -i "+file+"\ngo\nprint_reachable_states\ncheck_invar\nquit\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		raw, _ := exec.CommandContext(ctx, binary, "-source", script).CombinedOutput()
		cancel()
		out := string(raw)
		verdicts := regexp.MustCompile(`(?m) is (true|false)$`).FindAllStringSubmatch(out, -1)
		var m *Model
		p, err := Parse("m.smv", []byte(text))
		if err == nil {
			m, err = p.Model(ModelOptions{})
		}
		if err == nil {
			_, err = p.Compile(Options{})
		}
		c := count.FindStringSubmatch(out)
		complete := c != nil && len(verdicts) == strings.Count(text, "INVARSPEC")
		switch {
		case err != nil && complete && failure.MatchString(err.Error()):
			// NuSMV computes words and conjunctions of constraints bit by bit, and a
			// failing bit can be masked there by accident.
			stricter++
			continue
		case err != nil && complete:
			t.Errorf("refused (%v), but NuSMV accepts\n%s\n%s", err, out, text)
			continue
		case err != nil:
			refused++
			continue
		case !complete:
			lenient++
			if os.Getenv("NETCOV_NUSMV_SHOW") != "" {
				t.Logf("NuSMV refuses:\n%s\n%s", out, text)
			}
			continue
		}
		g, err := m.Explore(context.Background(), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(len(g.States)); got != c[1] {
			t.Fatalf("%s reachable states, NuSMV finds %s\n%s", got, c[1], text)
		}
		broken, ofStates := 0, true
		for _, s := range p.specs {
			if s.node.flags&(hasNext|hasInput) != 0 {
				ofStates = false
				continue
			}
			q, err := m.Prop(p.text(s.node))
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			if slices.Contains(q.Holds(g.States), false) {
				broken++
			}
		}
		falses := 0
		for _, v := range verdicts {
			if v[1] == "false" {
				falses++
			}
		}
		if ofStates && falses != broken {
			t.Fatalf("%d invariants broken, NuSMV finds %d\n%s\n%s", broken, falses, out, text)
		}
		agreed++
	}
	t.Logf("%d agreed, %d refused by both, %d refused by NuSMV alone, %d failures that NuSMV does not see", agreed, refused, lenient, stricter)
}
