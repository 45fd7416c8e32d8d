package smv

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// Program is a model that has been read: flat, resolved and typed. Design gives
// its netlist, Model its state graph.
type Program struct {
	file   string
	sha256 string
	elab   *elaborator
	vars   []*variable

	inits, trans, invars []*node
	fair                 []spec
	compassion           [][2]*node
	specs                []spec
	notes                []string
}

// spec is a specification or a fairness constraint.
type spec struct {
	kind itemKind
	node *node
	name string
	pos  Pos
	inst *instance
}

// Parse reads the text of a model; file is its name in messages. The error is an
// *Error for a text that is no supported model.
func Parse(file string, text []byte) (p *Program, err error) {
	defer catch(file, &err)
	sum := sha256.Sum256(text)
	p = &Program{file: file, sha256: hex.EncodeToString(sum[:])}
	p.elab = &elaborator{symbols: symbolTable{index: map[string]cst{}}}
	processes, abroad := collectModules(parseModules(string(text))).instantiate(&p.elab.symbols)
	p.elab.root = processes[0]
	p.elab.declareProcesses(processes)
	p.elab.declareAbroad(abroad)
	p.elab.declareAll(p.elab.root)
	p.vars = p.elab.vars
	computes := 0
	for stack := []*instance{p.elab.root}; len(stack) > 0; {
		in := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, it := range in.items {
			if it.kind == itemCompute {
				computes++
			}
			p.add(it, in)
		}
		for i := len(in.ordered) - 1; i >= 0; i-- {
			if s := in.ordered[i]; s.kind == symInstance {
				stack = append(stack, s.inst)
			}
		}
	}
	p.checkUnused()
	p.checkAssignments()
	p.extract()
	p.markNextRead()
	if computes > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d COMPUTE skipped: it asks for a number, not for a verdict", computes))
	}
	if n := p.elab.oldStyle; n > 0 {
		p.notes = append(p.notes, fmt.Sprintf("%d times 0 or 1 read as FALSE or TRUE, as NuSMV did before 2.5.1 (first on line %d)", n, p.elab.oldStyleLine))
	}
	return p, nil
}

// checkUnused elaborates DEFINEs that no expression reads, so that their errors
// are found. An actual parameter that is not read may be anything, as in NuSMV.
func (p *Program) checkUnused() {
	for stack := []*instance{p.elab.root}; len(stack) > 0; {
		in := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range in.ordered {
			switch s.kind {
			case symInstance:
				stack = append(stack, s.inst)
			case symDefine:
				p.elab.symbolNode(s, in.pos)
			}
		}
	}
}

// FairOverInputs reports whether a fairness constraint reads IVARs.
func (p *Program) FairOverInputs() bool {
	return slices.ContainsFunc(p.fair, func(f spec) bool { return f.node.flags&hasInput != 0 })
}

// Compassion lists the COMPASSION constraints as expressions that Lit and Prop read: a
// path that meets the first infinitely often meets the second infinitely often too.
func (p *Program) Compassion() [][2]string {
	var out [][2]string
	for _, c := range p.compassion {
		out = append(out, [2]string{p.formulaText(c[0]), p.formulaText(c[1])})
	}
	return out
}

// where says in which places an expression may read next() and IVARs.
type where struct {
	what        string
	next, input bool
}

func (p *Program) check(n *node, w where) {
	if n.flags&hasNext != 0 && !w.next {
		fail(findFlag(n, hasNext), "next() cannot stand in %s", w.what)
	}
	if n.flags&hasInput != 0 && !w.input {
		fail(findFlag(n, hasInput), "an input variable (IVAR) cannot stand in %s", w.what)
	}
}

// findFlag finds the place where a flag comes from, DEFINEs not opened.
func findFlag(n *node, f flags) Pos {
	for {
		deeper := false
		if n.op != opDef && (n.op != opNext || f != hasNext) {
			for _, a := range n.args {
				if a.flags&f != 0 {
					n, deeper = a, true
					break
				}
			}
		}
		if !deeper {
			return n.pos
		}
	}
}

// formula elaborates a boolean expression.
func (p *Program) formula(x *expr, in *instance, w where) *node {
	n := p.elab.toBool(p.elab.value(x, in))
	if n.typ != boolTyp {
		fail(x.pos, "%s must be boolean, not %s", w.what, n.typ)
	}
	p.check(n, w)
	return n
}

func (p *Program) add(it *item, in *instance) {
	proposition := func(x *expr, w where) *node {
		n := p.formula(x, in, w)
		if n.flags&hasTemporal != 0 {
			fail(it.pos, "a temporal operator cannot stand in %s", w.what)
		}
		return n
	}
	propositional := func(w where) *node { return proposition(it.right, w) }
	sp := spec{kind: it.kind, pos: it.pos, inst: in}
	if it.name != "" {
		sp.name = in.prefix() + it.name
	}
	switch it.kind {
	case itemPlain, itemInit, itemNext:
		p.assign(it, in)
	case itemINIT:
		p.inits = append(p.inits, propositional(where{"INIT", false, false}))
	case itemTRANS:
		p.trans = append(p.trans, propositional(where{"TRANS", true, true}))
	case itemINVAR:
		p.invars = append(p.invars, propositional(where{"INVAR", false, false}))
	case itemFairness:
		sp.node = propositional(where{"FAIRNESS", false, true})
		p.fair = append(p.fair, sp)
	case itemCompassion:
		w := where{"COMPASSION", false, true}
		p.compassion = append(p.compassion, [2]*node{proposition(it.left, w), proposition(it.right, w)})
	case itemInvarspec:
		sp.node = propositional(where{"INVARSPEC", true, true})
		p.specs = append(p.specs, sp)
	case itemCTL:
		sp.node = p.formula(it.right, in, where{"a CTL specification", false, false})
		checkLogic(sp.node, opX, maxOp, "LTL operator %s in a CTL specification")
		p.specs = append(p.specs, sp)
	case itemLTL:
		sp.node = p.formula(it.right, in, where{"an LTL specification", true, true})
		checkLogic(sp.node, opEX, opX, "CTL operator %s in an LTL specification")
		p.specs = append(p.specs, sp)
	}
}

const maxOp = opT + 1

// checkLogic refuses the operators from low up to high.
func checkLogic(n *node, low, high op, format string) {
	for stack := []*node{n}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n.flags&hasTemporal == 0 {
			continue
		}
		if n.op >= low && n.op < high {
			fail(n.pos, format, n.op)
		}
		stack = append(stack, n.args...)
	}
}
