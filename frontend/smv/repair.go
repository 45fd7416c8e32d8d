package smv

import (
	"fmt"
	"slices"
	"time"

	"netcov/aig"
	"netcov/frontend/design"
	"netcov/netlist"
)

// A circuit's next values are functions of state, inputs and choices, and TRANS may
// forbid some choices. Where every state and input leaves one that is legal, TRANS needs
// no constraint: what is chosen counts if it is legal, and otherwise a legal one takes
// its place,
//
//	d' = T(s, i, d) ? d : the first legal choice in (s, i)
//
// so exactly the legal steps remain. Conjuncts of TRANS that share choices are taken
// together, and all their 2^k choices are written down. INIT is treated alike: the
// choices are those of initial values, and the registers that have none.
//
// A register's code that no value has restricts nothing; there the choice stays as it
// is where none is legal.

// Bounds of what is written down.
const (
	mostChoices   = 10      // bits of choices that belong together
	mostRewritten = 1 << 19 // gates, for one group
)

// rewriting is what takes the place of choices in a circuit.
type rewriting struct {
	of  map[aig.Node]aig.Lit // of an input that chooses
	own map[aig.Node]aig.Lit // initial values of registers that had none
	why string               // what restricts the model all the same; "" when nothing does
}

// rewrite works out the rewriting, once.
func (n *Netlist) rewrite() *rewriting {
	if n.rewritten == nil {
		r := &rewriting{of: map[aig.Node]aig.Lit{}, own: map[aig.Node]aig.Lit{}}
		n.rewritten = r
		n.enc.deadline = time.Time{} // of the questions below
		r.why = n.legalSteps(r)
		if r.why == "" {
			r.why = n.legalStarts(r)
		}
	}
	return n.rewritten
}

// legalSteps replaces the choices of next values.
func (n *Netlist) legalSteps(r *rewriting) (why string) {
	e := n.enc
	use := n.uses()
	for _, g := range groups(e.g, e.trans, func(x aig.Node) bool { return use(x, inputNext) }) {
		if slices.ContainsFunc(e.g.Cone(g.holds), func(x aig.Node) bool { return use(x, inputIVAR) }) {
			return g.name + ", reads an IVAR"
		}
		if why := n.legal(g, r.of); why != "" {
			return why
		}
	}
	return ""
}

// legalStarts replaces the choices of initial values. A register without one is as free
// as a choice, and an input takes its place.
func (n *Netlist) legalStarts(r *rewriting) (why string) {
	e := n.enc
	use := n.uses()
	reset, name, owner := map[aig.Node]aig.Lit{}, map[aig.Node]string{}, map[aig.Node]latchBit{}
	for _, l := range e.latches {
		reset[l.lit.Node()], name[l.lit.Node()], owner[l.lit.Node()] = l.reset, l.name, l
	}
	free := func(x aig.Node) bool { l, is := reset[x]; return is && l == aig.MkLit(x, false) }
	atFirst := newRebuilder(e.g, func(x aig.Node) (aig.Lit, bool) {
		if l, is := reset[x]; is && !free(x) {
			return l, true
		}
		return aig.MkLit(x, false), false
	})
	var starts []condition
	for _, c := range e.init {
		starts = append(starts, condition{atFirst.lit(c.lit), c.pos, c.name})
	}
	for _, g := range groups(e.g, starts, func(x aig.Node) bool { return free(x) || use(x, inputInit) }) {
		raw := map[aig.Node]aig.Lit{}
		for _, x := range g.bits {
			if free(x) {
				raw[x] = e.input(owner[x].v, inputInit, owner[x].bit, "init(%s)", name[x])
			}
		}
		chosen := map[aig.Node]aig.Lit{}
		if why := n.legal(g, chosen); why != "" {
			return why
		}
		named := newReplacer(e.g, raw)
		for x, l := range chosen {
			if l = named.lit(l); free(x) {
				r.own[x] = l
			} else {
				r.of[x] = l
			}
		}
	}
	return ""
}

// uses returns what reports whether a node is an input for a use.
func (n *Netlist) uses() func(aig.Node, inputUse) bool {
	of := map[aig.Node]inputUse{}
	for _, in := range n.enc.inputs {
		of[in.lit.Node()] = in.use
	}
	return func(x aig.Node, u inputUse) bool { got, is := of[x]; return is && got == u }
}

// group is a conjunction of constraints with the choices that they read.
type group struct {
	holds aig.Lit
	bits  []aig.Node
	name  string
}

// groups puts constraints together that share choices.
func groups(g *aig.Graph, all []condition, choice func(aig.Node) bool) []group {
	var out []group
	for _, c := range all {
		next := group{holds: c.lit, name: c.name}
		for _, x := range g.Cone(c.lit) {
			if choice(x) {
				next.bits = append(next.bits, x)
			}
		}
		var apart []group
		for _, o := range out {
			if !slices.ContainsFunc(o.bits, func(x aig.Node) bool { return slices.Contains(next.bits, x) }) {
				apart = append(apart, o)
				continue
			}
			next.holds, next.bits, next.name = g.And(o.holds, next.holds), append(o.bits, next.bits...), o.name
		}
		slices.Sort(next.bits)
		next.bits = slices.Compact(next.bits)
		out = append(apart, next)
	}
	return out
}

// legal replaces the choices of a group; why not, where it cannot.
func (n *Netlist) legal(g group, into map[aig.Node]aig.Lit) (why string) {
	e := n.enc
	k := len(g.bits)
	if k > mostChoices || len(e.g.Cone(g.holds))<<k > mostRewritten {
		return fmt.Sprintf("%s, restricts it and defines no variable, and speaks of too many of them together", g.name)
	}
	none := aig.True
	first := make([]aig.Lit, k) // the first legal choice
	for i := range first {
		first[i] = aig.False
	}
	for code := range 1 << k {
		at := newRebuilder(e.g, func(x aig.Node) (aig.Lit, bool) {
			if i, is := slices.BinarySearch(g.bits, x); is {
				return constBits(uint64(code), k)[i], false
			}
			return aig.MkLit(x, false), false
		})
		holds := at.lit(g.holds)
		taken := e.g.And(none, holds)
		for i := range first {
			if code>>i&1 == 1 {
				first[i] = e.g.Or(first[i], taken)
			}
		}
		none = e.g.And(none, holds.Not())
	}
	if e.possible(none) {
		return g.name + ", leaves no choice in some states"
	}
	for i, x := range g.bits {
		keep := aig.MkLit(x, false)
		into[x] = e.g.Mux(e.g.Or(g.holds, none), keep, first[i])
	}
	return ""
}

// Total is a netlist of the variables alone, in which the choices that TRANS and INIT
// forbid are replaced; of a model that NoCircuit finds to be a circuit. The monitors of
// properties go.
func (n *Netlist) Total() (net netlist.Netlist, origins []design.Origin) {
	r, e := n.rewrite(), n.enc
	net = *n.Design.Netlist
	net.Latches, net.Inputs, net.Fairness = nil, nil, slices.Clone(net.Fairness)
	for _, in := range e.inputs {
		net.Inputs = append(net.Inputs, netlist.Input{Lit: in.lit, Name: in.name})
	}
	legal := newReplacer(e.g, r.of)
	for i, l := range n.Design.Netlist.Latches {
		if n.Design.Latches[i].Artefact {
			continue
		}
		l.Next = legal.lit(l.Next)
		if own, is := r.own[l.Lit.Node()]; is {
			l.Reset = own
		} else {
			l.Reset = legal.lit(l.Reset)
		}
		net.Latches, origins = append(net.Latches, l), append(origins, n.Design.Latches[i])
	}
	for i := range net.Fairness {
		net.Fairness[i].Lit = legal.lit(net.Fairness[i].Lit)
	}
	net.Constraints = nil
	return net, origins
}
