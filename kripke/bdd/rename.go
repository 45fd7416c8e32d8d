package bdd

import "slices"

func sortedDescending(vars []int) []int {
	s := slices.Clone(vars)
	slices.Sort(s)
	slices.Reverse(s)
	return slices.Compact(s)
}

// Renaming replaces variables by functions, all at the same time. It is made
// once and used often, since results are cached under its identity.
type Renaming struct {
	id     uint32
	to     []Ref  // the function for each variable
	target []int  // the variable for each variable, -1 when it is no variable
	last   uint32 // deepest level that changes
	within Ref    // where the results matter
}

// NewRenaming prepares the replacement of each variable v in the map by the
// variable to[v]; the others stay. Replacements that keep the order of the
// variables are one linear pass, others work as well.
func (m *Manager) NewRenaming(to map[int]int) *Renaming {
	fs := make(map[int]Ref, len(to))
	for v, w := range to {
		fs[v] = m.Var(w)
	}
	r := m.NewSubstitution(fs)
	for v, w := range to {
		r.target[v] = w
	}
	return r
}

// NewSubstitution prepares the replacement of each variable in the map by a
// function, which it protects until Release.
func (m *Manager) NewSubstitution(to map[int]Ref) *Renaming { return m.NewSubstitutionWithin(to, True) }

// NewSubstitutionWithin prepares a replacement whose results matter where within
// is true only; elsewhere they are what makes them small, at each step of Rename.
func (m *Manager) NewSubstitutionWithin(to map[int]Ref, within Ref) *Renaming {
	m.ids++
	r := &Renaming{id: m.ids, within: m.Protect(within), to: make([]Ref, m.vars), target: make([]int, m.vars)}
	for v := range m.vars {
		f, ok := to[v]
		if !ok {
			f = m.Var(v)
			r.target[v] = v
		} else {
			r.target[v] = -1
			r.last = max(r.last, uint32(v))
			f = m.Restrict(f, within)
		}
		r.to[v] = m.Protect(f)
	}
	return r
}

// Release takes the protection from a substitution that is not used any more.
func (m *Manager) Release(r *Renaming) {
	for _, f := range append(r.to, r.within) {
		m.Unprotect(f)
	}
}

// Rename applies a renaming or a substitution to f.
func (m *Manager) Rename(f Ref, r *Renaming) Ref {
	flip := f & 1
	f ^= flip
	level := m.level(f)
	if level > r.last {
		return f ^ flip
	}
	if s, ok := m.lookup(opRename, uint32(f), r.id, 0); ok {
		return s ^ flip
	}
	if m.err != nil {
		return False
	}
	low, high := m.Rename(m.low(f), r), m.Rename(m.high(f), r)
	var s Ref
	if t := r.target[level]; t >= 0 && uint32(t) < m.level(low) && uint32(t) < m.level(high) {
		s = m.mk(uint32(t), low, high)
	} else {
		s = m.Restrict(m.Ite(r.to[level], high, low), r.within)
	}
	m.store(opRename, uint32(f), r.id, 0, s)
	return s ^ flip
}

// Copy brings a function of another manager here, its variable v as to[v].
func (m *Manager) Copy(from *Manager, f Ref, to []int) Ref {
	memo := map[uint32]Ref{0: False}
	var visit func(i uint32) Ref
	visit = func(i uint32) Ref {
		if r, ok := memo[i]; ok {
			return r
		}
		n := from.nodes[i]
		low := visit(n.low.index()) ^ n.low&1
		high := visit(n.high.index()) ^ n.high&1
		var r Ref
		if t := uint32(to[n.level]); t < m.level(low) && t < m.level(high) {
			r = m.mk(t, low, high)
		} else {
			r = m.Ite(m.Var(int(t)), high, low)
		}
		memo[i] = r
		return r
	}
	return visit(f.index()) ^ f&1
}
