package ltl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"netcov/kripke/automaton"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/ltl/mu"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
)

// Indicator formulas (CKKV01 section 4). A state satisfies Ind_q(φ) iff it is
// node q-covered by φ, in whatever structure. With A the automaton of ¬φ:
//
//	Reach_s  a run of A on an initialized path visits s as it reads the state
//	Acc_s    an accepting run of A from s reads a fair path from the state
//	Ind_q    for some edge s → t of A: Reach_s, the state with q flipped
//	         satisfies the edge's guard, and EX Acc_t
//
// Reach speaks of the past and of s alone, so the only part of Ind that looks at
// the present is the guard of the edge. Acc_s itself is ∨ (guard ∧ EX Acc_t) over
// the edges of s, since acceptance does not depend on a prefix: the unfolding of
// the fixpoint that the paper asks for, which also makes every variable guarded.
//
// The equations are solved component by component of A:
//
//	no cycle                        plain definitions
//	no accepting cycle              µ: leave the component
//	only accepting cycles           ν: stay, no fairness to be met
//	else                            ν of µ: for each acceptance or fairness set, reach
//	                                an edge or state of it again and again
//
// So the formula is alternation free when the automaton is weak, that of a
// safety formula in particular, and has alternation depth 2 otherwise.
//
// The paper's Ψ+_q and Ψ−_q replace literals of q in guards; here the guard is
// taken at the other value of q (the same for guards in disjunctive form and
// structures that satisfy φ).

// Indicator is Ind_q(φ) as a system of equations: Plus holds in the covered
// states with q, Minus in those without.
type Indicator struct {
	Signal      string
	System      *mu.System
	Plus, Minus *mu.Formula // over the system's variables; Result is Plus ∨ Minus
}

// NewIndicator constructs the indicator of a signal from the automaton of wrong
// behaviours. fair is the number of the model's fairness sets.
func NewIndicator(a *automaton.Automaton, signal string, fair int) *Indicator {
	b := &indicator{a: a, fair: fair, acc: make([]*mu.Formula, a.Len()), reach: make([]*mu.Formula, a.Len())}
	ind := &Indicator{Signal: signal, Plus: mu.False(), Minus: mu.False()}
	q := -1
	for v, p := range a.AP {
		if p == signal {
			q = v
		}
	}
	if q >= 0 {
		roots := make([]int, a.Len())
		for s := range roots {
			roots[s] = s
		}
		b.comp = automaton.StronglyConnected(a, roots)
		b.reaches()
		for c := range b.comp.Members {
			b.accepts(c)
		}
		terminal := a.Terminal()
		for s, es := range a.Edges {
			if terminal[s] && fair == 0 {
				continue // no path of a structure that satisfies φ gets there
			}
			for _, e := range es {
				after := mu.EX(b.acc[e.To])
				if b.acc[e.To].Op == mu.OpTrue {
					after = mu.True() // the transition relation is total
				}
				without, with := a.Guards.Cofactor(e.Guard, q, false), a.Guards.Cofactor(e.Guard, q, true)
				ind.Plus = mu.Or(ind.Plus, mu.And(b.reach[s], mu.Atom(signal), b.guard(without), after))
				ind.Minus = mu.Or(ind.Minus, mu.And(b.reach[s], mu.Not(mu.Atom(signal)), b.guard(with), after))
			}
		}
	}
	ind.System = &mu.System{Groups: b.groups, Result: mu.Or(ind.Plus, ind.Minus)}
	ind.System.Trim()
	return ind
}

// String writes the indicator: the equations, and Ind at the end.
func (i *Indicator) String() string {
	s := i.System.String()
	cut := strings.LastIndex(strings.TrimSuffix(s, "\n"), "\n") + 1
	return s[:cut] + fmt.Sprintf("Plus = %s\nMinus = %s\nInd = Plus | Minus\n", i.Plus, i.Minus)
}

type indicator struct {
	a          *automaton.Automaton
	fair       int
	comp       *automaton.Components
	groups     []mu.Group
	reach, acc []*mu.Formula // of each state: a variable or a constant
}

// guard is a guard in disjunctive form.
func (b *indicator) guard(g bdd.Ref) *mu.Formula {
	var terms []*mu.Formula
	for _, c := range b.a.Cubes(g) {
		var lits []*mu.Formula
		for v, p := range b.a.AP {
			if value, ok := c[v]; ok && value {
				lits = append(lits, mu.Atom(p))
			} else if ok {
				lits = append(lits, mu.Not(mu.Atom(p)))
			}
		}
		terms = append(terms, mu.And(lits...))
	}
	return mu.Or(terms...)
}

// reaches makes the equations of Reach, sources before targets.
func (b *indicator) reaches() {
	type edge struct {
		from  int
		guard bdd.Ref
	}
	in := make([][]edge, b.a.Len())
	for s, es := range b.a.Edges {
		for _, e := range es {
			in[e.To] = append(in[e.To], edge{s, e.Guard})
		}
	}
	initial := make([]bool, b.a.Len())
	for _, s := range b.a.Initial {
		initial[s] = true
	}
	for s := range b.reach {
		b.reach[s] = mu.Var(fmt.Sprint("R", s))
	}
	for c := len(b.comp.Members) - 1; c >= 0; c-- {
		var g mu.Group
		for _, s := range b.comp.Members[c] {
			body := mu.False()
			if initial[s] {
				body = mu.Init()
			}
			for _, e := range in[s] {
				body = mu.Or(body, mu.EY(mu.And(b.reach[e.from], b.guard(e.guard))))
			}
			g = append(g, mu.Equation{Name: b.reach[s].Name, Fix: mu.Least, Body: body})
		}
		b.groups = append(b.groups, g)
	}
}

// steps is the disjunction of guard ∧ EX value(t) over the edges of s that
// choose lets pass.
func (b *indicator) steps(s int, choose func(automaton.Edge) bool, value func(automaton.Edge) *mu.Formula) *mu.Formula {
	out := mu.False()
	for _, e := range b.a.Edges[s] {
		if !choose(e) {
			continue
		}
		v := value(e)
		if v.Op != mu.OpTrue {
			v = mu.EX(v)
		}
		out = mu.Or(out, mu.And(b.guard(e.Guard), v))
	}
	return out
}

// accepts makes the equations of Acc for one component; those that it leads to
// have theirs already.
func (b *indicator) accepts(c int) {
	members := b.comp.Members[c]
	all := automaton.AllMarks(b.a.Sets)
	inside := func(e automaton.Edge) bool { return b.comp.Of[e.To] == int32(c) }
	always := func(automaton.Edge) bool { return true }
	follow := func(e automaton.Edge) *mu.Formula { return b.acc[e.To] }

	accepting := b.comp.Cyclic[c] && b.comp.Marks[c].Has(all)
	whole, exits := accepting && b.fair == 0, false
	for _, s := range members {
		for _, e := range b.a.Edges[s] {
			if inside(e) {
				whole = whole && e.Acc.Has(all)
			} else if b.acc[e.To].Op != mu.OpFalse {
				exits = true
			}
		}
	}
	if whole && len(members) == 1 && b.a.Terminal()[members[0]] {
		b.acc[members[0]] = mu.True()
		return
	}
	if accepting {
		b.stays(c, whole)
		if !exits {
			return
		}
	}
	// Leave the component, or accept inside it.
	stay := make([]*mu.Formula, len(members))
	for i, s := range members {
		stay[i] = mu.False()
		if accepting {
			stay[i] = b.acc[s]
		}
		b.acc[s] = mu.Var(fmt.Sprint("A", s))
	}
	var g mu.Group
	for i, s := range members {
		g = append(g, mu.Equation{
			Name: b.acc[s].Name, Fix: mu.Least, Body: mu.Or(stay[i], b.steps(int(s), always, follow)),
		})
	}
	b.groups = append(b.groups, g)
}

// stays makes the equations of acceptance inside an accepting component.
func (b *indicator) stays(c int, whole bool) {
	members := b.comp.Members[c]
	inside := func(e automaton.Edge) bool { return b.comp.Of[e.To] == int32(c) }
	for _, s := range members {
		b.acc[s] = mu.Var(fmt.Sprint("Z", s))
	}
	follow := func(e automaton.Edge) *mu.Formula { return b.acc[e.To] }
	var outer, inner mu.Group
	if whole {
		for _, s := range members {
			outer = append(outer, mu.Equation{Name: b.acc[s].Name, Fix: mu.Greatest, Body: b.steps(int(s), inside, follow)})
		}
		b.groups = append(b.groups, outer)
		return
	}
	sets := b.a.Sets + b.fair
	wait := func(s, j int) *mu.Formula { return mu.Var(fmt.Sprintf("Y%d_%d", s, j)) }
	for _, s := range members {
		again := mu.True()
		for j := range sets {
			again = mu.And(again, wait(int(s), j))
		}
		outer = append(outer, mu.Equation{Name: b.acc[s].Name, Fix: mu.Greatest, Body: again})
	}
	for j := range sets {
		for _, s := range members {
			postponed := func(e automaton.Edge) *mu.Formula { return wait(e.To, j) }
			var body *mu.Formula
			if j < b.a.Sets {
				body = b.steps(int(s), inside, func(e automaton.Edge) *mu.Formula {
					if e.Acc.Has(1 << j) {
						return b.acc[e.To]
					}
					return postponed(e)
				})
			} else {
				body = mu.Or(
					mu.And(mu.Fair(j-b.a.Sets), b.steps(int(s), inside, follow)),
					b.steps(int(s), inside, postponed))
			}
			inner = append(inner, mu.Equation{Name: wait(int(s), j).Name, Fix: mu.Least, Body: body})
		}
	}
	b.groups = append(b.groups, append(outer, inner...))
}

// IndicatorStates evaluates an indicator on an explicit structure.
func IndicatorStates(ctx context.Context, k *structure.Structure, ind *Indicator) (structure.Set, error) {
	return mu.Solve(mu.Explicit{K: k, Ctx: ctx}, ind.System)
}

// IndicatorControlStates evaluates an indicator on a circuit with decision
// diagrams: the control states that have a covered state ⟨s, i⟩. The circuit has
// no constraint (see Unconstrain).
func IndicatorControlStates(ctx context.Context, c *circuit.Circuit, ind *Indicator, opt SymbolicOptions) (*SymbolicSet, error) {
	named := *c
	named.Outputs = slices.Clone(c.Outputs)
	var fairness []string
	for i, f := range c.Fairness {
		name := fmt.Sprint(fairLabel, i)
		fairness = append(fairness, name)
		named.Outputs = append(named.Outputs, circuit.Signal{Name: name, Lit: f})
	}
	done, err := circuit.New(named)
	if err != nil {
		return nil, err
	}
	sys, err := symbolic.FromCircuit(done, opt.diagrams(ctx))
	if err != nil {
		return nil, err
	}
	set, err := mu.Solve(mu.Symbolic{Sys: sys, Fairness: fairness}, ind.System)
	if err != nil {
		return nil, err
	}
	return controlStates(c, sys, set)
}
