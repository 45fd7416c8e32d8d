package ctl

import (
	"fmt"

	"netcov/coverage/kripke/formula"
)

// A program is a CTL formula in positive normal form over nine operators, as a
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
)

type instruction struct {
	op      opcode
	a, b    int32
	atom    string
	negated bool
}

// greatest reports whether the instruction is a greatest fixpoint.
func (i instruction) greatest() bool { return i.op == er || i.op == ar }

// universal reports whether the instruction looks at all successors.
func (i instruction) universal() bool { return i.op == ax || i.op == au || i.op == ar }

func compile(f formula.Formula) (program, error) {
	var p program
	index := map[instruction]int32{}
	add := func(i instruction) int32 {
		if n, ok := index[i]; ok {
			return n
		}
		index[i] = int32(len(p))
		p = append(p, i)
		return index[i]
	}
	normal := formula.Simplify(formula.NNF(f))
	at := map[formula.Formula]int32{}
	for _, g := range formula.Subformulas(normal) {
		l, r := at[g.Left()], at[g.Right()]
		var i instruction
		switch g.Op() {
		case formula.OpTrue, formula.OpFalse:
			i = instruction{op: constant, negated: g.Op() == formula.OpFalse}
		case formula.OpAtom:
			i = instruction{op: literal, atom: g.Name()}
		case formula.OpNot:
			i = instruction{op: literal, atom: g.Left().Name(), negated: true}
		case formula.OpAnd:
			i = instruction{op: and, a: l, b: r}
		case formula.OpOr:
			i = instruction{op: or, a: l, b: r}
		case formula.OpEX:
			i = instruction{op: ex, a: l}
		case formula.OpAX:
			i = instruction{op: ax, a: l}
		case formula.OpEU:
			i = instruction{op: eu, a: l, b: r}
		case formula.OpAU:
			i = instruction{op: au, a: l, b: r}
		case formula.OpER:
			i = instruction{op: er, a: l, b: r}
		case formula.OpAR:
			i = instruction{op: ar, a: l, b: r}
		case formula.OpEF, formula.OpAF:
			op := eu
			if g.Op() == formula.OpAF {
				op = au
			}
			i = instruction{op: op, a: add(instruction{op: constant}), b: l}
		case formula.OpEG, formula.OpAG:
			op := er
			if g.Op() == formula.OpAG {
				op = ar
			}
			i = instruction{op: op, a: add(instruction{op: constant, negated: true}), b: l}
		case formula.OpEW, formula.OpAW:
			op := er
			if g.Op() == formula.OpAW {
				op = ar
			}
			i = instruction{op: op, a: r, b: add(instruction{op: or, a: l, b: r})}
		default:
			return nil, fmt.Errorf("%s is not a CTL formula: it has the operator %s without a path quantifier", f, g.Op())
		}
		at[g] = add(i)
	}
	// The formula itself must come last, also when it is one of the shared parts.
	if n := at[normal]; int(n) != len(p)-1 {
		p = append(p, instruction{op: and, a: n, b: n})
	}
	return p, nil
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
