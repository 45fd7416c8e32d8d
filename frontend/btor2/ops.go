// The operators of BTOR2: how many arguments each takes, and what widths these
// and the result must have.

package btor2

// shape is the rule that relates the widths of arguments and result.
type shape uint8

const (
	shapeSame    shape = iota // arguments and result of one width
	shapeBool                 // arguments and result of width 1
	shapeCompare              // arguments of one width, result of width 1
	shapeReduce               // one argument, result of width 1
	shapeConcat               // widths add up
	shapeIte                  // width 1, then two of the result's width
	shapeExtend               // one argument, one number: bits added
	shapeSlice                // one argument, two numbers: upper, lower bit
	shapeArray                // an array, an index of its index width, for write an element
)

// operator describes one operator.
type operator struct {
	args  int
	shape shape
	blast func(b *blaster, a []word) word // nil for extend and slice
}

// operators lists all operators by name.
var operators = map[string]operator{
	"not": {1, shapeSame, func(_ *blaster, a []word) word { return invert(a[0]) }},
	"inc": {1, shapeSame, func(b *blaster, a []word) word { return b.inc(a[0]) }},
	"dec": {1, shapeSame, func(b *blaster, a []word) word { return invert(b.inc(invert(a[0]))) }},
	"neg": {1, shapeSame, func(b *blaster, a []word) word { return b.neg(a[0]) }},

	"redand": {1, shapeReduce, func(b *blaster, a []word) word { return word{b.andAll(a[0])} }},
	"redor":  {1, shapeReduce, func(b *blaster, a []word) word { return word{b.orAll(a[0])} }},
	"redxor": {1, shapeReduce, func(b *blaster, a []word) word { return word{b.xorAll(a[0])} }},

	"iff":     {2, shapeBool, func(b *blaster, a []word) word { return invert(b.bitwise(b.g.Xor, a)) }},
	"implies": {2, shapeBool, func(b *blaster, a []word) word { return word{b.g.Or(a[0][0]^1, a[1][0])} }},

	"eq":  {2, shapeCompare, func(b *blaster, a []word) word { return word{b.eq(a[0], a[1])} }},
	"neq": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.eq(a[0], a[1]) ^ 1} }},

	"ult":  {2, shapeCompare, func(b *blaster, a []word) word { return word{b.ult(a[0], a[1])} }},
	"ugt":  {2, shapeCompare, func(b *blaster, a []word) word { return word{b.ult(a[1], a[0])} }},
	"ulte": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.ult(a[1], a[0]) ^ 1} }},
	"ugte": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.ult(a[0], a[1]) ^ 1} }},
	"slt":  {2, shapeCompare, func(b *blaster, a []word) word { return word{b.slt(a[0], a[1])} }},
	"sgt":  {2, shapeCompare, func(b *blaster, a []word) word { return word{b.slt(a[1], a[0])} }},
	"slte": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.slt(a[1], a[0]) ^ 1} }},
	"sgte": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.slt(a[0], a[1]) ^ 1} }},

	"and":  {2, shapeSame, func(b *blaster, a []word) word { return b.bitwise(b.g.And, a) }},
	"nand": {2, shapeSame, func(b *blaster, a []word) word { return invert(b.bitwise(b.g.And, a)) }},
	"or":   {2, shapeSame, func(b *blaster, a []word) word { return b.bitwise(b.g.Or, a) }},
	"nor":  {2, shapeSame, func(b *blaster, a []word) word { return invert(b.bitwise(b.g.Or, a)) }},
	"xor":  {2, shapeSame, func(b *blaster, a []word) word { return b.bitwise(b.g.Xor, a) }},
	"xnor": {2, shapeSame, func(b *blaster, a []word) word { return invert(b.bitwise(b.g.Xor, a)) }},

	"sll": {2, shapeSame, func(b *blaster, a []word) word { return b.shiftLeft(a[0], a[1]) }},
	"srl": {2, shapeSame, func(b *blaster, a []word) word { return b.shiftRight(a[0], a[1], falseBit) }},
	"sra": {2, shapeSame, func(b *blaster, a []word) word { return b.shiftRight(a[0], a[1], a[0].sign()) }},
	"rol": {2, shapeSame, func(b *blaster, a []word) word { return b.rotateLeft(a[0], a[1]) }},
	"ror": {2, shapeSame, func(b *blaster, a []word) word { return reverse(b.rotateLeft(reverse(a[0]), a[1])) }},

	"add":  {2, shapeSame, func(b *blaster, a []word) word { return b.add(a[0], a[1]) }},
	"sub":  {2, shapeSame, func(b *blaster, a []word) word { return b.sub(a[0], a[1]) }},
	"mul":  {2, shapeSame, func(b *blaster, a []word) word { return b.mul(a[0], a[1]) }},
	"udiv": {2, shapeSame, func(b *blaster, a []word) word { q, _ := b.divide(a[0], a[1]); return q }},
	"urem": {2, shapeSame, func(b *blaster, a []word) word { _, r := b.divide(a[0], a[1]); return r }},
	"sdiv": {2, shapeSame, func(b *blaster, a []word) word { return b.sdiv(a[0], a[1]) }},
	"srem": {2, shapeSame, func(b *blaster, a []word) word { return b.srem(a[0], a[1]) }},
	"smod": {2, shapeSame, func(b *blaster, a []word) word { return b.smod(a[0], a[1]) }},

	"uaddo": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.uaddo(a[0], a[1])} }},
	"saddo": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.saddo(a[0], a[1])} }},
	"usubo": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.ult(a[0], a[1])} }},
	"ssubo": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.ssubo(a[0], a[1])} }},
	"umulo": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.umulo(a[0], a[1])} }},
	"smulo": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.smulo(a[0], a[1])} }},
	"sdivo": {2, shapeCompare, func(b *blaster, a []word) word { return word{b.sdivo(a[0], a[1])} }},

	"concat": {2, shapeConcat, func(_ *blaster, a []word) word { return concat(a[1], a[0]) }},
	"ite":    {3, shapeIte, func(b *blaster, a []word) word { return b.mux(a[0][0], a[1], a[2]) }},

	"uext":  {1, shapeExtend, nil},
	"sext":  {1, shapeExtend, nil},
	"slice": {1, shapeSlice, nil},

	"read":  {2, shapeArray, func(b *blaster, a []word) word { return b.read(a[0], a[1]) }},
	"write": {3, shapeArray, func(b *blaster, a []word) word { return b.write(a[0], a[1], a[2]) }},
}

// quadratic reports whether the number of gates grows with the square of the
// width.
func quadratic(op string, width int) bool {
	switch op {
	case "mul", "udiv", "urem", "sdiv", "srem", "smod", "umulo", "smulo":
		return true
	case "rol", "ror": // divides by the width
		return width&(width-1) != 0
	}
	return false
}
