// Checks that need the whole file: every literal that is used is defined (ASCII;
// the binary form cannot leave one out), no gate depends on itself, no reset
// depends on itself.

package aiger

// definitions refuses literals whose variable nothing defines.
func (p *parser) definitions() error {
	if p.binary {
		return nil
	}
	f := p.file
	for k, l := range f.Latches {
		if err := p.used(p.at.latches+k, "next state", l.Next); err != nil {
			return err
		}
		if err := p.used(p.at.latches+k, "reset", l.Reset); err != nil {
			return err
		}
	}
	lists := []struct {
		line int
		what string
		lits []Lit
	}{
		{p.at.outputs, "output", f.Outputs},
		{p.at.bads, "bad state", f.Bads},
		{p.at.constraints, "constraint", f.Constraints},
		{p.at.fairness, "fairness constraint", f.Fairness},
	}
	line := p.at.justice
	for _, j := range f.Justice {
		lists = append(lists, struct {
			line int
			what string
			lits []Lit
		}{line, "justice property", j})
		line += len(j)
	}
	for _, list := range lists {
		for k, lit := range list.lits {
			if err := p.used(list.line+k, list.what, lit); err != nil {
				return err
			}
		}
	}
	for k, a := range f.Ands {
		if err := p.used(p.at.ands+k, "operand", a.Rhs0); err != nil {
			return err
		}
		if err := p.used(p.at.ands+k, "operand", a.Rhs1); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) used(line int, what string, lit Lit) error {
	if v := lit >> 1; v != 0 && p.kind[v] == undefined {
		return p.failLine(line, "add its definition or correct the literal", "%s %d is undefined: no input, latch or AND gate has the literal %d", what, lit, lit&^1)
	}
	return nil
}

// order brings the gates of an ASCII file into topological order, and refuses
// combinational cycles.
func (p *parser) order() error {
	if p.binary {
		return nil
	}
	if p.inOrder() {
		return nil
	}
	pos, cyclic := sortAnds(p.file.Ands, p.m)
	if cyclic >= 0 {
		return p.failLine(p.at.ands+cyclic, "break the cycle with a latch", "AND gate %d depends on itself through gates only (combinational cycle)", p.file.Ands[cyclic].Lhs)
	}
	sorted := make([]And, len(pos))
	for i, at := range pos {
		sorted[i] = p.file.Ands[at]
	}
	p.file.Ands, p.file.AndPos = sorted, pos
	return nil
}

// inOrder reports whether the gates already stand in topological order.
func (p *parser) inOrder() bool {
	for _, a := range p.file.Ands {
		if p.kind[a.Rhs0>>1] == gate || p.kind[a.Rhs1>>1] == gate {
			return false
		}
		p.kind[a.Lhs>>1] = gateSeen
	}
	return true
}

// resets refuses resets that depend on their own latch at time 0.
func (p *parser) resets() error {
	for k, l := range p.file.Latches {
		if l.Reset == l.Lit^1 {
			return p.failLine(p.at.latches+k, "reset it to 0, 1, itself or a function of inputs and other latches", "latch %d is reset to its own negation", l.Lit)
		}
	}
	_, cyclic := initialOrder(p.file)
	if cyclic >= 0 {
		return p.failLine(p.at.latches+cyclic, "resets must be an acyclic function of inputs and other latches at time 0", "the reset of latch %d depends on the latch itself (cycle of resets)", p.file.Latches[cyclic].Lit)
	}
	return nil
}
