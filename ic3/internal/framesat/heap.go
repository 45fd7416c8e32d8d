package framesat

// The heap orders by activity the variables that the conflicts of this query
// have met. The others follow in the order of the domain, from the query's
// literals to the leaves: most queries have no conflict, and a heap of the whole
// domain would cost more than they do.

func (s *Solver) heapInsert(v Var) {
	s.heapPos[v] = int32(len(s.heap))
	s.heap = append(s.heap, v)
	s.heapUp(len(s.heap) - 1)
}

func (s *Solver) heapUp(i int) {
	heap, pos, act := s.heap, s.heapPos, s.activity
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

func (s *Solver) heapDown(i int) {
	heap, pos, act := s.heap, s.heapPos, s.activity
	v := heap[i]
	a := act[v]
	for {
		child := 2*i + 1
		if child >= len(heap) {
			break
		}
		if r := child + 1; r < len(heap) && act[heap[r]] > act[heap[child]] {
			child = r
		}
		c := heap[child]
		if act[c] <= a {
			break
		}
		heap[i] = c
		pos[c] = int32(i)
		i = child
	}
	heap[i] = v
	pos[v] = int32(i)
}

func (s *Solver) heapPop() Var {
	v := s.heap[0]
	last := len(s.heap) - 1
	w := s.heap[last]
	s.heap = s.heap[:last]
	s.heapPos[v] = -1
	if last > 0 {
		s.heap[0] = w
		s.heapPos[w] = 0
		s.heapDown(0)
	}
	return v
}

func (s *Solver) heapClear() {
	for _, v := range s.heap {
		s.heapPos[v] = -1
	}
	s.heap = s.heap[:0]
}

func (s *Solver) bump(v Var) {
	s.activity[v] += s.varInc
	s.bumped[v] = s.Stats.Queries
	if s.activity[v] > 1e100 {
		for i := range s.activity {
			s.activity[i] *= 1e-100
		}
		s.varInc *= 1e-100
	}
	if p := s.heapPos[v]; p >= 0 {
		s.heapUp(int(p))
	} else {
		s.heapInsert(v)
	}
}
