// Topological orders by depth-first search with a stack of its own, so that
// chains of millions of gates need no deep recursion.

package aiger

import "fmt"

// dependencies returns the variables that v's value needs, 0 for none.
type dependencies func(v uint32) (uint32, uint32)

// search visits variables in postorder.
type search struct {
	deps  dependencies
	emit  func(v uint32)
	state []byte   // by variable: new, open (on the stack), done
	stack []uint32 // open variables; each one depends on the next
}

const (
	visitNew byte = iota
	visitFirst
	visitSecond
	visitDone
)

// from visits root and what it needs. It returns a variable on a cycle, or 0.
func (s *search) from(root uint32) (cyclic uint32) {
	if s.state[root] == visitDone {
		return 0
	}
	s.stack = append(s.stack[:0], root)
	for len(s.stack) > 0 {
		v := s.stack[len(s.stack)-1]
		a, b := s.deps(v)
		next := uint32(0)
		switch s.state[v] {
		case visitNew:
			s.state[v], next = visitFirst, a
		case visitFirst:
			s.state[v], next = visitSecond, b
		default:
			s.state[v] = visitDone
			s.stack = s.stack[:len(s.stack)-1]
			s.emit(v)
		}
		if next == 0 || s.state[next] == visitDone {
			continue
		}
		if s.state[next] != visitNew {
			return next
		}
		s.stack = append(s.stack, next)
	}
	return 0
}

// gateIndex returns by variable the position of its gate in ands plus 1, or 0.
func gateIndex(ands []And, maxVar uint32) []uint32 {
	at := make([]uint32, maxVar+1)
	for i, a := range ands {
		at[a.Lhs>>1] = uint32(i) + 1
	}
	return at
}

// sortAnds returns positions of ands in a topological order, or in cyclic the
// position of a gate on a cycle (else -1).
func sortAnds(ands []And, maxVar uint32) (order []uint32, cyclic int) {
	at := gateIndex(ands, maxVar)
	order = make([]uint32, 0, len(ands))
	s := search{
		state: make([]byte, maxVar+1),
		deps: func(v uint32) (uint32, uint32) {
			a := ands[at[v]-1]
			left, right := a.Rhs0>>1, a.Rhs1>>1
			if at[left] == 0 {
				left = 0
			}
			if at[right] == 0 {
				right = 0
			}
			return left, right
		},
		emit: func(v uint32) { order = append(order, at[v]-1) },
	}
	for _, a := range ands {
		if v := s.from(a.Lhs >> 1); v != 0 {
			return nil, int(at[v] - 1)
		}
	}
	return order, -1
}

// InitialOrder returns the variables of all latches and gates in an order in
// which their values at time 0 can be computed: a latch with a reset function
// comes after what that function needs. It fails when resets depend on each
// other in a cycle, which the reader refuses.
func (f *File) InitialOrder() ([]uint32, error) {
	order, cyclic := initialOrder(f)
	if cyclic >= 0 {
		return nil, fmt.Errorf("the reset of latch %d depends on the latch itself", f.Latches[cyclic].Lit)
	}
	if order == nil { // no reset functions: latches first, then gates
		order = make([]uint32, 0, len(f.Latches)+len(f.Ands))
		for _, l := range f.Latches {
			order = append(order, l.Lit>>1)
		}
		for _, a := range f.Ands {
			order = append(order, a.Lhs>>1)
		}
	}
	return order, nil
}

// initialOrder is InitialOrder for files with reset functions; for others it
// returns nil at once. cyclic is the position of a latch on a cycle, else -1.
func initialOrder(f *File) (order []uint32, cyclic int) {
	functions := false
	for _, l := range f.Latches {
		functions = functions || l.HasResetFunction()
	}
	if !functions {
		return nil, -1
	}
	gateAt := gateIndex(f.Ands, f.MaxVar)
	latchAt := make([]uint32, f.MaxVar+1)
	for i, l := range f.Latches {
		latchAt[l.Lit>>1] = uint32(i) + 1
	}
	s := search{
		state: make([]byte, f.MaxVar+1),
		deps: func(v uint32) (uint32, uint32) {
			if i := latchAt[v]; i > 0 && f.Latches[i-1].HasResetFunction() {
				return f.Latches[i-1].Reset >> 1, 0
			}
			if i := gateAt[v]; i > 0 {
				return f.Ands[i-1].Rhs0 >> 1, f.Ands[i-1].Rhs1 >> 1
			}
			return 0, 0
		},
		emit: func(v uint32) {
			if latchAt[v] > 0 || gateAt[v] > 0 {
				order = append(order, v)
			}
		},
	}
	for _, l := range f.Latches {
		if s.from(l.Lit>>1) == 0 {
			continue
		}
		// The cycle is the upper part of the stack, and has a latch on it.
		top := len(s.stack) - 1
		for latchAt[s.stack[top]] == 0 {
			top--
		}
		return nil, int(latchAt[s.stack[top]] - 1)
	}
	for _, a := range f.Ands {
		s.from(a.Lhs >> 1)
	}
	return order, -1
}
