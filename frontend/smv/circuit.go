package smv

import (
	"slices"
	"strings"

	"netcov/aig"
)

// NoCircuit says why a model is no circuit as CKV01 means it: a circuit's registers have
// an initial and a next value for each state, input and choice, its inputs are free
// variables, and nothing else restricts them but what leaves a choice in each state
// (repair.go). It is "" for a circuit.
func (n *Netlist) NoCircuit() string {
	if len(n.enc.invar) > 0 {
		return n.enc.invar[0].name + ", restricts it and defines no variable"
	}
	if why := n.rewrite().why; why != "" {
		return why
	}
	if len(n.enc.latches) == 0 {
		return "it has no register"
	}
	return ""
}

// Choices says of each input of the netlist whether it is a choice that NuSMV's states do
// not hold: of a next or initial value, or an IVAR. Where one of the given edges reads an
// IVAR, states hold them all. A state that knew its choice would satisfy `AX p | AX q`
// where NuSMV says that it does not.
func (n *Netlist) Choices(edges ...aig.Lit) []bool {
	use := map[aig.Node]inputUse{}
	for _, in := range n.enc.inputs {
		use[in.lit.Node()] = in.use
	}
	held := slices.ContainsFunc(n.enc.g.Cone(edges...), func(x aig.Node) bool { return use[x] == inputIVAR })
	out := make([]bool, len(n.enc.inputs))
	for i, in := range n.enc.inputs {
		out[i] = in.use == inputNext || in.use == inputInit || in.use == inputIVAR && !held
	}
	return out
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
