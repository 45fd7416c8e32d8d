// Package bdd is a small kernel for reduced ordered binary decision diagrams
// with complement edges (Bryant 1986; Brace, Rudell and Bryant 1990), made for
// the symbolic algorithms on Kripke structures. The node table, its hash
// chains and the operation cache are flat arrays. Besides the usual operations
// there is a one-pass relational composition over interleaved variables (KGG99
// section 5, CK02 section 4), which keeps those algorithms at 2n and 3n
// variables; see compose.go.
//
// Life of a node. An operation never frees anything, so the results of earlier
// operations stay valid until the caller collects. Collect and CollectIfLarge
// free every node that no protected Ref reaches; they are the only calls that
// do, and a Ref that survives keeps its value.
//
// Errors. When the node limit is reached or the interrupt function says so,
// the manager keeps the error, every later operation returns False at once,
// and Err tells. Callers check Err after a step of their fixpoint and need no
// check at each operation.
//
// Left out: dynamic reordering (the callers choose interleaved orders).
package bdd

import "fmt"

// Ref is a Boolean function: a node number, and in the lowest bit whether the
// node's function is complemented. Equal functions have equal Refs.
type Ref uint32

// The constants.
const (
	False Ref = 0
	True  Ref = 1
)

// Not is the complement of f; it costs nothing.
func (f Ref) Not() Ref { return f ^ 1 }

func (f Ref) index() uint32 { return uint32(f) >> 1 }

// node 0 is the terminal; its regular edge is False. The low edge of every
// other node is regular, which makes the form canonical.
type node struct {
	level     uint32
	low, high Ref
	next      uint32 // next node of the hash bucket, or of the free list
}

const (
	terminalLevel = 1<<31 - 1
	freeLevel     = 1 << 31
	maxNodes      = 1 << 30
)

// Options bound a manager. Zero values stand for the defaults.
type Options struct {
	// NodeLimit is the most nodes that may exist at a time, garbage included;
	// default and upper bound 2^30. A node takes about 25 bytes with its part of
	// the tables.
	NodeLimit int
	// Interrupt is asked now and then inside long operations; an error from it
	// stops the manager like the node limit does.
	Interrupt func() error
}

// Manager owns the nodes over a fixed number of variables; variable i is on
// level i, 0 at the top. It is not safe for concurrent use.
type Manager struct {
	vars    int
	nodes   []node
	buckets []uint32
	free    uint32
	used    int // nodes in use, the terminal included
	roots   map[uint32]int

	cache     []entry
	cacheMask uint32

	limit     int
	interrupt func() error
	err       error
	ticks     uint32

	threshold int    // CollectIfLarge collects from this many nodes on
	ids       uint32 // last identity given to a renaming or composition

	stats Stats
}

// Stats counts what a manager did.
type Stats struct {
	Variables   int // variables allocated
	Nodes       int // nodes in the table, garbage included
	PeakNodes   int // largest value of Nodes so far
	Collections int
	Bytes       int // size of the tables
}

// New makes a manager with the given number of variables.
func New(vars int, opt Options) *Manager {
	m := &Manager{
		vars: vars, limit: opt.NodeLimit, interrupt: opt.Interrupt, roots: map[uint32]int{},
		buckets: make([]uint32, 1<<12), used: 1, threshold: 1 << 16,
	}
	if m.limit <= 0 || m.limit > maxNodes {
		m.limit = maxNodes
	}
	m.nodes = append(make([]node, 0, 1<<12), node{level: terminalLevel})
	m.resizeCache(1 << 13)
	m.stats.PeakNodes = 1
	return m
}

// NumVars is the number of variables allocated.
func (m *Manager) NumVars() int { return m.vars }

// Err is the reason why the manager has stopped, nil while it works.
func (m *Manager) Err() error { return m.err }

// Stats reports sizes and counts.
func (m *Manager) Stats() Stats {
	s := m.stats
	s.Variables, s.Nodes = m.vars, m.used
	s.Bytes = 16*cap(m.nodes) + 4*len(m.buckets) + 20*len(m.cache)
	return s
}

// LimitError says that the node limit was reached.
type LimitError struct{ Limit int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("the decision diagrams need more than %d nodes; raise the memory limit or use a smaller model", e.Limit)
}

func (m *Manager) level(f Ref) uint32 { return m.nodes[f.index()].level }

// low and high are the cofactors of f at its own level.
func (m *Manager) low(f Ref) Ref  { return m.nodes[f.index()].low ^ f&1 }
func (m *Manager) high(f Ref) Ref { return m.nodes[f.index()].high ^ f&1 }

// at is the pair of cofactors of f at a level not below f's own.
func (m *Manager) at(f Ref, level uint32) (low, high Ref) {
	n := &m.nodes[f.index()]
	if n.level != level {
		return f, f
	}
	return n.low ^ f&1, n.high ^ f&1
}

func hash3(a, b, c uint32) uint32 {
	h := uint64(a)*0x9E3779B97F4A7C15 ^ uint64(b)*0xC2B2AE3D27D4EB4F ^ uint64(c)*0x165667B19E3779F9
	h ^= h >> 29
	h *= 0xBF58476D1CE4E5B9
	return uint32(h >> 32)
}

// mk is the node with these cofactors, found or made.
func (m *Manager) mk(level uint32, low, high Ref) Ref {
	if low == high {
		return low
	}
	flip := low & 1
	low, high = low^flip, high^flip
	b := hash3(level, uint32(low), uint32(high)) & uint32(len(m.buckets)-1)
	for i := m.buckets[b]; i != 0; i = m.nodes[i].next {
		if n := &m.nodes[i]; n.level == level && n.low == low && n.high == high {
			return Ref(i<<1) | flip
		}
	}
	if m.err != nil {
		return False
	}
	if m.used >= m.limit {
		m.err = &LimitError{m.limit}
		return False
	}
	i := m.free
	if i != 0 {
		m.free = m.nodes[i].next
	} else {
		i = uint32(len(m.nodes))
		m.nodes = append(m.nodes, node{})
	}
	m.used++
	m.stats.PeakNodes = max(m.stats.PeakNodes, m.used)
	m.nodes[i] = node{level, low, high, m.buckets[b]}
	m.buckets[b] = i
	if m.used > len(m.buckets) {
		m.rehash(2 * len(m.buckets))
	}
	return Ref(i<<1) | flip
}

func (m *Manager) rehash(size int) {
	m.buckets = make([]uint32, size)
	for i := 1; i < len(m.nodes); i++ {
		n := &m.nodes[i]
		if n.level == freeLevel {
			continue
		}
		b := hash3(n.level, uint32(n.low), uint32(n.high)) & uint32(size-1)
		n.next = m.buckets[b]
		m.buckets[b] = uint32(i)
	}
}

// Protect makes f a root: f and what it consists of survive collections until
// Unprotect has been called as often as Protect. It returns f.
func (m *Manager) Protect(f Ref) Ref {
	m.roots[f.index()]++
	return f
}

// Unprotect takes back one Protect.
func (m *Manager) Unprotect(f Ref) {
	switch n := m.roots[f.index()]; {
	case n > 1:
		m.roots[f.index()] = n - 1
	case n == 1:
		delete(m.roots, f.index())
	default:
		panic("bdd: Unprotect without Protect")
	}
}

// CollectIfLarge collects when the table has grown well beyond what was alive
// after the last collection. The functions in keep are roots this once.
func (m *Manager) CollectIfLarge(keep ...Ref) {
	if m.used >= m.threshold {
		m.Collect(keep...)
	}
}

// Recover lets a manager that reached its node limit go on with what is
// protected.
func (m *Manager) Recover() {
	m.err = nil
	m.Collect()
}

// Collect frees every node that neither a protected Ref nor one in keep
// reaches, and empties the cache.
func (m *Manager) Collect(keep ...Ref) {
	marked := make([]uint64, (len(m.nodes)+63)/64)
	marked[0] = 1
	for i := range m.roots {
		m.mark(marked, i)
	}
	for _, f := range keep {
		m.mark(marked, f.index())
	}
	clear(m.buckets)
	m.free, m.used = 0, 1
	for i := len(m.nodes) - 1; i > 0; i-- {
		n := &m.nodes[i]
		if marked[i>>6]>>(i&63)&1 == 0 {
			*n = node{level: freeLevel, next: m.free}
			m.free = uint32(i)
			continue
		}
		m.used++
		b := hash3(n.level, uint32(n.low), uint32(n.high)) & uint32(len(m.buckets)-1)
		n.next = m.buckets[b]
		m.buckets[b] = uint32(i)
	}
	clear(m.cache)
	m.threshold = max(1<<16, 3*m.used)
	m.stats.Collections++
}

// mark recurses over at most as many levels as there are variables.
func (m *Manager) mark(marked []uint64, i uint32) {
	if marked[i>>6]>>(i&63)&1 != 0 {
		return
	}
	marked[i>>6] |= 1 << (i & 63)
	m.mark(marked, m.nodes[i].low.index())
	m.mark(marked, m.nodes[i].high.index())
}

// Constant is True or False.
func Constant(b bool) Ref {
	if b {
		return True
	}
	return False
}
