package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"netcov/aig"
	"netcov/frontend/smv"
	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
	"netcov/netlist"
)

// compiled is the SMV model's netlist.
func (s *Source) compiled() (*smv.Netlist, error) {
	if s.netlist == nil {
		n, err := s.program.Compile(smv.Options{DeadlockStates: -1, MaxGates: s.maxGates, Registers: true})
		if err != nil {
			return nil, err
		}
		s.netlist, s.design = n, n.Design
	}
	return s.netlist, nil
}

// readCompassion names the expressions of COMPASSION.
func (s *Source) readCompassion() {
	s.compassion = map[string]string{}
	for i, pair := range s.program.Compassion() {
		for side, text := range pair {
			s.compassion[compassionName(i, side)] = text
		}
	}
}

func compassionName(i, side int) string {
	return fmt.Sprintf("COMPASSION %d, %s", i+1, [...]string{"if", "then"}[side])
}

// Compassion is what COMPASSION says of a path, as a formula of LTL: TRUE without. Its
// propositions are its own, also where a specification has the same expressions.
func (s *Source) Compassion() formula.Formula {
	var all []formula.Formula
	for i := range len(s.compassion) / 2 {
		often := func(side int) formula.Formula {
			return formula.Unary(formula.OpG, formula.Unary(formula.OpF, formula.Atom(compassionName(i, side))))
		}
		all = append(all, formula.Binary(formula.OpImplies, often(0), often(1)))
	}
	return formula.And(all...)
}

// OfCompassion reports whether a proposition is one of Compassion's.
func (s *Source) OfCompassion(atom string) bool { return s.compassion[atom] != "" }

// expression is what a proposition stands for in the model's text.
func (s *Source) expression(atom string) string {
	if text := s.compassion[atom]; text != "" {
		return text
	}
	return atom
}

// compassionate refuses a use of the model that leaves COMPASSION out.
func (s *Source) compassionate(atoms []string) error {
	if len(s.compassion) > 0 && !slices.ContainsFunc(atoms, s.OfCompassion) {
		return fmt.Errorf("%s: COMPASSION (strong fairness) is supported for LTL specifications only", s.Path)
	}
	return nil
}

// FairOverInputs reports whether FAIRNESS of an SMV model reads IVARs.
func (s *Source) FairOverInputs() bool { return s.program != nil && s.program.FairOverInputs() }

func (s *Source) smvCircuit(atoms []string) (*circuit.Circuit, error) {
	if err := s.compassionate(atoms); err != nil {
		return nil, err
	}
	n, err := s.compiled()
	if err != nil {
		return nil, err
	}
	d := *n.Design
	net := *d.Netlist
	isCircuit := n.NoCircuit() == ""
	if isCircuit {
		net, d.Latches = n.Total()
	}
	have := map[string]bool{}
	var asked []aig.Lit // what specifications read
	for _, i := range net.Inputs {
		have[i.Name] = true
		if slices.Contains(atoms, i.Name) {
			asked = append(asked, i.Lit)
		}
	}
	for _, name := range names(n.Design) {
		have[name] = true
	}
	net.Outputs = nil
	output := func(name string, l aig.Lit) {
		if !have[name] {
			have[name] = true
			net.Outputs = append(net.Outputs, netlist.Signal{Lit: l, Name: name})
		}
	}
	for _, sig := range n.Signals() {
		output(sig.Name, sig.Lit)
	}
	for _, a := range atoms {
		if have[a] {
			continue
		}
		l, err := n.Lit(s.expression(a))
		if err != nil {
			return nil, fmt.Errorf("%s: the proposition %s: %w", s.Path, a, err)
		}
		output(a, l)
		asked = append(asked, l)
	}
	net.Bads = nil
	d.Netlist = &net
	c, err := s.netlistCircuit(&d)
	if err != nil || !isCircuit {
		return c, err
	}
	own := *c
	own.Inputs, own.StateName = nil, n.Namer()
	for i, choice := range n.Choices(asked...) {
		if choice {
			own.Choices = append(own.Choices, c.Inputs[i])
		} else {
			own.Inputs = append(own.Inputs, c.Inputs[i])
		}
	}
	return circuit.New(own)
}

// smvModel is the model's state graph, not yet listed, and its propositions:
// the given ones and the boolean variables. Inputs are part of a state only
// when a proposition reads one.
func (s *Source) smvModel(atoms []string) (m *smv.Model, ap []string, props []*smv.Prop, err error) {
	if err := s.compassionate(atoms); err != nil {
		return nil, nil, nil, err
	}
	for _, inputs := range []bool{false, true} {
		if m, err = s.program.Model(smv.ModelOptions{InputsAsState: inputs}); err != nil {
			continue
		}
		props = nil
		for _, a := range atoms {
			var p *smv.Prop
			if p, err = m.Prop(s.expression(a)); err != nil {
				err = fmt.Errorf("%s: the proposition %s: %w", s.Path, a, err)
				break
			}
			props = append(props, p)
		}
		if err == nil {
			break
		}
	}
	if err != nil {
		return nil, nil, nil, err
	}
	ap = append([]string(nil), atoms...)
	for _, v := range m.Vars() {
		if v.Values != "boolean" || slices.Contains(ap, v.Name) {
			continue
		}
		if p, err := m.Prop(v.Name); err == nil {
			ap, props = append(ap, v.Name), append(props, p)
		}
	}
	return m, ap, props, nil
}

// AsSystem is an SMV model as decision diagrams, with the view of a state that
// AsStructure has.
func (s *Source) AsSystem(atoms []string) (*ctl.SystemModel, error) {
	if s.program == nil {
		return nil, fmt.Errorf("%s is no SMV model", s.Path)
	}
	m, ap, props, err := s.smvModel(atoms)
	if err != nil {
		return nil, err
	}
	f := m.Functions()
	r := symbolic.Relation{
		Graph: f.Graph, State: f.State, Initial: f.Initial, InitialCond: f.InitialCond, Next: f.Next, NextCond: f.NextCond,
		Labels: map[string]aig.Lit{},
	}
	for i, p := range props {
		r.Labels[ap[i]] = p.Lit()
	}
	var fairness []string
	for i, p := range m.Fairness() {
		fairness = append(fairness, structure.FairName(i))
		r.Labels[fairness[i]] = p.Lit()
	}
	r.Name = func(bits []bool) string {
		packed := make([]byte, (len(bits)+7)/8)
		for i, b := range bits {
			if b {
				packed[i/8] |= 1 << (i % 8)
			}
		}
		return m.Name(smv.State(packed))
	}
	return &ctl.SystemModel{
		AP: ap, Fairness: fairness, Size: fmt.Sprintf("%d state bits", len(f.State)),
		Make: func(opt bdd.Options) (*symbolic.System, error) {
			sys, err := symbolic.FromRelation(r, opt)
			if errors.Is(err, symbolic.ErrDeadlock) {
				err = fmt.Errorf("%s: %w (TRANS or INVAR forbids every step there)", s.Path, err)
			}
			return sys, err
		},
	}, nil
}

// smvStructure lists the reachable states with NuSMV's view of a state.
func (s *Source) smvStructure(ctx context.Context, atoms []string, limit int) (*structure.Structure, error) {
	if limit <= 0 {
		limit = structure.MaxStates
	}
	m, ap, props, err := s.smvModel(atoms)
	if err != nil {
		return nil, err
	}
	g, err := m.Explore(ctx, limit)
	if err != nil {
		var l *smv.LimitError
		if errors.As(err, &l) {
			return nil, fmt.Errorf("%s: more than %d states: %w", s.Path, limit, circuit.ErrTooLarge)
		}
		return nil, err
	}
	holds := make([][]string, len(g.States))
	for i, p := range props {
		for st, v := range p.Holds(g.States) {
			if v {
				holds[st] = append(holds[st], ap[i])
			}
		}
	}
	b := structure.NewBuilder(ap)
	b.Name = strings.TrimSuffix(s.Path, ".smv")
	for i, st := range g.States {
		b.AddState(m.Name(st), holds[i]...)
	}
	for i, to := range g.Succ {
		if len(to) == 0 {
			return nil, fmt.Errorf("%s: the state %s has no successor: TRANS or INVAR forbids every step there", s.Path, m.Name(g.States[i]))
		}
		for _, t := range to {
			b.AddTransition(i, int(t))
		}
	}
	for _, i := range g.Initial {
		b.AddInitial(i)
	}
	for _, f := range m.Fairness() {
		var set []int
		for i, v := range f.Holds(g.States) {
			if v {
				set = append(set, i)
			}
		}
		b.AddFair(set...)
	}
	return b.Build()
}
