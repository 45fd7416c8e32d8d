package ctl

import (
	"fmt"

	"netcov/kripke/formula"
)

// A program is a CTL formula in positive normal form over a few operators, as a
// list in which operands stand before the operators that use them. The other
// operators are written by these: EF f = E[TRUE U f], AG f = A[FALSE V f],
// E[f W g] = E[g V f | g], and so on.
type program []instruction

type opcode uint8

const (
	constant opcode = iota // the value is negated's complement
	literal
	and
	or
	ex
	ax
	eu // E[a U b], a least fixpoint
	au
	er // E[a V b], a greatest fixpoint
	ar
	eg // over fair paths, see fair.go
	af
)

type instruction struct {
	op      opcode
	a, b    int32
	atom    string
	negated bool
	hidden  bool // no part of the specification: it says which paths count
}

// greatest reports whether the instruction is a greatest fixpoint.
func (i instruction) greatest() bool { return i.op == er || i.op == ar }

// universal reports whether the instruction looks at all successors.
func (i instruction) universal() bool { return i.op == ax || i.op == au || i.op == ar }

// compile makes the program of a formula over the paths that count.
func compile(f formula.Formula, over paths, what side) (program, error) {
	c := &compiler{index: map[instruction]int32{}, paths: over}
	normal := formula.Simplify(formula.NNF(f))
	at := map[formula.Formula]int32{}
	for _, g := range formula.Subformulas(normal) {
		l, r := at[g.Left()], at[g.Right()]
		var n int32
		switch g.Op() {
		case formula.OpTrue, formula.OpFalse:
			n = c.constant(g.Op() == formula.OpTrue)
		case formula.OpAtom:
			n = c.add(instruction{op: literal, atom: g.Name()})
		case formula.OpNot:
			n = c.add(instruction{op: literal, atom: g.Left().Name(), negated: true})
		case formula.OpAnd:
			n = c.and(l, r)
		case formula.OpOr:
			n = c.or(l, r)
		case formula.OpEX:
			n = c.add(instruction{op: ex, a: c.fair(l)})
		case formula.OpAX:
			n = c.add(instruction{op: ax, a: c.unfair(l)})
		case formula.OpEU:
			n = c.existsUntil(l, r)
		case formula.OpAU:
			n = c.allUntil(l, r)
		case formula.OpER:
			n = c.existsRelease(l, r)
		case formula.OpAR:
			n = c.allRelease(l, r)
		case formula.OpEF:
			n = c.existsUntil(c.constant(true), l)
		case formula.OpAF:
			n = c.allUntil(c.constant(true), l)
		case formula.OpEG:
			n = c.existsRelease(c.constant(false), l)
		case formula.OpAG:
			n = c.allRelease(c.constant(false), l)
		case formula.OpEW:
			n = c.existsRelease(r, c.or(l, r))
		case formula.OpAW:
			n = c.allRelease(r, c.or(l, r))
		default:
			return nil, fmt.Errorf("%.100s is not a CTL formula: it has the operator %s without a path quantifier", f, g.Op())
		}
		at[g] = n
	}
	n := at[normal]
	if what == claim {
		n = c.unfair(n)
	} else {
		n = c.fair(n)
	}
	// The formula itself must come last, also when it is one of the shared parts.
	if int(n) != len(c.p)-1 {
		c.p = append(c.p, instruction{op: and, a: n, b: n})
	}
	return c.p, nil
}

// mentions reports whether the program reads the proposition.
func (p program) mentions(atom string) bool {
	for _, i := range p {
		if i.op == literal && i.atom == atom {
			return true
		}
	}
	return false
}
