package proof

import "netcov/sat"

// varHeap is a binary heap of variables, the most active first. The activities
// are the solver's and are passed to each operation.
type varHeap struct {
	heap []sat.Var
	pos  []int32 // of each variable in heap, -1 when it is not there
}

func (h *varHeap) grow(n int) {
	for len(h.pos) < n {
		h.pos = append(h.pos, -1)
	}
}

func (h *varHeap) has(v sat.Var) bool { return h.pos[v] >= 0 }

func (h *varHeap) insert(v sat.Var, act []float64) {
	h.pos[v] = int32(len(h.heap))
	h.heap = append(h.heap, v)
	h.up(len(h.heap)-1, act)
}

// bumped restores the order after v became more active.
func (h *varHeap) bumped(v sat.Var, act []float64) {
	if i := h.pos[v]; i >= 0 {
		h.up(int(i), act)
	}
}

func (h *varHeap) up(i int, act []float64) {
	heap, pos := h.heap, h.pos
	v := heap[i]
	a := act[v]
	for i > 0 {
		parent := (i - 1) >> 1
		p := heap[parent]
		if a <= act[p] {
			break
		}
		heap[i] = p
		pos[p] = int32(i)
		i = parent
	}
	heap[i] = v
	pos[v] = int32(i)
}

func (h *varHeap) down(i int, act []float64) {
	heap, pos := h.heap, h.pos
	v := heap[i]
	a := act[v]
	for {
		child := 2*i + 1
		if child >= len(heap) {
			break
		}
		c := heap[child]
		ca := act[c]
		if child+1 < len(heap) {
			if r := heap[child+1]; act[r] > ca {
				child, c, ca = child+1, r, act[r]
			}
		}
		if ca <= a {
			break
		}
		heap[i] = c
		pos[c] = int32(i)
		i = child
	}
	heap[i] = v
	pos[v] = int32(i)
}

// pop removes the most active variable; the heap must not be empty.
func (h *varHeap) pop(act []float64) sat.Var {
	v := h.heap[0]
	last := len(h.heap) - 1
	w := h.heap[last]
	h.heap = h.heap[:last]
	h.pos[v] = -1
	if last > 0 {
		h.heap[0] = w
		h.pos[w] = 0
		h.down(0, act)
	}
	return v
}

// clear empties the heap in time linear in what it holds.
func (h *varHeap) clear() {
	for _, v := range h.heap {
		h.pos[v] = -1
	}
	h.heap = h.heap[:0]
}

// push appends without restoring the order; heapify must follow.
func (h *varHeap) push(v sat.Var) {
	h.pos[v] = int32(len(h.heap))
	h.heap = append(h.heap, v)
}

func (h *varHeap) heapify(act []float64) {
	for i := len(h.heap)/2 - 1; i >= 0; i-- {
		h.down(i, act)
	}
}
