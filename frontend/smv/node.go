package smv

import "math/big"

// flags tell what occurs anywhere below a node.
type flags uint8

const (
	hasVar      flags = 1 << iota // a variable of any kind
	hasNext                       // next()
	hasInput                      // an IVAR
	hasTemporal                   // an operator of CTL or LTL
)

// node is a typed expression in which every name is resolved. Nodes form a
// DAG: a DEFINE or an actual parameter is one node wherever it is read.
type node struct {
	op    op
	flags flags
	depth int32
	typ   typ
	pos   Pos
	inst  *instance // scope of the source
	args  []*node
	v     *variable // opVar
	num   int64     // opInt, opSym (a cst), opRange low, opBits high, opExtend, opResize, opUwconst width
	num2  int64     // opRange high, opBits low
	big   *big.Int  // opWord
	name  string    // opDef: full name
}

// under looks through DEFINEs.
func (n *node) under() *node {
	for n.op == opDef {
		n = n.args[0]
	}
	return n
}

// variable is a variable of the flat model. Arrays are split into elements.
type variable struct {
	name  string // full name
	kind  varKind
	inst  *instance
	pos   Pos
	dom   domain
	index int // position in the model's list

	// The array that the variable is an element of, for grouping: its full
	// name and the index, when elements are boolean.
	array      string
	arrayIndex int

	// Definitions, nil where there is none.
	plain, init, next *definition
	by                []*instance // processes that assign the next value
	nextRead          bool        // stands under next() somewhere
}

// definition says what a variable, its first or its next value is.
type definition struct {
	value *node
	pos   Pos
	// lenient marks a definition found in a constraint: a value outside of the
	// domain makes the constraint false instead of being an error.
	lenient bool
}
