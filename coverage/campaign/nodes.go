package campaign

import (
	"maps"
	"math/rand/v2"
	"slices"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/certify/evidence"
	"netcov/coverage/claims"
	"netcov/coverage/report"
	"netcov/coverage/waveform"
	"netcov/frontend/design"
	"netcov/frontend/yosysmap"
	"netcov/mutant"
)

// Targets lists the nodes of the design that are mutated: its registers without those
// that tools made, its gates, or both.
func (d *Design) Targets(latches, gates bool) []mutant.Target {
	ts := []mutant.Target{}
	if latches {
		for i := range d.Netlist.Latches {
			if !d.Design.Artefact(i) {
				ts = append(ts, d.register(i))
			}
		}
	}
	if gates {
		seen := slices.Collect(maps.Values(d.Design.Seen))
		for i := range d.Netlist.Gates {
			if !slices.Contains(seen, i) {
				ts = append(ts, mutant.Target{Gate: true, Index: i})
			}
		}
	}
	return ts
}

// Apart takes the registers that only properties read out of a list of nodes, and names
// them.
func (d *Design) Apart(ts []mutant.Target) (rest []mutant.Target, registers []string) {
	only := d.propertyOnly()
	for _, t := range ts {
		name, ok := only[t]
		if !ok {
			rest = append(rest, t)
		} else if !slices.Contains(registers, name) {
			registers = append(registers, name)
		}
	}
	return rest, registers
}

// propertyOnly names the registers that only properties read, by their nodes.
func (d *Design) propertyOnly() map[mutant.Target]string {
	only := map[mutant.Target]string{}
	for i, o := range d.Design.Latches {
		if o.PropertyOnly {
			only[d.register(i)] = o.Register
		}
	}
	return only
}

// register is the node that the readers of a register see.
func (d *Design) register(latch int) mutant.Target {
	if gate, ok := d.Design.Seen[latch]; ok {
		return mutant.Target{Gate: true, Index: gate}
	}
	return mutant.Target{Index: latch}
}

// Sample draws so many of the nodes at random, in their order; 0 draws all.
func Sample(ts []mutant.Target, size int, seed uint64) []mutant.Target {
	if size == 0 || size >= len(ts) {
		return ts
	}
	r := rand.New(rand.NewPCG(seed, uint64(size)))
	at := r.Perm(len(ts))[:size]
	slices.Sort(at)
	drawn := make([]mutant.Target, size)
	for i, k := range at {
		drawn[i] = ts[k]
	}
	return drawn
}

// Describe tells what a report says of a node.
func (d *Design) Describe() func(mutant.Target) report.Node {
	gates, only := d.File.GateLiterals(), d.propertyOnly()
	return func(t mutant.Target) report.Node {
		n := report.Node{Kind: t.Kind(), Index: t.Index}
		_, n.PropertyOnly = only[t]
		origins := d.Design.Latches
		if t.Gate {
			n.Literal, origins = gates[t.Index], d.Design.Gates
		} else {
			n.Literal, n.Name = d.File.Latches[t.Index].Lit, d.Netlist.Latches[t.Index].Name
		}
		if t.Index >= len(origins) || origins[t.Index] == (design.Origin{}) {
			if o := yosysmap.ParseSymbol(n.Name); n.Name != "" {
				n.Register, n.Instance = o.Register, o.Instance
			}
			return n
		}
		o := origins[t.Index]
		if o.Register != "" {
			n.Name = yosysmap.Name(o)
		}
		n.Register, n.Instance, n.Module, n.File, n.Line, n.Inverted = o.Register, o.Instance, o.Module, o.File, o.Line, o.Inverted
		return n
	}
}

// Fault is a mutant in the terms of the AIGER file.
func (d *Design) Fault(t mutant.Target, fault mutant.Fault, mux mutant.Mux) sim.Fault {
	if t.Gate {
		return sim.Fault{Var: d.File.GateLiterals()[t.Index] >> 1, Kind: fault, Mux: mux}
	}
	return sim.Fault{Var: d.File.Latches[t.Index].Lit >> 1, Kind: fault, Mux: mux}
}

// Words are the named words of the design.
func (d *Design) Words() []waveform.Word {
	describe := d.Describe()
	words := waveform.Words(d.File, func(latch int) (string, aiger.Lit, bool) {
		n := describe(d.register(latch))
		shown := n.Literal
		if n.Inverted {
			shown ^= 1
		}
		return n.Name, shown, n.Register != "" && n.Name == n.Register
	})
	for i := range words {
		w := &words[i]
		if e, ok := d.Design.Enums[w.Name]; ok && w.Low <= 0 && len(w.Bits) == e.Width {
			w.Names = e.Names
		}
	}
	return words
}

// Labels tells what the report calls the design's properties and the mutated nodes.
func (d *Design) Labels(targets []mutant.Target) []evidence.Label {
	var out []evidence.Label
	for i, p := range d.Netlist.Properties() {
		out = append(out, evidence.Label{Kind: evidence.KindProperty, Index: i, Name: p.Name})
	}
	describe := d.Describe()
	for _, t := range targets {
		out = append(out, claims.Label(describe(t)))
	}
	return out
}
