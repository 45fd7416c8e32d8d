package report

import (
	"iter"

	"netcov/coverage"
	"netcov/mutant"
)

// A design may have many mutants. The report holds no row for them: rows are made
// as they are written.

// Rows goes through the rows of mutants: one each, with the verdict of the set of
// properties.
func (r *Report) Rows() iter.Seq[Mutant] {
	return func(yield func(Mutant) bool) {
		for _, m := range r.Mutants {
			if r.waived != nil {
				m.Waiver = r.waiverOf(m)
			}
			if !yield(m) {
				return
			}
		}
		if r.set == nil {
			return
		}
		for j := range r.set.All() {
			m := mutantRow(*r.nodes[j.Target], j)
			for _, s := range sections {
				if s.row != nil {
					s.row(r, j, &m)
				}
			}
			m.Waiver = r.waiverOf(m)
			if !yield(m) {
				return
			}
		}
	}
}

// Shown is a fault of the literal as reports have it: of the register, where the literal
// stores its complement.
func (n *Node) Shown(f mutant.Fault) mutant.Fault {
	if n.Inverted {
		return f.Complement()
	}
	return f
}

func mutantRow(n Node, j *coverage.Judgement) Mutant {
	out := Mutant{
		Node:    n,
		Fault:   n.Shown(j.Fault).String(),
		Verdict: j.Verdict,
		Test:    j.Test,
		Seconds: j.Time.Seconds(),
	}
	if j.Depth >= 0 {
		d := j.Depth
		out.Depth = &d
	}
	if j.Mutant == nil {
		return out
	}
	switch {
	case j.Mutant.Evidence.Trace != nil:
		out.Evidence = "trace"
		p := j.Mutant.Property
		out.Property = &p
	case j.Mutant.Evidence.Invariant != nil:
		out.Evidence = "invariant"
	}
	return out
}
