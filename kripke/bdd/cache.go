package bdd

// The operation cache is direct-mapped: a new result replaces what its slot
// held. It grows with the node table up to a bound.

type opcode uint32

const (
	opNone opcode = iota
	opAnd
	opXor
	opIte
	opExists
	opAndExists
	opCofactor0
	opCofactor1
	opFlip
	opRename
	opCompose
	opRestrict
)

type entry struct {
	op      opcode
	a, b, c uint32
	result  Ref
}

const maxCache = 1 << 22

func (m *Manager) resizeCache(size int) {
	old := m.cache
	m.cache = make([]entry, size)
	m.cacheMask = uint32(size - 1)
	for _, e := range old {
		if e.op != opNone {
			m.cache[m.slot(e.op, e.a, e.b, e.c)] = e
		}
	}
}

func (m *Manager) slot(op opcode, a, b, c uint32) uint32 {
	return hash3(a, b, c*31+uint32(op)) & m.cacheMask
}

func (m *Manager) lookup(op opcode, a, b, c uint32) (Ref, bool) {
	e := &m.cache[m.slot(op, a, b, c)]
	if e.op == op && e.a == a && e.b == b && e.c == c {
		return e.result, true
	}
	return False, false
}

// store keeps a result; it is also where long operations ask for interruption,
// since every step that is not a cache hit comes by.
func (m *Manager) store(op opcode, a, b, c uint32, r Ref) {
	if m.err != nil {
		return
	}
	if m.ticks++; m.ticks&0xfff == 0 {
		if m.interrupt != nil {
			if m.err = m.interrupt(); m.err != nil {
				return
			}
		}
		if len(m.cache) < maxCache && m.used > 2*len(m.cache) {
			m.resizeCache(2 * len(m.cache))
		}
	}
	m.cache[m.slot(op, a, b, c)] = entry{op, a, b, c, r}
}
