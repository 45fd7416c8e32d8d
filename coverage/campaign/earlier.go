package campaign

import (
	"fmt"

	"netcov/cert"
	"netcov/certify/evidence"
	"netcov/coverage"
	"netcov/mutant"
)

// Earlier reads the evidence of an earlier run and says it of this design: latches, inputs
// and gates are those of the same name, where they have one, and else those that are as
// many-th of their kind. What speaks of something that is gone is left out.
func (d *Design) Earlier(dir string, place mutant.Mux) (*coverage.Earlier, error) {
	run, err := evidence.Read(dir)
	if err != nil {
		return nil, err
	}
	return d.translate(run, place), nil
}

// same finds nodes of an earlier design in this one: by the position there, the position
// here.
type same struct{ latches, gates, inputs []int }

// translate says what a run found in this design's positions.
func (d *Design) translate(run *evidence.Run, place mutant.Mux) *coverage.Earlier {
	at := d.match(run)
	out := &coverage.Earlier{}
	invariants := map[*cert.Invariant]int{}
	traces := map[*cert.Trace]*cert.Trace{}
	for _, p := range run.Properties {
		if p.Invariant != nil {
			out.Proofs = append(out.Proofs, at.invariant(p.Invariant))
		}
		for _, m := range p.Mutants {
			k, here := at.mutant(m)
			if !here || m.Mux != place {
				continue
			}
			switch {
			case m.Trace != nil:
				if traces[m.Trace] == nil {
					traces[m.Trace] = at.trace(m.Trace, len(d.Netlist.Latches), len(d.Netlist.Inputs))
				}
				out.Traces = append(out.Traces, coverage.EarlierTrace{EarlierMutant: k, Trace: traces[m.Trace]})
			case m.Invariant != nil:
				i, known := invariants[m.Invariant]
				if !known {
					i = len(out.Invariants)
					invariants[m.Invariant] = i
					out.Invariants = append(out.Invariants, coverage.EarlierInvariant{Invariant: at.invariant(m.Invariant)})
				}
				out.Invariants[i].Mutants = append(out.Invariants[i].Mutants, k)
			}
		}
	}
	return out
}

// match finds the nodes of a run's design in this one.
func (d *Design) match(run *evidence.Run) same {
	old, now := map[string]evidence.Label{}, map[string]evidence.Label{}
	key := func(kind string, i int) string { return fmt.Sprint(kind, i) }
	for _, l := range run.Labels {
		old[key(l.Kind, l.Index)] = l
	}
	var all []mutant.Target
	for i := range d.Netlist.Latches {
		all = append(all, mutant.Target{Index: i})
	}
	for i := range d.Netlist.Gates {
		all = append(all, mutant.Target{Gate: true, Index: i})
	}
	for _, l := range d.Labels(all) {
		now[key(l.Kind, l.Index)] = l
	}
	named := func(labels map[string]evidence.Label, kind string, i int, symbol string) string {
		l := labels[key(kind, i)]
		if l.Name == "" {
			l.Name = symbol
		}
		if l.Name == "" {
			return ""
		}
		return fmt.Sprintf("%s %v", l.Name, l.Inverted)
	}
	f, g := run.Design, d.File
	latch := func(labels map[string]evidence.Label, symbols map[int]string, n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = named(labels, "latch", i, symbols[i])
		}
		return out
	}
	gate := func(labels map[string]evidence.Label, n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = named(labels, "gate", i, "")
		}
		return out
	}
	input := func(symbols map[int]string, n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = symbols[i]
		}
		return out
	}
	return same{
		latches: pair(latch(old, f.Symbols.Latches, len(f.Latches)), latch(now, g.Symbols.Latches, len(g.Latches))),
		gates:   pair(gate(old, len(f.Ands)), gate(now, len(g.Ands))),
		inputs:  pair(input(f.Symbols.Inputs, len(f.Inputs)), input(g.Symbols.Inputs, len(g.Inputs))),
	}
}

// pair finds, for each of some names, its position among others, -1 where it is not
// there. Equal names, none among them, are paired in their order.
func pair(old, now []string) []int {
	at := map[string][]int{}
	for i, name := range now {
		at[name] = append(at[name], i)
	}
	out := make([]int, len(old))
	for i, name := range old {
		out[i] = -1
		if list := at[name]; len(list) > 0 {
			out[i], at[name] = list[0], list[1:]
		}
	}
	return out
}

func (s same) mutant(m evidence.Mutant) (coverage.EarlierMutant, bool) {
	list := s.latches
	if m.Gate {
		list = s.gates
	}
	if m.Index < 0 || m.Index >= len(list) || list[m.Index] < 0 {
		return coverage.EarlierMutant{}, false
	}
	return coverage.EarlierMutant{Target: mutant.Target{Gate: m.Gate, Index: list[m.Index]}, Fault: m.Fault}, true
}

// invariant keeps the conjuncts whose latches are all there.
func (s same) invariant(v *cert.Invariant) *cert.Invariant {
	out, _ := v.Kept(func(latch int) int {
		if latch < len(s.latches) {
			return s.latches[latch]
		}
		return -1
	})
	return out
}

// trace moves the values; latches and inputs that are new are 0.
func (s same) trace(t *cert.Trace, latches, inputs int) *cert.Trace {
	out := &cert.Trace{Latches: make([]bool, latches)}
	for i, at := range s.latches {
		if at >= 0 && i < len(t.Latches) {
			out.Latches[at] = t.Latches[i]
		}
	}
	for _, row := range t.Inputs {
		r := make([]bool, inputs, inputs+1)
		for i, at := range s.inputs {
			if at >= 0 && i < len(row) {
				r[at] = row[i]
			}
		}
		if len(row) > len(s.inputs) {
			r = append(r, row[len(s.inputs)])
		}
		out.Inputs = append(out.Inputs, r)
	}
	return out
}
