// The arguments of operators, and the rules on their widths.

package btor2

import (
	"netcov/aig"
)

func literalOf(bit uint) aig.Lit { return aig.Lit(bit) }

// parseArgs reads the arguments of an operator and checks the widths.
func (p *parser) parseArgs(n *node, o operator, f *fields) error {
	var widths [3]int
	var sorts []sort
	for i := range o.args {
		a, s, err := p.arg(f)
		if err != nil {
			return err
		}
		n.args = append(n.args, a)
		widths[i] = s.width
		sorts = append(sorts, s)
	}
	if o.shape == shapeArray {
		return p.checkArray(n, sorts)
	}
	switch o.shape {
	case shapeExtend:
		added, err := f.number("the number of added bits", 0)
		if err != nil {
			return err
		}
		n.nums[0] = added
	case shapeSlice:
		for i, what := range []string{"the upper bit of a slice", "the lower bit of a slice"} {
			b, err := f.number(what, 0)
			if err != nil {
				return err
			}
			n.nums[i] = b
		}
	}
	if err := p.checkWidths(n, o, widths); err != nil {
		return err
	}
	return p.checkSorts(n, sorts)
}

// checkSorts holds arrays against the operators that take them beside read and
// write: ite and equality, of arrays of one sort.
func (p *parser) checkSorts(n *node, args []sort) error {
	values := args
	switch n.op {
	case "ite":
		if args[0].index > 0 {
			return p.fail("give the condition 1 bit", "ite by %s", args[0])
		}
		values = append(args[1:len(args):len(args)], n.sort)
	case "eq", "neq":
	default:
		for _, s := range append(args[:len(args):len(args)], n.sort) {
			if s.index > 0 {
				return p.fail("arrays are read, written, chosen by ite and compared by eq and neq", "%s of %s", n.op, s)
			}
		}
		return nil
	}
	for _, s := range values[1:] {
		if !s.same(values[0]) {
			return p.fail("give the arrays one sort", "%s of %s and %s", n.op, values[0], s)
		}
	}
	return nil
}

func (p *parser) checkWidths(n *node, o operator, w [3]int) error {
	equal := "give the arguments and the result the same width"
	bad := func(cure string) error {
		switch o.args {
		case 1:
			return p.fail(cure, "%s of %d bits with a result of %d bits", n.op, w[0], n.width)
		case 2:
			return p.fail(cure, "%s of %d and %d bits with a result of %d bits", n.op, w[0], w[1], n.width)
		}
		return p.fail(cure, "%s of %d, %d and %d bits with a result of %d bits", n.op, w[0], w[1], w[2], n.width)
	}
	switch o.shape {
	case shapeSame:
		if w[0] != n.width || o.args == 2 && w[1] != n.width {
			return bad(equal)
		}
	case shapeBool:
		if w[0] != 1 || w[1] != 1 || n.width != 1 {
			return bad("this operator takes and gives 1 bit")
		}
	case shapeCompare:
		if w[0] != w[1] || n.width != 1 {
			return bad("give the arguments the same width and the result 1 bit")
		}
	case shapeReduce:
		if n.width != 1 {
			return bad("give the result 1 bit")
		}
	case shapeConcat:
		if w[0]+w[1] != n.width {
			return bad("the width of the result is the sum")
		}
	case shapeIte:
		if w[0] != 1 || w[1] != n.width || w[2] != n.width {
			return bad("give the condition 1 bit and the others the width of the result")
		}
	case shapeExtend:
		if w[0]+n.nums[0] != n.width {
			return p.fail("the width of the result is the sum", "%s of %d bits by %d bits with a result of %d bits", n.op, w[0], n.nums[0], n.width)
		}
	case shapeSlice:
		upper, lower := n.nums[0], n.nums[1]
		if upper < lower || upper >= w[0] || upper-lower+1 != n.width {
			return p.fail("bits count from 0, the upper one comes first, and the result has upper-lower+1 bits", "slice from bit %d to bit %d of %d bits with a result of %d bits", upper, lower, w[0], n.width)
		}
	}
	return nil
}
