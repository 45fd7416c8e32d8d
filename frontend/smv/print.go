package smv

import (
	"fmt"
	"strings"
)

// Expressions are written in NuSMV's spelling with full names, DEFINEs by name,
// actual parameters in the place of formal ones, and few parentheses. Operands
// of temporal operators that are no names or temporal themselves get
// parentheses, so that every reader of the language agrees on them.

// Binding strengths, loosest first.
const (
	bindImplies = iota
	bindIff
	bindIte
	bindOr
	bindAnd
	bindUntil
	bindTemporal
	bindRelation
	bindIn
	bindUnion
	bindSet
	bindShift
	bindSum
	bindProduct
	bindConcat
	bindUnary
	bindAtom
)

func (n *node) binding() int {
	switch n.op {
	case opImplies:
		return bindImplies
	case opIff:
		return bindIff
	case opIte:
		return bindIte
	case opOr, opXor, opXnor:
		return bindOr
	case opAnd:
		return bindAnd
	case opU, opV, opW, opS, opT:
		return bindUntil
	case opEU, opAU, opEW, opAW, opEV, opAV, opEBU, opABU:
		return bindAtom
	case opEq, opNe, opLt, opGt, opLe, opGe:
		return bindRelation
	case opIn:
		return bindIn
	case opUnion:
		return bindUnion
	case opRange:
		return bindSet
	case opShl, opShr:
		return bindShift
	case opAdd, opSub:
		return bindSum
	case opMul, opDiv, opMod:
		return bindProduct
	case opConcat:
		return bindConcat
	case opNot, opNeg:
		return bindUnary
	case opInt:
		if n.num < 0 {
			return bindUnary
		}
	case opWord:
		if n.typ.signed && n.big.Bit(n.typ.width-1) == 1 {
			return bindUnary
		}
	}
	if n.op >= opEX {
		return bindTemporal
	}
	return bindAtom
}

// printer writes nodes. In formulas, propositional parts that are more than
// names, connectives and simple comparisons are quoted, for readers that know
// the temporal logics only.
type printer struct {
	b       strings.Builder
	symbols *symbolTable
	formula bool
}

func (p *Program) text(n *node) string { return p.elab.text(n) }

func (e *elaborator) text(n *node) string {
	w := printer{symbols: &e.symbols}
	w.node(n, bindImplies)
	return w.b.String()
}

// formulaText writes a specification.
func (p *Program) formulaText(n *node) string {
	w := printer{symbols: &p.elab.symbols, formula: true}
	w.node(n, bindImplies)
	return w.b.String()
}

func (w *printer) str(s string) { w.b.WriteString(s) }

// node writes a node in a place that needs a binding strength.
func (w *printer) node(n *node, need int) {
	if w.formula && n.flags&hasTemporal == 0 && !isConnective(n) {
		w.formula = false
		if simpleAtom(n) {
			w.node(n, need)
		} else {
			w.str(`"`)
			w.node(n, bindImplies)
			w.str(`"`)
		}
		w.formula = true
		return
	}
	if n.binding() < need {
		w.str("(")
		w.plain(n)
		w.str(")")
		return
	}
	w.plain(n)
}

// operand writes an operand of a temporal operator.
func (w *printer) operand(n *node) {
	if b := n.binding(); b == bindTemporal {
		w.node(n, bindTemporal)
	} else {
		w.node(n, bindUnary)
	}
}

func (w *printer) list(args []*node) {
	for i, a := range args {
		if i > 0 {
			w.str(", ")
		}
		w.node(a, bindImplies)
	}
}

func (w *printer) plain(n *node) {
	b := n.binding()
	switch n.op {
	case opTrue, opFalse:
		w.str(n.op.String())
	case opInt:
		fmt.Fprint(&w.b, n.num)
	case opWord:
		w.str(wordText(n.big, n.typ))
	case opSym:
		w.str(w.symbols.text(cst(n.num)))
	case opVar:
		w.str(n.v.name)
	case opDef, opIndex:
		w.str(n.name)
	case opArray:
		var first printer
		first.symbols = w.symbols
		first.plain(n.args[0])
		s := first.b.String()
		w.str(s[:max(strings.LastIndexByte(s, '['), 0)])
	case opBits:
		w.node(n.args[0], bindAtom)
		fmt.Fprintf(&w.b, "[%d:%d]", n.num, n.num2)
	case opNot:
		w.str("!")
		w.node(n.args[0], bindUnary)
	case opNeg:
		w.str("-")
		w.node(n.args[0], bindAtom)
	case opSet:
		w.str("{")
		w.list(n.args)
		w.str("}")
	case opRange:
		fmt.Fprintf(&w.b, "%d..%d", n.num, n.num2)
	case opCase:
		w.str("case ")
		for i := 0; i < len(n.args); i += 2 {
			w.node(n.args[i], bindImplies)
			w.str(" : ")
			w.node(n.args[i+1], bindImplies)
			w.str("; ")
		}
		w.str("esac")
	case opIte:
		w.node(n.args[0], bindOr)
		w.str(" ? ")
		w.node(n.args[1], bindImplies)
		w.str(" : ")
		w.node(n.args[2], bindIte)
	case opExtend, opResize:
		w.str(n.op.String() + "(")
		w.node(n.args[0], bindImplies)
		k := n.typ.width
		if n.op == opExtend {
			k -= n.args[0].typ.width
		}
		fmt.Fprintf(&w.b, ", %d)", k)
	case opImplies:
		w.node(n.args[0], b+1)
		w.str(" -> ")
		w.node(n.args[1], b)
	case opU, opV, opW, opS, opT:
		if n.args[0].binding() == bindUntil {
			w.node(n.args[0], bindUntil)
		} else {
			w.operand(n.args[0])
		}
		w.str(" " + n.op.String() + " ")
		w.operand(n.args[1])
	default:
		switch {
		case n.op >= opEX:
			w.temporal(n)
		case b == bindAtom: // functions
			w.str(n.op.String() + "(")
			w.list(n.args)
			w.str(")")
		default:
			for i, a := range n.args {
				if i > 0 {
					w.str(" " + n.op.String() + " ")
					w.node(a, b+1)
				} else {
					w.node(a, b)
				}
			}
		}
	}
}

func (w *printer) temporal(n *node) {
	switch n.op {
	case opEU, opAU, opEW, opAW, opEV, opAV, opEBU, opABU:
		name := n.op.String() // E[ U ]
		w.str(name[:2])
		w.operand(n.args[0])
		w.str(name[2 : len(name)-1])
		if n.name != "" {
			fmt.Fprintf(&w.b, "%d..%d ", n.num, n.num2)
		}
		w.operand(n.args[1])
		w.str("]")
		return
	}
	w.str(n.op.String() + " ")
	switch {
	case n.name != "" && n.op.ltl():
		fmt.Fprintf(&w.b, "[%d, %d] ", n.num, n.num2)
	case n.name != "":
		fmt.Fprintf(&w.b, "%d..%d ", n.num, n.num2)
	}
	w.operand(n.args[0])
}

// isConnective reports whether a boolean node is an operator that the temporal
// logics have themselves.
func isConnective(n *node) bool {
	switch n.op {
	case opTrue, opFalse, opNot, opAnd, opOr, opXor, opXnor, opImplies, opIff:
		return true
	}
	return false
}

// simpleAtom reports whether a propositional node is a name or a comparison of
// terms that readers of temporal formulas take as an atom.
func simpleAtom(n *node) bool {
	switch n.op {
	case opVar, opDef:
		return plainName(n)
	case opEq, opNe, opLt, opGt, opLe, opGe, opIn:
		return simpleTerm(n.args[0], 0) && simpleTerm(n.args[1], 0)
	}
	return false
}

func plainName(n *node) bool {
	name := n.name
	if n.op == opVar {
		name = n.v.name
	}
	return !strings.ContainsAny(name, "-$")
}

// simpleTerm bounds the depth, since it walks a DAG without memory.
func simpleTerm(n *node, depth int) bool {
	if depth > 20 {
		return false
	}
	switch n.op {
	case opVar, opDef:
		return plainName(n)
	case opInt, opWord, opRange, opTrue, opFalse:
		return true
	case opSym:
		return true
	case opAdd, opSub, opMul, opDiv, opMod, opShl, opShr, opConcat, opUnion, opSet, opNeg:
		for _, a := range n.args {
			if !simpleTerm(a, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}
