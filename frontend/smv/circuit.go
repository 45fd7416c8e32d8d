package smv

import (
	"strings"

	"netcov/aig"
)

// NoCircuit says why a model is no circuit as CKV01 means it: a circuit's registers
// have one initial and one next value for each state and input, or any initial value,
// its inputs are free variables, and nothing else restricts them. It is "" for a
// circuit.
//
// Where the next value is a choice, the model is not read as a circuit whose inputs
// choose: a state would then know its own choice, and `AX p | AX q` would hold where
// NuSMV says that it does not.
func (n *Netlist) NoCircuit() string {
	for _, in := range n.enc.inputs {
		switch in.use {
		case inputIVAR:
			return "it has an IVAR"
		case inputNext:
			return "the next value of " + in.v.name + " is a choice"
		case inputInit:
			return "the initial value of " + in.v.name + " is a choice"
		case inputChoice:
			return "the value of " + in.v.name + " is a choice"
		}
	}
	if len(n.Design.Netlist.Constraints) > 0 {
		return "INVAR, INIT, TRANS or an assignment restricts it"
	}
	if len(n.enc.latches) == 0 {
		return "it has no register"
	}
	return ""
}

// Namer writes control states as Model.Name writes states: the value of the only
// register, or name=value for each. It is nil when all variables are boolean: the bits say as much.
func (n *Netlist) Namer() func(latches []bool) string {
	type part struct {
		v     *variable
		value value
	}
	var parts []part
	boolean := true
	for i, v := range n.prog.vars {
		if n.enc.cells[i].class == classRegister {
			parts = append(parts, part{v, n.enc.variable(v, now)})
			boolean = boolean && v.dom.typ.kind == kBool
		}
	}
	if boolean {
		return nil
	}
	var roots []aig.Lit
	for _, p := range parts {
		roots = append(roots, p.value.bits...)
		for _, g := range p.value.guards {
			roots = append(roots, g.on)
		}
	}
	cone := n.enc.g.Cone(roots...)
	return func(latches []bool) string {
		vals := map[aig.Node]bool{}
		for i, l := range n.enc.latches {
			vals[l.lit.Node()] = latches[i]
		}
		at := func(l aig.Lit) bool { return vals[l.Node()] != l.Neg() }
		for _, x := range cone {
			if n.enc.g.Kind(x) == aig.KindAnd {
				a, b := n.enc.g.Fanins(x)
				vals[x] = at(a) && at(b)
			}
		}
		var text []string
		if len(parts) == 1 {
			return n.prog.valueText(parts[0].v.dom.typ, parts[0].value, at)
		}
		for _, p := range parts {
			text = append(text, p.v.name+"="+n.prog.valueText(p.v.dom.typ, p.value, at))
		}
		return strings.Join(text, " ")
	}
}
