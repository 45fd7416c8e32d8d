package similarity

import "netcov/kripke/structure"

// Schematic is the schematic algorithm of CK02 figure 1: as long as some w' in
// sim(w) cannot follow some step of w, it leaves. It is slow, and so plain that
// it serves as the oracle of the other algorithms.
func (p *Problem) Schematic() []structure.Set {
	sim := make([]structure.Set, p.Impl.Len())
	for w := range sim {
		sim[w] = structure.NewSet(p.Spec.Len())
		for w2 := range p.Spec.Len() {
			if p.agree(w, w2) {
				sim[w].Add(w2)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for w := range sim {
			for _, v := range p.Impl.Successors(w) {
				for _, w2 := range sim[w].List() {
					if none(sim[v], p.Spec.Successors(w2)) {
						sim[w].Remove(w2)
						changed = true
					}
				}
			}
		}
	}
	return sim
}

// agree reports whether w and w' have the same label.
func (p *Problem) agree(w, w2 int) bool {
	for i := range p.ap {
		if p.Impl.Holds(w, p.ap[i].impl) != p.Spec.Holds(w2, p.ap[i].spec) {
			return false
		}
	}
	return true
}
