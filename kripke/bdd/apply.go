package bdd

// Var is the function of variable i.
func (m *Manager) Var(i int) Ref { return m.mk(uint32(i), False, True) }

// Literal is variable i or its negation.
func (m *Manager) Literal(i int, positive bool) Ref {
	f := m.Var(i)
	if !positive {
		f = f.Not()
	}
	return f
}

// And is f ∧ g.
func (m *Manager) And(f, g Ref) Ref {
	switch {
	case f == g || g == True:
		return f
	case f == True:
		return g
	case f == False || g == False || f == g.Not():
		return False
	}
	if f > g {
		f, g = g, f
	}
	if r, ok := m.lookup(opAnd, uint32(f), uint32(g), 0); ok {
		return r
	}
	if m.err != nil {
		return False
	}
	level := min(m.level(f), m.level(g))
	f0, f1 := m.at(f, level)
	g0, g1 := m.at(g, level)
	r := m.mk(level, m.And(f0, g0), m.And(f1, g1))
	m.store(opAnd, uint32(f), uint32(g), 0, r)
	return r
}

// Or is f ∨ g.
func (m *Manager) Or(f, g Ref) Ref { return m.And(f.Not(), g.Not()).Not() }

// Diff is f ∧ ¬g.
func (m *Manager) Diff(f, g Ref) Ref { return m.And(f, g.Not()) }

// Implies is f → g.
func (m *Manager) Implies(f, g Ref) Ref { return m.And(f, g.Not()).Not() }

// Iff is f ↔ g.
func (m *Manager) Iff(f, g Ref) Ref { return m.Xor(f, g).Not() }

// Xor is f ⊕ g.
func (m *Manager) Xor(f, g Ref) Ref {
	flip := (f ^ g) & 1
	f, g = f&^1, g&^1
	switch {
	case f == g:
		return False ^ flip
	case f == False:
		return g ^ flip
	case g == False:
		return f ^ flip
	}
	if f > g {
		f, g = g, f
	}
	if r, ok := m.lookup(opXor, uint32(f), uint32(g), 0); ok {
		return r ^ flip
	}
	if m.err != nil {
		return False
	}
	level := min(m.level(f), m.level(g))
	f0, f1 := m.at(f, level)
	g0, g1 := m.at(g, level)
	r := m.mk(level, m.Xor(f0, g0), m.Xor(f1, g1))
	m.store(opXor, uint32(f), uint32(g), 0, r)
	return r ^ flip
}

// Ite is (f ∧ g) ∨ (¬f ∧ h).
func (m *Manager) Ite(f, g, h Ref) Ref {
	if f&1 != 0 {
		f, g, h = f.Not(), h, g
	}
	switch {
	case f == False || g == h:
		return h
	case g == True || g == f:
		return m.Or(f, h)
	case h == False || h == f:
		return m.And(f, g)
	case g == False || g == f.Not():
		return m.And(f.Not(), h)
	case h == True || h == f.Not():
		return m.Or(f.Not(), g)
	case g == h.Not():
		return m.Xor(f, h)
	}
	flip := g & 1
	g, h = g^flip, h^flip
	if r, ok := m.lookup(opIte, uint32(f), uint32(g), uint32(h)); ok {
		return r ^ flip
	}
	if m.err != nil {
		return False
	}
	level := min(m.level(f), m.level(g), m.level(h))
	f0, f1 := m.at(f, level)
	g0, g1 := m.at(g, level)
	h0, h1 := m.at(h, level)
	r := m.mk(level, m.Ite(f0, g0, h0), m.Ite(f1, g1, h1))
	m.store(opIte, uint32(f), uint32(g), uint32(h), r)
	return r ^ flip
}

// Cube is the conjunction of the given variables, which names a set of
// variables for Exists and AndExists.
func (m *Manager) Cube(vars ...int) Ref {
	f := True
	for _, v := range sortedDescending(vars) {
		f = m.mk(uint32(v), False, f)
	}
	return f
}

// Exists is ∃ vars f, for the variables of a cube.
func (m *Manager) Exists(f, cube Ref) Ref {
	level := m.level(f)
	for m.level(cube) < level {
		cube = m.high(cube)
	}
	if level == terminalLevel || cube == True {
		return f
	}
	if r, ok := m.lookup(opExists, uint32(f), uint32(cube), 0); ok {
		return r
	}
	if m.err != nil {
		return False
	}
	f0, f1 := m.at(f, level)
	var r Ref
	if m.level(cube) == level {
		rest := m.high(cube)
		if r = m.Exists(f0, rest); r != True {
			r = m.Or(r, m.Exists(f1, rest))
		}
	} else {
		r = m.mk(level, m.Exists(f0, cube), m.Exists(f1, cube))
	}
	m.store(opExists, uint32(f), uint32(cube), 0, r)
	return r
}

// AndExists is ∃ vars (f ∧ g) in one pass (the relational product).
func (m *Manager) AndExists(f, g, cube Ref) Ref {
	switch {
	case f == False || g == False || f == g.Not():
		return False
	case f == True || f == g:
		return m.Exists(g, cube)
	case g == True:
		return m.Exists(f, cube)
	}
	level := min(m.level(f), m.level(g))
	for m.level(cube) < level {
		cube = m.high(cube)
	}
	if cube == True {
		return m.And(f, g)
	}
	if f > g {
		f, g = g, f
	}
	if r, ok := m.lookup(opAndExists, uint32(f), uint32(g), uint32(cube)); ok {
		return r
	}
	if m.err != nil {
		return False
	}
	f0, f1 := m.at(f, level)
	g0, g1 := m.at(g, level)
	var r Ref
	if m.level(cube) == level {
		rest := m.high(cube)
		if r = m.AndExists(f0, g0, rest); r != True {
			r = m.Or(r, m.AndExists(f1, g1, rest))
		}
	} else {
		r = m.mk(level, m.AndExists(f0, g0, cube), m.AndExists(f1, g1, cube))
	}
	m.store(opAndExists, uint32(f), uint32(g), uint32(cube), r)
	return r
}

// Cofactor is f with variable v fixed.
func (m *Manager) Cofactor(f Ref, v int, value bool) Ref {
	op := opCofactor0
	if value {
		op = opCofactor1
	}
	return m.atVariable(op, f, uint32(v))
}

// Flip is f with variable v complemented: f(…, ¬v, …).
func (m *Manager) Flip(f Ref, v int) Ref { return m.atVariable(opFlip, f, uint32(v)) }

func (m *Manager) atVariable(op opcode, f Ref, v uint32) Ref {
	flip := f & 1
	f ^= flip
	level := m.level(f)
	if level > v {
		return f ^ flip
	}
	f0, f1 := m.at(f, level)
	if level == v {
		switch op {
		case opCofactor0:
			return f0 ^ flip
		case opCofactor1:
			return f1 ^ flip
		}
		return m.mk(level, f1, f0) ^ flip
	}
	if r, ok := m.lookup(op, uint32(f), v, 0); ok {
		return r ^ flip
	}
	if m.err != nil {
		return False
	}
	r := m.mk(level, m.atVariable(op, f0, v), m.atVariable(op, f1, v))
	m.store(op, uint32(f), v, 0, r)
	return r ^ flip
}

// Restrict is a function that agrees with f wherever care is true, and mostly a
// smaller one: Coudert and Madre's sibling substitution (ICCAD 1990), which
// brings no new variable in. It is f when care is false everywhere.
func (m *Manager) Restrict(f, care Ref) Ref {
	if care == False {
		return f
	}
	flip := f & 1
	return m.restrict(f^flip, care) ^ flip
}

func (m *Manager) restrict(f, care Ref) Ref {
	level := m.level(f)
	if level == terminalLevel || care == True {
		return f
	}
	// What care says of variables above f does not matter.
	for m.level(care) < level {
		low, high := m.low(care), m.high(care)
		if care = m.Or(low, high); m.err != nil {
			return f
		}
	}
	if care == True {
		return f
	}
	if r, ok := m.lookup(opRestrict, uint32(f), uint32(care), 0); ok {
		return r
	}
	if m.err != nil {
		return False
	}
	f0, f1 := m.at(f, level)
	c0, c1 := m.at(care, level)
	var r Ref
	switch {
	case c0 == False:
		r = m.Restrict(f1, c1)
	case c1 == False:
		r = m.Restrict(f0, c0)
	default:
		r = m.mk(level, m.Restrict(f0, c0), m.Restrict(f1, c1))
	}
	m.store(opRestrict, uint32(f), uint32(care), 0, r)
	return r
}
