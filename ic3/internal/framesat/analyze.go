package framesat

// origin accumulates what a derivation rests on.
type origin struct {
	tag  Tag
	temp bool
}

func (o *origin) clause(s *Solver, c cref) {
	o.tag = min(o.tag, s.tagOf(c))
	o.temp = o.temp || s.mem[c]&flagTemp != 0
}

func (o *origin) zero(s *Solver, v Var) {
	o.tag = min(o.tag, s.zeroTag[v])
	o.temp = o.temp || s.zeroTemp[v]
}

// analyze derives the first-UIP clause of a conflict above level 0 into s.out,
// the asserting literal first and one of the backjump level second.
func (s *Solver) analyze(confl cref) (back int, lbd int, from origin) {
	from.tag = TagGlobal
	level := int32(len(s.trailLim))
	out := append(s.out[:0], 0)
	open := 0
	visit := func(l Lit) {
		v := l.Var()
		if s.seen[v] != 0 {
			return
		}
		switch d := s.vardata[v].level; {
		case d == 0:
			from.zero(s, v)
		case d == level:
			s.seen[v] = 1
			s.clear = append(s.clear, v)
			s.bump(v)
			open++
		default:
			s.seen[v] = 1
			s.clear = append(s.clear, v)
			s.bump(v)
			out = append(out, l)
		}
	}
	if confl == conflBin {
		visit(s.confBin[0])
		visit(s.confBin[1])
	} else {
		from.clause(s, confl)
		for _, l := range s.lits(confl) {
			visit(l)
		}
	}
	i := s.tail
	var p Lit
	for {
		for i--; s.seen[s.trail[i]>>1] == 0; i-- {
		}
		p = s.trail[i]
		open--
		if open == 0 {
			break
		}
		r := s.vardata[p>>1].reason
		if r&reasonBin != 0 {
			visit(Lit(r&^reasonBin) ^ 1)
			continue
		}
		from.clause(s, cref(r))
		for _, l := range s.lits(cref(r)) {
			if l != p {
				visit(l)
			}
		}
	}
	out[0] = p ^ 1
	s.out = out
	s.minimise(&from)
	out = s.out

	// Backjump level and LBD.
	s.lbdNow++
	at := 1
	for i, l := range out {
		d := s.vardata[l>>1].level
		if s.lbdMark[d] != s.lbdNow {
			s.lbdMark[d] = s.lbdNow
			lbd++
		}
		if i > 1 && d > s.vardata[out[at]>>1].level {
			at = i
		}
	}
	if len(out) > 1 {
		out[1], out[at] = out[at], out[1]
		back = int(s.vardata[out[1]>>1].level)
	}
	for _, v := range s.clear {
		s.seen[v] = 0
	}
	s.clear = s.clear[:0]
	return back, lbd, from
}

// minimise drops the literals that the others imply by one reason, repeatedly
// (Sörensson, Biere, SAT 2009: local minimisation).
func (s *Solver) minimise(from *origin) {
	out := s.out
	n := 1
next:
	for _, l := range out[1:] {
		r := s.vardata[l>>1].reason
		if r == reasonNone {
			out[n] = l
			n++
			continue
		}
		o := *from
		if r&reasonBin != 0 {
			v := Lit(r&^reasonBin) >> 1
			if s.vardata[v].level == 0 {
				o.zero(s, Var(v))
			} else if s.seen[v] == 0 {
				out[n] = l
				n++
				continue
			}
			*from = o
			continue
		}
		o.clause(s, cref(r))
		for _, q := range s.lits(cref(r)) {
			v := q.Var()
			if v == l.Var() {
				continue
			}
			if s.vardata[v].level == 0 {
				o.zero(s, v)
			} else if s.seen[v] == 0 {
				out[n] = l
				n++
				continue next
			}
		}
		*from = o
	}
	s.out = out[:n]
}

// analyzeFinal finds the assumptions that force a literal p to be false: p is
// an assumption that is false under the earlier ones.
func (s *Solver) analyzeFinal(p Lit) {
	s.addCore(p)
	from := origin{tag: TagGlobal}
	v := p.Var()
	if s.vardata[v].level == 0 {
		from.zero(s, v)
		s.coreTag, s.coreTemp = from.tag, from.temp
		return
	}
	s.seen[v] = 1
	for i := s.tail - 1; i >= int(s.trailLim[0]); i-- {
		l := s.trail[i]
		v := l.Var()
		if s.seen[v] == 0 {
			continue
		}
		s.seen[v] = 0
		r := s.vardata[v].reason
		if r == reasonNone {
			s.addCore(l)
			continue
		}
		s.finalReason(r, l, &from)
	}
	s.coreTag, s.coreTemp = from.tag, from.temp
}

func (s *Solver) finalReason(r reason, l Lit, from *origin) {
	visit := func(o Lit) {
		v := o.Var()
		if s.vardata[v].level == 0 {
			from.zero(s, v)
		} else {
			s.seen[v] = 1
		}
	}
	if r&reasonBin == 0 {
		from.clause(s, cref(r))
	}
	s.eachOther(r, l, visit)
}

// finalZero reports a conflict at level 0.
func (s *Solver) finalZero(confl cref) {
	from := origin{tag: TagGlobal}
	if confl == conflBin {
		from.zero(s, s.confBin[0].Var())
		from.zero(s, s.confBin[1].Var())
	} else {
		from.clause(s, confl)
		for _, l := range s.lits(confl) {
			from.zero(s, l.Var())
		}
	}
	s.coreTag, s.coreTemp = from.tag, from.temp
}

func (s *Solver) addCore(l Lit) {
	if !s.inCore[l] {
		s.inCore[l] = true
		s.core = append(s.core, l)
	}
}
