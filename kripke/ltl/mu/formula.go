// Package mu is the propositional µ-calculus with future and past modalities
// (Kozen 1983; CKKV01 section 4): formulas, systems of fixpoint equations, their
// printing, and a global model checker for both.
//
// The past is branching as the future is: EY f holds in a state with some
// predecessor that satisfies f, reachable or not. Initial states are told by a
// proposition of their own, not by a missing predecessor.
package mu

import (
	"strconv"
	"strings"
)

// Op names the outermost operator of a formula.
type Op uint8

// The operators. OpInit is true in initial states, OpFair in the states of one of
// the model's fairness sets.
const (
	OpTrue Op = iota
	OpFalse
	OpAtom
	OpInit
	OpFair
	OpVar
	OpNot
	OpAnd
	OpOr
	OpEX
	OpAX
	OpEY
	OpAY
	OpMu
	OpNu
)

var opNames = [...]string{
	OpTrue: "TRUE", OpFalse: "FALSE", OpInit: "init", OpFair: "fair", OpNot: "!", OpAnd: "&", OpOr: "|",
	OpEX: "EX", OpAX: "AX", OpEY: "EY", OpAY: "AY", OpMu: "mu", OpNu: "nu",
}

// Formula is immutable; parts may be shared. A fixpoint's body must be monotone
// in its variable.
type Formula struct {
	Op          Op
	Name        string // of an atom or a variable, bound ones of a fixpoint included
	Index       int    // of a fairness set
	Left, Right *Formula
}

var (
	truth   = &Formula{Op: OpTrue}
	falsity = &Formula{Op: OpFalse}
	initial = &Formula{Op: OpInit}
)

// True is the constant true.
func True() *Formula { return truth }

// False is the constant false.
func False() *Formula { return falsity }

// Init holds in the initial states.
func Init() *Formula { return initial }

// Fair holds in the states of fairness set i.
func Fair(i int) *Formula { return &Formula{Op: OpFair, Index: i} }

// Atom is a proposition of the model.
func Atom(name string) *Formula { return &Formula{Op: OpAtom, Name: name} }

// Var is a variable.
func Var(name string) *Formula { return &Formula{Op: OpVar, Name: name} }

// Not is the negation of f.
func Not(f *Formula) *Formula {
	switch f.Op {
	case OpTrue:
		return falsity
	case OpFalse:
		return truth
	case OpNot:
		return f.Left
	}
	return &Formula{Op: OpNot, Left: f}
}

// And is the conjunction; constants are simplified away.
func And(fs ...*Formula) *Formula {
	out := truth
	for _, f := range fs {
		switch {
		case out.Op == OpFalse || f.Op == OpFalse:
			return falsity
		case out.Op == OpTrue:
			out = f
		case f.Op != OpTrue:
			out = &Formula{Op: OpAnd, Left: out, Right: f}
		}
	}
	return out
}

// Or is the disjunction; constants are simplified away.
func Or(fs ...*Formula) *Formula {
	out := falsity
	for _, f := range fs {
		switch {
		case out.Op == OpTrue || f.Op == OpTrue:
			return truth
		case out.Op == OpFalse:
			out = f
		case f.Op != OpFalse:
			out = &Formula{Op: OpOr, Left: out, Right: f}
		}
	}
	return out
}

// EX, AX, EY and AY are the modalities: some successor, all successors, some
// predecessor, all predecessors.
func EX(f *Formula) *Formula { return &Formula{Op: OpEX, Left: f} }

// AX: all successors.
func AX(f *Formula) *Formula { return &Formula{Op: OpAX, Left: f} }

// EY: some predecessor.
func EY(f *Formula) *Formula { return &Formula{Op: OpEY, Left: f} }

// AY: all predecessors.
func AY(f *Formula) *Formula { return &Formula{Op: OpAY, Left: f} }

// Fixpoint tells least and greatest fixpoints apart.
type Fixpoint uint8

// The fixpoints.
const (
	Least Fixpoint = iota
	Greatest
)

// Bind is µname.f or νname.f; f alone where the variable does not occur in it.
func Bind(fix Fixpoint, name string, f *Formula) *Formula {
	if !f.Free()[name] {
		return f
	}
	op := OpMu
	if fix == Greatest {
		op = OpNu
	}
	return &Formula{Op: op, Name: name, Left: f}
}

// nodes lists the parts of f, each once, operands first.
func (f *Formula) nodes() []*Formula {
	var out []*Formula
	seen := map[*Formula]bool{}
	stack := []*Formula{f}
	for len(stack) > 0 {
		g := stack[len(stack)-1]
		if seen[g] {
			stack = stack[:len(stack)-1]
			continue
		}
		ready := true
		for _, h := range []*Formula{g.Right, g.Left} {
			if h != nil && !seen[h] {
				ready = false
				stack = append(stack, h)
			}
		}
		if ready {
			seen[g] = true
			out = append(out, g)
			stack = stack[:len(stack)-1]
		}
	}
	return out
}

// Free is the set of variables that occur free in f.
func (f *Formula) Free() map[string]bool {
	free := map[*Formula]map[string]bool{}
	for _, g := range f.nodes() {
		set := map[string]bool{}
		if g.Op == OpVar {
			set[g.Name] = true
		}
		for _, h := range []*Formula{g.Left, g.Right} {
			if h == nil {
				continue
			}
			for v := range free[h] {
				if (g.Op == OpMu || g.Op == OpNu) && v == g.Name {
					continue
				}
				set[v] = true
			}
		}
		free[g] = set
	}
	return free[f]
}

// Size is the number of operators, propositions and variables when f is written
// out, at most limit.
func (f *Formula) Size(limit int) int {
	size := map[*Formula]int{}
	for _, g := range f.nodes() {
		n := 1
		for _, h := range []*Formula{g.Left, g.Right} {
			if h != nil {
				n = min(limit, n+size[h])
			}
		}
		size[g] = n
	}
	return size[f]
}

// substitute replaces free occurrences of a variable. No variable that is free
// in by may be bound in f above an occurrence.
func substitute(f *Formula, name string, by *Formula) *Formula {
	out := map[*Formula]*Formula{}
	for _, g := range f.nodes() {
		switch {
		case g.Op == OpVar && g.Name == name:
			out[g] = by
		case (g.Op == OpMu || g.Op == OpNu) && g.Name == name:
			out[g] = g
		case g.Left == nil:
			out[g] = g
		default:
			h := *g
			h.Left = out[g.Left]
			if g.Right != nil {
				h.Right = out[g.Right]
			}
			out[g] = g
			if h.Left != g.Left || h.Right != g.Right {
				out[g] = &h
			}
		}
	}
	return out[f]
}

// Precedences, loosest first: fixpoints, |, &, unary.
func (f *Formula) precedence() int {
	switch f.Op {
	case OpMu, OpNu:
		return 0
	case OpOr:
		return 1
	case OpAnd:
		return 2
	}
	return 3
}

// String writes f with few parentheses: mu X. p | EX X.
func (f *Formula) String() string {
	var b strings.Builder
	f.write(&b, 0)
	return b.String()
}

func (f *Formula) write(b *strings.Builder, outer int) {
	p := f.precedence()
	if p < outer {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch f.Op {
	case OpAtom:
		writeAtom(b, f.Name)
	case OpVar:
		b.WriteString(f.Name)
	case OpFair:
		b.WriteString("fair")
		b.WriteString(strconv.Itoa(f.Index))
	case OpAnd, OpOr:
		f.Left.write(b, p)
		b.WriteString(" " + opNames[f.Op] + " ")
		f.Right.write(b, p)
	case OpNot:
		b.WriteByte('!')
		f.Left.write(b, 3)
	case OpEX, OpAX, OpEY, OpAY:
		b.WriteString(opNames[f.Op] + " ")
		f.Left.write(b, 3)
	case OpMu, OpNu:
		b.WriteString(opNames[f.Op] + " " + f.Name + ". ")
		f.Left.write(b, 0)
	default:
		b.WriteString(opNames[f.Op])
	}
}

// writeAtom puts parentheses around an atom that is a comparison.
func writeAtom(b *strings.Builder, name string) {
	if strings.ContainsAny(name, " ") {
		b.WriteString("(" + name + ")")
		return
	}
	b.WriteString(name)
}
