package ic3

import (
	"container/heap"

	"netcov/ic3/internal/framesat"
	"netcov/sat"
)

// obligation is a cube from which a bad state can be reached, to be excluded
// from a frame.
type obligation struct {
	cube   cube
	inputs []int32 // the inputs that are 1 in the step towards next
	frame  int
	depth  int // steps to the bad state
	next   *obligation
}

// queue orders obligations by frame, then by depth.
type queue struct{ items []*obligation }

func (q *queue) Len() int { return len(q.items) }
func (q *queue) Less(i, j int) bool {
	a, b := q.items[i], q.items[j]
	if a.frame != b.frame {
		return a.frame < b.frame
	}
	return a.depth < b.depth
}
func (q *queue) Swap(i, j int) { q.items[i], q.items[j] = q.items[j], q.items[i] }
func (q *queue) Push(x any)    { q.items = append(q.items, x.(*obligation)) }
func (q *queue) Pop() any {
	o := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	return o
}
func (q *queue) add(o *obligation) { heap.Push(q, o) }

// blockQueue handles the obligations up to the top frame; false says that the
// run or the slice is over.
func (e *Engine) blockQueue() bool {
	for e.queue.Len() > 0 && e.queue.items[0].frame <= e.top {
		if e.stop() {
			return false
		}
		o := heap.Pop(&e.queue).(*obligation)
		if o.frame == 0 || e.meetsInit(o.cube) {
			e.fail(o)
			return false
		}
		if tag, ok := e.blockedUpTo(o.cube, o.frame); ok {
			e.requeue(o, tag)
			continue
		}
		switch e.consecution(o.cube, framesat.Tag(o.frame-1), true) {
		case sat.Unknown:
			e.queue.add(o)
			return false
		case sat.Sat:
			e.record()
			targets := make([]sat.Lit, len(o.cube))
			for i, l := range o.cube {
				targets[i] = e.nextLit(l)
			}
			p := e.predecessor(targets, o.frame-1, o)
			e.queue.add(o)
			e.queue.add(p)
		case sat.Unsat:
			e.requeue(o, e.generalise(e.core(o.cube), o.frame))
		}
	}
	// What is left belongs to frames that do not exist yet.
	if e.queue.Len() > 0 && e.queue.items[0].frame > e.top {
		e.queue.items = e.queue.items[:0]
	}
	return true
}

// requeue files an obligation that is blocked up to a frame for the next one.
func (e *Engine) requeue(o *obligation, tag framesat.Tag) {
	if int(tag) < e.top {
		o.frame = int(tag) + 1
		e.queue.add(o)
	}
}
