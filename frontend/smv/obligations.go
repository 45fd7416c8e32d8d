package smv

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"time"

	"netcov/aig"
	"netcov/sat"
)

// NuSMV refuses a model in which an expression that matters can fail, or an
// assignment can leave the variable's domain, for any values of the variables,
// reachable or not. Each such fact is an obligation: a literal that a SAT solver
// must show to be unsatisfiable. The error names values that satisfy it.

// obligation is a literal that must not hold for any values of the variables.
type obligation struct {
	lit  aig.Lit
	node *node // the expression that the variables are read by
	pos  Pos
	msg  string // empty for a failure
}

// obligationBudget bounds the time for all obligations of a model together.
const obligationBudget = 20 * time.Second

func (e *encoder) mayFail(fails aig.Lit, n *node) {
	if fails != aig.False {
		e.obligations = append(e.obligations, obligation{lit: fails, node: n, pos: n.pos})
	}
}

func (e *encoder) oblige(bad aig.Lit, d *definition, format string, args ...any) {
	if bad != aig.False {
		e.obligations = append(e.obligations, obligation{bad, d.value, d.pos, fmt.Sprintf(format, args...)})
	}
}

// prover decides literals of the graph over all values inside of the domains.
func (e *encoder) prover() *satGraph {
	if e.sat == nil {
		e.sat = newSATGraph(e.g)
		for _, v := range e.prog.vars {
			if c := &e.cells[v.index]; c.class == classRegister && c.limited {
				e.sat.solver.AddClause(e.sat.lit(e.validCode(v)))
			}
		}
	}
	return e.sat
}

// validCode is the condition under which a register holds a value of its
// domain.
func (e *encoder) validCode(v *variable) aig.Lit {
	d, raw := &v.dom, e.cells[v.index].raw
	b := append(append([]aig.Lit(nil), raw...), aig.False)
	n := intValue(b, 0, int64(1)<<len(raw)-1)
	if d.natural() {
		return e.ev.between(n, d.lo, d.hi)
	}
	return e.ev.between(n, 0, d.size()-1)
}

// solve decides a literal; Unknown when the budget is used up.
func (e *encoder) solve(l aig.Lit) sat.Status {
	if e.deadline.IsZero() {
		e.deadline = time.Now().Add(obligationBudget)
	}
	ctx, cancel := context.WithDeadline(context.Background(), e.deadline)
	defer cancel()
	s := e.prover()
	return s.solver.Solve(ctx, s.lit(l))
}

// possible reports whether a literal may hold; it errs on the side of yes.
func (e *encoder) possible(l aig.Lit) bool {
	return l != aig.False && e.solve(l) != sat.Unsat
}

// discharge decides all obligations recorded so far.
func (e *encoder) discharge() {
	for _, o := range e.obligations {
		switch e.solve(o.lit) {
		case sat.Sat:
			e.refute(o)
		case sat.Unknown:
			what := o.msg
			if what == "" {
				what = "this expression may fail"
			}
			e.notes = append(e.notes, fmt.Sprintf("line %d: not decided in %v whether %s", o.pos.Line, obligationBudget, what))
		}
	}
	e.obligations = nil
}

// refute reports a violated obligation with the values that violate it.
func (e *encoder) refute(o obligation) {
	vals := e.modelValues()
	pos, msg := o.pos, o.msg
	if msg == "" {
		pos, msg = e.cause(o.node, vals)
	}
	if example := e.example(o.node, vals); example != "" {
		msg += ", for instance when " + example
	}
	fail(pos, "%s", msg)
}

// modelValues evaluates the graph under the solver's last model.
func (e *encoder) modelValues() func(aig.Lit) bool {
	leaf := map[aig.Node]bool{}
	for n := aig.Node(1); int(n) < e.g.Size(); n++ {
		if k := e.g.Kind(n); k == aig.KindInput || k == aig.KindLatch {
			leaf[n] = e.sat.value(aig.MkLit(n, false))
		}
	}
	return graphValues(e.g, leaf)
}

// graphValues evaluates a graph, which may still grow, under values of its
// leaves.
func graphValues(g *aig.Graph, leaf map[aig.Node]bool) func(aig.Lit) bool {
	vals := []bool{false}
	return func(l aig.Lit) bool {
		for n := aig.Node(len(vals)); int(n) < g.Size(); n++ {
			if g.Kind(n) != aig.KindAnd {
				vals = append(vals, leaf[n])
				continue
			}
			a, b := g.Fanins(n)
			vals = append(vals, vals[a.Node()] != a.Neg() && vals[b.Node()] != b.Neg())
		}
		return vals[l.Node()] != l.Neg()
	}
}

// cause finds the innermost expression that fails.
func (e *encoder) cause(n *node, vals func(aig.Lit) bool) (Pos, string) {
	at := now
descend:
	for {
		if n.op == opNext {
			at = after
		}
		for _, a := range n.args {
			if a.typ.set || a.typ.kind == kArray {
				continue
			}
			m := at
			if a.op == opNext {
				m = after
			}
			if v := e.ev.eval(a, m); vals(v.fail) {
				n = a
				continue descend
			}
		}
		break
	}
	switch n.op {
	case opCase:
		return n.pos, "no case applies"
	case opDiv, opMod:
		return n.pos, "division by zero"
	case opIndex:
		return n.pos, "the index is outside of the array's bounds"
	case opShl, opShr:
		return n.pos, "a shift by less than 0 or more than the width"
	}
	return n.pos, "this expression fails (no case applies, or a division by zero)"
}

// example writes the values that an expression reads.
func (e *encoder) example(n *node, vals func(aig.Lit) bool) string {
	const most = 8
	var parts []string
	keys := support(n, now)
	for i, k := range keys {
		if i == most {
			parts = append(parts, "…")
			break
		}
		v := e.variable(k.v, k.at)
		name := k.v.name
		if k.at == after {
			name = "next(" + name + ")"
		}
		parts = append(parts, name+" = "+e.prog.valueText(k.v.dom.typ, v, vals))
	}
	return strings.Join(parts, ", ")
}

// valueText writes a value under an evaluation of the graph, as NuSMV does.
func (p *Program) valueText(t typ, v value, vals func(aig.Lit) bool) string {
	switch v.kind {
	case kBool:
		if vals(v.bit()) {
			return "TRUE"
		}
		return "FALSE"
	case kInt:
		n := int64(0)
		for i, l := range v.bits {
			if vals(l) {
				n += 1 << i
			}
		}
		if vals(v.bits[len(v.bits)-1]) {
			n -= 1 << len(v.bits)
		}
		return fmt.Sprint(n)
	case kWord:
		b := new(big.Int)
		for i, l := range v.bits {
			if vals(l) {
				b.SetBit(b, i, 1)
			}
		}
		return wordText(b, t)
	}
	for _, g := range v.guards {
		if vals(g.on) {
			return p.elab.symbols.text(g.c)
		}
	}
	return "?"
}

// wordText writes a word constant in decimal, so that it reads back.
func wordText(b *big.Int, t typ) string {
	if !t.signed {
		return fmt.Sprintf("0ud%d_%s", t.width, b)
	}
	switch {
	case b.Bit(t.width-1) == 0:
	case b.TrailingZeroBits() == uint(t.width-1): // its negation does not exist
		return fmt.Sprintf("0sb%d_%b", t.width, b)
	default:
		return fmt.Sprintf("-0sd%d_%s", t.width, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(t.width)), b))
	}
	return fmt.Sprintf("0sd%d_%s", t.width, b)
}

// domainText writes a variable's domain.
func (p *Program) domainText(v *variable) string {
	d := &v.dom
	switch {
	case d.values == nil && d.typ.kind == kInt:
		return fmt.Sprintf("%d..%d", d.lo, d.hi)
	case d.values == nil:
		return d.typ.String()
	}
	var parts []string
	for i, c := range d.values {
		if i == 12 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, p.elab.symbols.text(c))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
