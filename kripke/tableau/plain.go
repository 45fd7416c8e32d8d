package tableau

import "netcov/kripke/bdd"

// plain does the quantifications with the relational product on 4n variables,
// on the tracks i, t, i', t'. Relations are renamed to the tracks where they
// are needed.
type plain struct {
	d      *diagrams
	ri, rt bdd.Ref    // from i to i', and from t to t'
	cubes  [4]bdd.Ref // of the tracks
	moves  map[[4]int]*bdd.Renaming
}

func newPlain(d *diagrams) *plain {
	p := &plain{d: d, moves: map[[4]int]*bdd.Renaming{}}
	p.ri = d.m.Protect(d.e.Relation(untagged, implNext, d.c.Impl))
	p.rt = d.m.Protect(d.tableauRelation(tagged, tabNext))
	for t := range p.cubes {
		p.cubes[t] = d.m.Protect(d.e.Cube(t))
	}
	return p
}

// move renames track a to b and track c to d.
func (p *plain) move(f bdd.Ref, a, b, c, d int) bdd.Ref {
	key := [4]int{a, b, c, d}
	if p.moves[key] == nil {
		to := map[int]int{}
		for i := range p.d.e.Bits {
			to[p.d.e.Var(a, i)] = p.d.e.Var(b, i)
			to[p.d.e.Var(c, i)] = p.d.e.Var(d, i)
		}
		p.moves[key] = p.d.m.NewRenaming(to)
	}
	return p.d.m.Rename(f, p.moves[key])
}

func (p *plain) blocked(sim bdd.Ref) bdd.Ref {
	m := p.d.m
	follow := m.AndExists(p.rt, p.move(sim, untagged, implNext, tagged, tabNext), p.cubes[tabNext])
	return m.AndExists(p.ri, follow.Not(), p.cubes[implNext])
}

func (p *plain) image(r bdd.Ref) bdd.Ref {
	m := p.d.m
	step := m.AndExists(r, p.ri, p.cubes[untagged])
	return p.move(m.AndExists(step, p.rt, p.cubes[tagged]), implNext, untagged, tabNext, tagged)
}

func (p *plain) stuck(r bdd.Ref) bdd.Ref {
	m := p.d.m
	reaches := m.AndExists(p.ri, p.move(r, untagged, implNext, tagged, tabNext), p.cubes[implNext])
	return p.move(m.AndExists(r, reaches.Not(), p.cubes[untagged]), tagged, untagged, tabNext, tagged)
}

func (p *plain) related(a, b bdd.Ref) bdd.Ref {
	first := p.move(a, tagged, implNext, untagged, untagged)
	return p.d.m.AndExists(first, p.move(b, untagged, implNext, tagged, tagged), p.cubes[implNext])
}

func (p *plain) relatedTargets(a, b bdd.Ref) bdd.Ref {
	first := p.move(a, tagged, implNext, untagged, untagged)
	return p.d.m.AndExists(first, p.move(b, untagged, tagged, tagged, implNext), p.cubes[implNext])
}
