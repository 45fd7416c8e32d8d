package certify

import (
	"netcov/aiger"
	"netcov/aiger/sim"
)

// frame is one time frame of the file under a set of cuts, encoded on demand:
// only the cone of what is asked for becomes clauses.
//
// A latch with a reset function stores 0 in frame 0, and its readers see the
// function's value there. One more latch, after those of the file, tells that
// the frame is the first: it is 1 at reset and 0 ever after. Invariants may
// speak of it.
type frame struct {
	k    *Checker
	c    *cnf
	cuts *cuts

	initial bool   // latches start at their resets
	before  *frame // latches are this frame's next-state functions

	seen   []lit        // by variable: what its readers see; 0: not encoded
	state  []lit        // by latch: what it stores; 0: not made
	after  []lit        // by latch: what it stores after the step; 0: not encoded
	atZero []lit        // by variable: its value at time 0 without faults; 0: not encoded
	first  lit          // the latch "first frame"; 0: not made
	missed lit          // the latch of faults that remember; 0: not made
	free   map[*cut]lit // the free values of these
	stack  []uint32
}

// lit returns the literal of an AIGER literal as its readers see it.
func (f *frame) lit(l aiger.Lit) lit {
	p := f.seen[l>>1]
	if p == 0 {
		p = f.encode(l >> 1)
	}
	if l&1 != 0 {
		return -p
	}
	return p
}

func (f *frame) encode(root uint32) lit {
	k := f.k
	f.stack = append(f.stack[:0], root)
	for len(f.stack) > 0 {
		v := f.stack[len(f.stack)-1]
		if f.seen[v] != 0 {
			f.stack = f.stack[:len(f.stack)-1]
			continue
		}
		switch k.kind[v] {
		case latch:
			f.seen[v] = f.latch(v)
		case gate:
			f.seen[v] = f.gate(v) // 0: operands were pushed
		default:
			f.seen[v] = f.c.fresh()
		}
	}
	return f.seen[root]
}

// gate encodes a gate, or pushes those of its operands that come first.
func (f *frame) gate(v uint32) lit {
	mark := f.cuts.mark[v]
	var out, next *cut
	if mark != 0 {
		out, next = f.cuts.of[cutKey{v, false}], f.cuts.of[cutKey{v, true}]
		if out != nil && out.sel == 0 && out.blind {
			return out.forced(&node{c: f.c, frame: f})
		}
	}
	and := f.k.file.Ands[f.k.at[v]]
	a, b := f.seen[and.Rhs0>>1], f.seen[and.Rhs1>>1]
	if a == 0 {
		f.stack = append(f.stack, and.Rhs0>>1)
	}
	if b == 0 {
		f.stack = append(f.stack, and.Rhs1>>1)
	}
	if a == 0 || b == 0 {
		return 0
	}
	a, b = signed(a, and.Rhs0), signed(b, and.Rhs1)
	n := &node{c: f.c, frame: f, value: f.c.and(a, b), operands: [2]lit{a, b}}
	if next != nil { // not active in frame 0
		n.value = f.c.mux(f.isFirst(), n.value, next.apply(n))
	}
	if out != nil {
		return out.apply(n)
	}
	return n.value
}

func signed(p lit, l aiger.Lit) lit {
	if l&1 != 0 {
		return -p
	}
	return p
}

// latch encodes what the readers of a latch see.
func (f *frame) latch(v uint32) lit {
	var out *cut
	if f.cuts.mark[v]&cutOutput != 0 {
		out = f.cuts.of[cutKey{v, false}]
		if out.sel == 0 && out.blind {
			return out.forced(&node{c: f.c, frame: f})
		}
	}
	i := int(f.k.at[v])
	var value lit
	if l := f.k.file.Latches[i]; !l.HasResetFunction() {
		value = f.stored(i)
	} else {
		value = f.c.mux(f.isFirst(), f.resetValue(l.Reset), f.stored(i))
	}
	if out != nil {
		value = out.apply(&node{c: f.c, frame: f, value: value})
	}
	return value
}

// stored returns the literal of what a latch stores, by its position; the
// position after the last latch is the latch "first frame".
func (f *frame) stored(i int) lit {
	if i == len(f.state) {
		return f.isFirst()
	}
	if i > len(f.state) {
		return f.hasMissed()
	}
	if f.state[i] != 0 {
		return f.state[i]
	}
	var p lit
	switch l := f.k.file.Latches[i]; {
	case f.before != nil:
		p = f.before.next(i)
	case !f.initial || l.Reset == l.Lit:
		p = f.c.fresh()
	case l.Reset == 1:
		p = yes
	default:
		p = no
	}
	f.state[i] = p
	return p
}

// hasMissed is the latch of faults that remember, which starts at 0.
func (f *frame) hasMissed() lit {
	switch {
	case f.before != nil:
		return f.before.remembered()
	case f.initial:
		return no
	case f.missed == 0:
		f.missed = f.c.fresh()
	}
	return f.missed
}

// remembered returns what that latch stores after this frame: what the active fault
// makes of it, and without such a fault what it is.
func (f *frame) remembered() lit {
	p := f.hasMissed()
	for _, x := range f.cuts.list {
		if x.remembers() {
			sel := x.sel
			if sel == 0 {
				sel = yes
			}
			p = f.c.mux(sel, sim.Remembered[lit](&node{c: f.c, frame: f, cut: x}), p)
		}
	}
	return p
}

func (f *frame) isFirst() lit {
	switch {
	case f.before != nil:
		return no
	case f.initial:
		return yes
	case f.first == 0:
		f.first = f.c.fresh()
	}
	return f.first
}

// next returns the literal of what a latch stores after this frame.
func (f *frame) next(i int) lit {
	if i == len(f.after) {
		return no
	}
	if i > len(f.after) {
		return f.remembered()
	}
	if f.after[i] != 0 {
		return f.after[i]
	}
	l := f.k.file.Latches[i]
	var p lit
	if v := l.Lit >> 1; f.cuts.mark[v]&cutNext == 0 {
		p = f.lit(l.Next)
	} else if x := f.cuts.of[cutKey{v, true}]; x.sel == 0 && x.blind {
		p = x.forced(&node{c: f.c, frame: f})
	} else {
		n := &node{c: f.c, frame: f, value: f.lit(l.Next)}
		for ; x != nil; x = x.also {
			n.value = x.apply(n)
		}
		p = n.value
	}
	f.after[i] = p
	return p
}

// resetValue returns the value of a literal at time 0 in the design without
// faults, should this frame be the first: faults do not reach the initial
// states. The inputs are those of this frame.
func (f *frame) resetValue(root aiger.Lit) lit {
	if f.isFirst() == no {
		return no
	}
	if f.atZero == nil {
		f.atZero = make([]lit, len(f.seen))
	}
	f.atZero[0] = no
	k := f.k
	stack := []uint32{root >> 1}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		if f.atZero[v] != 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		depends := func(l aiger.Lit) lit {
			p := f.atZero[l>>1]
			if p == 0 {
				stack = append(stack, l>>1)
			}
			return signed(p, l)
		}
		var p lit
		switch k.kind[v] {
		case latch:
			i := int(k.at[v])
			switch l := k.file.Latches[i]; {
			case l.Reset <= 1:
				p = signed(no, l.Reset)
			case l.Reset == l.Lit:
				p = f.stored(i)
			default:
				p = depends(l.Reset)
			}
		case gate:
			and := k.file.Ands[k.at[v]]
			if a, b := depends(and.Rhs0), depends(and.Rhs1); a != 0 && b != 0 {
				p = f.c.and(a, b)
			}
		default:
			if p = f.seen[v]; p == 0 {
				p = f.c.fresh()
				f.seen[v] = p
			}
		}
		f.atZero[v] = p
	}
	return signed(f.atZero[root>>1], root)
}
