package load

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"netcov/coverage/kripke/circuit"
	"netcov/coverage/kripke/structure"
	"netcov/netlist"
	"netcov/smv"
)

func (s *Source) openSMV() (err error) {
	if s.program, err = smv.Load(s.Path); err != nil {
		return err
	}
	s.Specs = s.program.Specs()
	return nil
}

// compiled is the SMV model's netlist.
func (s *Source) compiled() (*smv.Netlist, error) {
	if s.netlist == nil {
		n, err := s.program.Compile(smv.Options{DeadlockStates: -1})
		if err != nil {
			return nil, err
		}
		s.netlist, s.design = n, n.Design
	}
	return s.netlist, nil
}

// booleanCircuit reports whether an SMV model is a circuit as it stands: every
// variable boolean, each one free in every step or a register whose next value
// is determined, and no constraint.
func (s *Source) booleanCircuit() bool {
	n, err := s.compiled()
	if err != nil {
		return false
	}
	m, err := s.program.Model(smv.ModelOptions{})
	if err != nil {
		return false
	}
	free, registers := 0, 0
	for _, v := range m.Vars() {
		if v.Values != "boolean" {
			return false
		}
		switch {
		case v.Register:
			registers++
		case !v.Defined:
			free++
		}
	}
	net := n.Design.Netlist
	return len(net.Constraints) == 0 && len(net.Inputs) == free && len(net.Latches) == registers
}

func (s *Source) smvCircuit(atoms []string) (*circuit.Circuit, error) {
	n, err := s.compiled()
	if err != nil {
		return nil, err
	}
	d := *n.Design
	net := *d.Netlist
	have := map[string]bool{}
	for _, i := range net.Inputs {
		have[i.Name] = true
	}
	for _, name := range s.names() {
		have[name] = true
	}
	net.Outputs = nil
	output := func(name string, l netlist.Lit) {
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
		l, err := n.Lit(a)
		if err != nil {
			return nil, fmt.Errorf("%s: the proposition %s: %w", s.Path, a, err)
		}
		output(a, l)
	}
	net.Bads = nil
	d.Netlist = &net
	return s.netlistCircuit(&d)
}

// smvStructure lists the reachable states with NuSMV's view of a state. The
// propositions are the given ones and the boolean variables.
func (s *Source) smvStructure(ctx context.Context, atoms []string, limit int) (*structure.Structure, error) {
	if limit <= 0 {
		limit = structure.MaxStates
	}
	var m *smv.Model
	var props []*smv.Prop
	var err error
	// Inputs are part of a state only when a proposition reads one.
	for _, inputs := range []bool{false, true} {
		if m, err = s.program.Model(smv.ModelOptions{InputsAsState: inputs}); err != nil {
			continue
		}
		props = props[:0]
		for _, a := range atoms {
			var p *smv.Prop
			if p, err = m.Prop(a); err != nil {
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
	ap := append([]string(nil), atoms...)
	for _, v := range m.Vars() {
		if v.Values != "boolean" {
			continue
		}
		known := false
		for _, a := range ap {
			known = known || a == v.Name
		}
		if known {
			continue
		}
		if p, err := m.Prop(v.Name); err == nil {
			ap, props = append(ap, v.Name), append(props, p)
		}
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
