package smv

import "math/big"

// op names the outermost operator of an expression, in syntax trees and in
// typed expressions alike.
type op uint8

const (
	opBad op = iota
	// Leaves.
	opTrue
	opFalse
	opInt   // num
	opWord  // big, width, signed
	opIdent // text; only in syntax trees
	opSelf  // only in syntax trees
	opSym   // symbolic constant
	opVar   // variable
	// Access.
	opDot   // args[0].text; only in syntax trees
	opIndex // args[0][args[1]]
	opBits  // args[0][args[1]:args[2]]
	opArray // [args...]
	opDef   // a DEFINE that stands for args[0]
	// Boolean and bitwise.
	opNot
	opAnd // n-ary
	opOr  // n-ary
	opXor
	opXnor
	opImplies
	opIff
	// Relations.
	opEq
	opNe
	opLt
	opGt
	opLe
	opGe
	opIn
	// Arithmetic.
	opNeg
	opAdd
	opSub
	opMul
	opDiv
	opMod
	opShl
	opShr
	opConcat
	// Sets.
	opUnion
	opSet   // {args...}
	opRange // args[0]..args[1]
	// Choice and time.
	opCase // condition, value, condition, value…
	opIte
	opNext
	// Functions.
	opAbs
	opMin
	opMax
	opBool
	opWord1
	opToint
	opSigned
	opUnsigned
	opExtend
	opResize
	opSizeof
	opUwconst
	opSwconst
	opCount
	// CTL.
	opEX
	opAX
	opEF
	opAF
	opEG
	opAG
	opEU
	opAU
	opEW
	opAW
	opEV
	opAV
	opEBF // operand, lower bound, upper bound
	opABF
	opEBG
	opABG
	opEBU // left, right, lower bound, upper bound
	opABU
	// LTL.
	opX
	opF // operand, and bounds where given
	opG
	opY
	opZ
	opH
	opO
	opU
	opV
	opW
	opS
	opT
)

var opText = [...]string{
	opTrue: "TRUE", opFalse: "FALSE", opSelf: "self",
	opNot: "!", opAnd: "&", opOr: "|", opXor: "xor", opXnor: "xnor", opImplies: "->", opIff: "<->",
	opEq: "=", opNe: "!=", opLt: "<", opGt: ">", opLe: "<=", opGe: ">=", opIn: "in",
	opNeg: "-", opAdd: "+", opSub: "-", opMul: "*", opDiv: "/", opMod: "mod", opShl: "<<", opShr: ">>", opConcat: "::",
	opUnion: "union", opRange: "..", opCase: "case", opIte: "?", opNext: "next", opIndex: "[]", opBits: "[:]",
	opAbs: "abs", opMin: "min", opMax: "max", opBool: "bool", opWord1: "word1", opToint: "toint",
	opSigned: "signed", opUnsigned: "unsigned", opExtend: "extend", opResize: "resize", opSizeof: "sizeof",
	opUwconst: "uwconst", opSwconst: "swconst", opCount: "count",
	opEX: "EX", opAX: "AX", opEF: "EF", opAF: "AF", opEG: "EG", opAG: "AG",
	opEU: "E[ U ]", opAU: "A[ U ]", opEW: "E[ W ]", opAW: "A[ W ]", opEV: "E[ V ]", opAV: "A[ V ]",
	opEBF: "EBF", opABF: "ABF", opEBG: "EBG", opABG: "ABG", opEBU: "E[ BU ]", opABU: "A[ BU ]",
	opX: "X", opF: "F", opG: "G", opY: "Y", opZ: "Z", opH: "H", opO: "O", opU: "U", opV: "V", opW: "W", opS: "S", opT: "T",
}

// String gives NuSMV's spelling of an operator.
func (o op) String() string {
	if int(o) < len(opText) && opText[o] != "" {
		return opText[o]
	}
	return "operand"
}

// ltl reports whether an operator belongs to LTL.
func (o op) ltl() bool { return o >= opX }

// expr is a syntax tree.
type expr struct {
	op     op
	signed bool // opWord
	pos    Pos
	num    int64    // opInt
	width  int      // opWord
	big    *big.Int // opWord: the bits as an unsigned number
	text   string   // opIdent, opDot
	args   []*expr
}

// typeKind is the outermost form of a type in the source.
type typeKind uint8

const (
	typeBoolean typeKind = iota
	typeEnum
	typeRange
	typeWord
	typeArray
	typeModule
)

// typeExpr is a type in the source.
type typeExpr struct {
	kind    typeKind
	signed  bool
	process bool // typeModule
	pos     Pos
	name    string  // typeModule
	args    []*expr // bounds, width, actual parameters, or values of an enumeration
	elem    *typeExpr
}

// varKind tells the three sorts of variables apart.
type varKind uint8

const (
	kindState varKind = iota
	kindInput
	kindFrozen
)

func (k varKind) String() string { return [...]string{"VAR", "IVAR", "FROZENVAR"}[k] }

// itemKind is the sort of a module's element.
type itemKind uint8

const (
	itemVar itemKind = iota
	itemDefine
	itemConstant
	itemPlain // x := e
	itemInit  // init(x) := e
	itemNext  // next(x) := e
	itemINIT
	itemTRANS
	itemINVAR
	itemFairness
	itemCompassion // left and right are its conditions
	itemInvarspec
	itemCTL
	itemLTL
	itemCompute
	itemISA
)

// item is one element of a module.
type item struct {
	kind  itemKind
	vkind varKind // itemVar
	pos   Pos
	name  string    // declared name, name of a specification, constant, or module
	left  *expr     // assigned variable, the name of a DEFINE as a path, or an expression
	right *expr     // expression
	typ   *typeExpr // itemVar
}

// param is a formal parameter.
type param struct {
	name string
	pos  Pos
}

// module is a MODULE declaration.
type module struct {
	name   string
	pos    Pos
	params []param
	items  []item
}
