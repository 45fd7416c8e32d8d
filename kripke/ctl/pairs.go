package ctl

import (
	"fmt"

	"netcov/kripke/bdd"
	"netcov/kripke/symbolic"
)

// The symbolic pair algorithm (CKV01 section 3.1). For each instruction ψ it
// computes P(ψ), the pairs ⟨w, v⟩ such that w satisfies ψ in the mutant of v:
// w on track 0 and v on track 1 of a system, 2n variables in all.
//
//	P(q)     = {⟨w, v⟩ : q ∈ L(w)} with the diagonal flipped, for a label or
//	           an output; v names the cell, so ⟨s, i⟩ is flipped for every i
//	P(EX ψ)  = PairEX(P(ψ)), P(E ψ1 U ψ2) = µy. P(ψ2) ∨ (P(ψ1) ∧ PairEX(y))
//
// and dually. Everything is computed within a set of pairs that matter, the care
// set: v is a reachable cell and w is reachable in some mutant. When transitions into v go to its twin, PairEX looks at
// P(ψ)[redirected] = {⟨u, v⟩ : ⟨redirect_v(u), v⟩ ∈ P(ψ)}, that is, at P(ψ)
// with u's bit x flipped where u is in cell v. When v and its twin are merged, it looks
// at P(ψ) and at P(ψ) flipped, where u is in one of the two.

// pairs evaluates programs on a system. Without change it is ordinary symbolic
// model checking.
type pairs struct {
	s    *symbolic.System
	p    program
	flip string // the proposition that is flipped, "" for none
	// redirect is the variable on track 0 of the control signal whose twins
	// take over, -1 for none.
	redirect int
	// both lets steps go to the twin as well, and those into the twin to the state,
	// instead of redirecting them.
	both     bool
	diagonal bdd.Ref // w is in cell v, or is its twin with both
	care     bdd.Ref // closed under successors; complements are taken within it
	next     *bdd.Renaming
	fairness []string // labels, for eg and af
	steps    int      // fairness of steps, for the same
	report   func(string)
	step     int
}

// run returns P(φ), protected.
func (r *pairs) run() (bdd.Ref, error) {
	values, err := r.all(false)
	return values[len(values)-1], err
}

// all returns P(ψ) of every instruction. With keep all of them are protected,
// otherwise only the last.
func (r *pairs) all(keep bool) ([]bdd.Ref, error) {
	m := r.s.M
	values := make([]bdd.Ref, len(r.p))
	last := r.lastUses()
	for i, ins := range r.p {
		if r.report != nil {
			r.report(fmt.Sprintf("subformula %d of %d, %d diagram nodes", i+1, len(r.p), m.Stats().Nodes))
		}
		a, b := values[ins.a], values[ins.b]
		f := bdd.False
		switch ins.op {
		case constant:
			if f = bdd.False; !ins.negated {
				f = r.care
			}
		case literal:
			f, _ = r.s.Label(ins.atom)
			if ins.atom == r.flip {
				f = m.Xor(f, r.diagonal)
			}
			if ins.negated {
				f = f.Not()
			}
			f = m.And(f, r.care)
		case and:
			f = m.And(a, b)
		case or:
			f = m.Or(a, b)
		case ex:
			f = m.And(r.pre(a), r.care)
		case ax:
			f = r.not(r.pre(r.not(a)))
		case eu:
			f = r.existsUntil(a, b)
		case au:
			f = r.fixpoint(bdd.False, func(y bdd.Ref) bdd.Ref { return m.Or(b, m.Diff(a, r.pre(r.not(y)))) })
		case er:
			f = r.fixpoint(r.care, func(y bdd.Ref) bdd.Ref { return m.And(b, m.Or(a, r.pre(y))) })
		case ar:
			f = r.not(r.existsUntil(r.not(a), r.not(b)))
		case eg:
			f = r.globally(a)
		case af:
			f = r.not(r.globally(r.not(a)))
		}
		values[i] = m.Protect(f)
		for j := range r.p[:i] {
			if last[j] == i && !keep {
				m.Unprotect(values[j])
			}
		}
		m.CollectIfLarge()
		if m.Err() != nil {
			for j := range r.p[:i+1] {
				if last[j] > i || keep || j == i {
					m.Unprotect(values[j])
				}
			}
			return values, fmt.Errorf("at subformula %d of %d: %w", i+1, len(r.p), m.Err())
		}
	}
	return values, nil
}

// not is the complement within the care set.
func (r *pairs) not(f bdd.Ref) bdd.Ref { return r.s.M.Diff(r.care, f) }

// lastUses gives, for each instruction, the last one that reads it.
func (r *pairs) lastUses() []int {
	last := make([]int, len(r.p))
	for i := range last {
		last[i] = -1
	}
	for i, ins := range r.p {
		switch ins.op {
		case constant, literal:
		case ex, ax, eg, af:
			last[ins.a] = i
		default:
			last[ins.a], last[ins.b] = i, i
		}
	}
	for i := range last[:len(last)-1] {
		if last[i] < 0 {
			last[i] = len(last) - 1
		}
	}
	return last
}

// pre is PairEX.
func (r *pairs) pre(f bdd.Ref) bdd.Ref { return r.preBy(bdd.True, f) }

// preBy is PairEX for the steps of a set.
func (r *pairs) preBy(steps, f bdd.Ref) bdd.Ref {
	f = r.redirected(f)
	if r.next != nil {
		return r.s.PreNext(steps, f, r.next)
	}
	return r.s.Pre(f)
}

// redirected is the set of the states such that a step of the design into one of them
// may lead to f in the mutant.
func (r *pairs) redirected(f bdd.Ref) bdd.Ref {
	if r.redirect < 0 {
		return f
	}
	flipped := r.s.M.Flip(f, r.redirect)
	if r.both {
		return r.s.M.Or(f, r.s.M.And(r.diagonal, flipped))
	}
	return r.s.M.Ite(r.diagonal, flipped, f)
}

// existsUntil is µy. b ∨ (a ∧ EX y), by frontiers.
func (r *pairs) existsUntil(a, b bdd.Ref) bdd.Ref {
	m := r.s.M
	reached, frontier := b, b
	for frontier != bdd.False && m.Err() == nil {
		r.tick()
		frontier = m.Diff(m.And(a, r.pre(frontier)), reached)
		reached = m.Or(reached, frontier)
		m.CollectIfLarge(reached, frontier, a)
	}
	return reached
}

// globally is E G a over fair paths, as the checker's.
func (r *pairs) globally(a bdd.Ref) bdd.Ref {
	m := r.s.M
	m.Protect(a)
	defer m.Unprotect(a)
	for z := a; ; {
		before := z
		for k := range len(r.fairness) + r.steps {
			var met bdd.Ref
			if n := k - len(r.fairness); n >= 0 {
				met = r.preBy(r.s.Steps[n], z)
			} else {
				f, _ := r.s.Label(r.fairness[k])
				met = m.And(r.pre(z), f)
			}
			m.Protect(z)
			next := r.existsUntil(z, m.And(z, met))
			m.Unprotect(z)
			z = m.And(z, next)
		}
		if z == before || m.Err() != nil {
			return z
		}
	}
}

// fixpoint iterates a monotone function from the bottom or the top.
func (r *pairs) fixpoint(from bdd.Ref, f func(bdd.Ref) bdd.Ref) bdd.Ref {
	m := r.s.M
	for m.Err() == nil {
		r.tick()
		next := f(from)
		if next == from {
			break
		}
		from = next
		m.CollectIfLarge(from)
	}
	return from
}

func (r *pairs) tick() {
	if r.step++; r.report != nil && r.step%16 == 0 {
		r.report(fmt.Sprintf("fixpoint step %d, %d diagram nodes", r.step, r.s.M.Stats().Nodes))
	}
}

// covered is the set of cells v of a set, both on track 0, that are covered by
// pairs P(φ): some initial state, redirected, is not paired with v.
func (r *pairs) covered(p, init, cells bdd.Ref) bdd.Ref {
	m, s := r.s.M, r.s
	v := m.Rename(cells, s.MoveTrack(0, 1))
	// Where a redirection leaves the care set, no path counts.
	bad := m.AndExists(m.And(init, v), r.redirected(m.Diff(r.care, p)), s.Cube(0))
	return m.Rename(bad, s.MoveTrack(1, 0))
}
