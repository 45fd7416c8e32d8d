package ctl

import (
	"context"
	"fmt"
	"slices"

	"netcov/kripke/bdd"
)

// The mutants that are nondeterministic circuits (CKV01 section 5). There are one for
// a state and one for the whole circuit, as a flip and a fixing are:
//
//	merging s with twin_x(s)  every step into one of the two, and each of them as
//	                          an initial state, may go to either
//	fixing x to don't care    the same for all states: the register takes any value
//	                          in every step, and at first
//
// The paper does not say what value x has in a state that is two. Here the two stay
// apart, each with its labels, and only which of them is entered is open; so fixing to
// don't care is merging everywhere. The steps out of the two are not joined: a state
// with successors of both would satisfy EX p & EX q where neither of them does.
//
// For AG p, where invariant.go serves, the merged states are the covered states. A path
// that merging adds has a last new step; p fails after it only when it leads to twin(s),
// since p holds for ever from the reachable s on.

// Merge finds the states s of which the specification notices that they are merged with
// their twins, for a control signal.
func (p *Problem) Merge(ctx context.Context, signal string) (*Cover, error) {
	s, err := p.model.signal(signal, p.formula)
	if err != nil {
		return nil, err
	}
	if !s.redirects() {
		return nil, fmt.Errorf("%q is no register, so its states have no twins to merge with", signal)
	}
	return p.cover(ctx, s, true)
}

// DontCare lists the control signals that are covered by fixing them to don't care. A
// structure has none.
func (p *Problem) DontCare(ctx context.Context) ([]string, error) {
	return p.noticed(ctx, func(explicit bool, register int) (bool, error) {
		return p.holdsFixed(ctx, explicit, frameRequest{twin: -1, fixed: register, dontCare: true})
	})
}

// mergedHub says which cell's mutation merges a hub with which other hub; the cell is -1 for
// none.
type mergedHub struct{ cell, other int32 }

// mergedHubs lists the pair of each hub. Of two candidates that are twins the first stands
// for both.
func (f *frame) mergedHubs() []mergedHub {
	out := make([]mergedHub, f.members.len())
	for h := range out {
		out[h].cell = -1
	}
	for cell := range f.candidates.All() {
		c := int32(cell)
		t := f.twin[c]
		if out[c].cell < 0 {
			out[c], out[t] = mergedHub{c, t}, mergedHub{c, c}
		}
	}
	return out
}

// mergedStarts lists the cells whose merging adds initial states.
func (b *product) mergedStarts() []int32 {
	var out []int32
	for h, p := range b.hubs {
		if int(p.cell) == h && len(b.f.twinInit[p.cell])+len(b.f.joined[p.cell]) > 0 {
			out = append(out, p.cell)
		}
	}
	return out
}

// merged emits the gates of a hub that may be merged, and of the initial states that
// merging adds.
func (b *product) merged(it item, ins instruction) {
	if it.role == roleMergedStart {
		if it.of == roleMergedStart {
			b.emit(gateAnd, int32(len(b.p)))
			for _, w := range slices.Concat(b.f.twinInit[it.index], b.f.joined[it.index]) {
				b.g.child = append(b.g.child, b.gate(item{role: roleState, ins: it.ins, index: w}))
			}
			return
		}
		inner := it
		inner.of = roleMergedStart
		b.emit(gateOr, int32(len(b.p)), b.gate(item{role: roleLeafFalse, index: it.index}), b.gate(inner))
		return
	}
	p := b.hubs[it.index]
	k, leaf := gateAnd, roleLeafTrue // of what merging adds to some successor
	if ins.universal() {
		k, leaf = gateOr, roleLeafFalse
	}
	if it.role == roleMergedWith {
		b.emit(k, it.ins, b.gate(item{role: leaf, index: p.cell}), b.gate(item{role: roleHub, ins: it.ins, index: p.other}))
		return
	}
	with := it
	with.role = roleMergedWith
	b.emit(ins.quantifier(), it.ins, b.gate(item{role: roleHub, ins: it.ins, index: it.index}), b.gate(with))
}

// merged is a set of states and with both their twins, on track 0.
func (r *pairs) merged(f bdd.Ref) bdd.Ref {
	if !r.both {
		return f
	}
	return r.s.M.Or(f, r.s.M.Flip(f, r.redirect))
}

// symbolicDontCare reports whether the specification holds when a control signal is
// fixed to don't care.
func (p *Problem) symbolicDontCare(control string) (bool, error) {
	s, err := p.symbolicModel()
	if err != nil {
		return false, err
	}
	m := s.M
	f, _ := s.Label(control)
	v := m.Support(f)[0]
	either := func(f bdd.Ref) bdd.Ref { return m.Exists(f, m.Cube(v)) }
	init := m.Protect(either(s.start))
	defer m.Unprotect(init)
	r := p.evaluator(s)
	r.redirect, r.both, r.diagonal = v, true, bdd.True
	r.care = m.Protect(s.reach(bdd.False, init, either, nil))
	defer m.Unprotect(r.care)
	r.next = s.NextWithin(r.care, -1, false)
	defer m.Release(r.next)
	set, err := r.run()
	if err != nil {
		return false, err
	}
	defer m.Unprotect(set)
	// Where no path counts, the specification holds.
	return m.Diff(m.And(init, r.care), set) == bdd.False, m.Err()
}
