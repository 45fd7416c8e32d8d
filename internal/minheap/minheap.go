// Package minheap is a priority queue of small numbers.
package minheap

// Heap gives its numbers back in ascending order. The zero value is empty.
type Heap []int32

// Push adds a number.
func (h *Heap) Push(x int32) {
	q := append(*h, x)
	at := len(q) - 1
	for at > 0 {
		up := (at - 1) / 2
		if q[up] <= x {
			break
		}
		q[at] = q[up]
		at = up
	}
	q[at] = x
	*h = q
}

// Pop takes the least number away. The heap must not be empty.
func (h *Heap) Pop() int32 {
	q := *h
	least, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	*h = q
	if len(q) == 0 {
		return least
	}
	at := 0
	for {
		down := 2*at + 1
		if down >= len(q) {
			break
		}
		if down+1 < len(q) && q[down+1] < q[down] {
			down++
		}
		if q[down] >= last {
			break
		}
		q[at] = q[down]
		at = down
	}
	q[at] = last
	return least
}
