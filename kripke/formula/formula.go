package formula

import "unique"

// Op names the outermost operator of a formula.
type Op uint8

// The operators. W is weak until and R is release (NuSMV's V) in every logic;
// the AX…ER forms carry their path quantifier.
const (
	OpInvalid Op = iota
	OpTrue
	OpFalse
	OpAtom
	OpNot
	OpAnd
	OpOr
	OpXor
	OpXnor
	OpImplies
	OpIff
	OpX
	OpF
	OpG
	OpU
	OpW
	OpR
	OpAX
	OpAF
	OpAG
	OpAU
	OpAW
	OpAR
	OpEX
	OpEF
	OpEG
	OpEU
	OpEW
	OpER
)

var opNames = [...]string{
	OpInvalid: "invalid", OpTrue: "TRUE", OpFalse: "FALSE", OpAtom: "atom",
	OpNot: "!", OpAnd: "&", OpOr: "|", OpXor: "xor", OpXnor: "xnor", OpImplies: "->", OpIff: "<->",
	OpX: "X", OpF: "F", OpG: "G", OpU: "U", OpW: "W", OpR: "V",
	OpAX: "AX", OpAF: "AF", OpAG: "AG", OpAU: "AU", OpAW: "AW", OpAR: "AV",
	OpEX: "EX", OpEF: "EF", OpEG: "EG", OpEU: "EU", OpEW: "EW", OpER: "EV",
}

// String gives NuSMV's spelling; the binary path operators read AU, EW, AV….
func (o Op) String() string { return opNames[o] }

// Arity is the number of operands: 0, 1 or 2.
func (o Op) Arity() int {
	switch o {
	case OpInvalid, OpTrue, OpFalse, OpAtom:
		return 0
	case OpNot, OpX, OpF, OpG, OpAX, OpAF, OpAG, OpEX, OpEF, OpEG:
		return 1
	}
	return 2
}

// Temporal reports whether o is one of LTL's operators or a CTL operator.
func (o Op) Temporal() bool { return o >= OpX }

// Universal reports whether o carries the path quantifier A.
func (o Op) Universal() bool { return o >= OpAX && o <= OpAR }

// Existential reports whether o carries the path quantifier E.
func (o Op) Existential() bool { return o >= OpEX && o <= OpER }

// Linear reports whether o is a bare path operator (LTL).
func (o Op) Linear() bool { return o >= OpX && o <= OpR }

type node struct {
	left, right Formula
	name        string
	depth       int32
	op          Op
}

// Formula is an immutable formula of any of the logics. The zero value is no
// formula: its Op is OpInvalid.
type Formula struct{ h unique.Handle[node] }

func (f Formula) node() node {
	if f == (Formula{}) {
		return node{}
	}
	return f.h.Value()
}

// Op is the outermost operator.
func (f Formula) Op() Op { return f.node().op }

// Name is the text of an atom and "" for anything else. The atom that a
// comparison makes has the comparison as its text, one space between tokens.
func (f Formula) Name() string { return f.node().name }

// Left is the first operand, the only one of a unary operator.
func (f Formula) Left() Formula { return f.node().left }

// Right is the second operand of a binary operator.
func (f Formula) Right() Formula { return f.node().right }

// Depth is the height of the tree: 1 for atoms and constants.
func (f Formula) Depth() int { return int(f.node().depth) }

func intern(n node) Formula {
	n.depth = 1 + max(n.left.node().depth, n.right.node().depth)
	return Formula{unique.Make(n)}
}

// True is the constant true.
func True() Formula { return intern(node{op: OpTrue}) }

// False is the constant false.
func False() Formula { return intern(node{op: OpFalse}) }

// Constant is True or False.
func Constant(b bool) Formula {
	if b {
		return True()
	}
	return False()
}

// Atom is the proposition with this name.
func Atom(name string) Formula { return intern(node{op: OpAtom, name: name}) }

// Unary applies an operator of arity 1. Nothing is simplified.
func Unary(op Op, f Formula) Formula { return intern(node{op: op, left: f}) }

// Binary applies an operator of arity 2. Nothing is simplified.
func Binary(op Op, f, g Formula) Formula { return intern(node{op: op, left: f, right: g}) }

// Not is the negation of f.
func Not(f Formula) Formula { return Unary(OpNot, f) }

// And is the conjunction of fs, grouped to the left; And() is True.
func And(fs ...Formula) Formula { return fold(OpAnd, True, fs) }

// Or is the disjunction of fs, grouped to the left; Or() is False.
func Or(fs ...Formula) Formula { return fold(OpOr, False, fs) }

func fold(op Op, empty func() Formula, fs []Formula) Formula {
	if len(fs) == 0 {
		return empty()
	}
	r := fs[0]
	for _, f := range fs[1:] {
		r = Binary(op, r, f)
	}
	return r
}

// rebuild makes f's operator over new operands.
func rebuild(f, left, right Formula) Formula {
	switch f.Op().Arity() {
	case 1:
		return Unary(f.Op(), left)
	case 2:
		return Binary(f.Op(), left, right)
	}
	return f
}
