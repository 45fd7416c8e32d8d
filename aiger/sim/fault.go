// Package sim replays traces on AIGER files by plain simulation, on the design
// itself and on its mutants. It is the independent check of every counterexample
// and of every mutant said to be covered, so it interprets the file as it stands:
// it knows nothing of package netlist or of any engine.
package sim

import (
	"fmt"

	"netcov/aiger"
	"netcov/mutant"
)

// Fault is a mutation of one variable of a file, a latch or a gate.
//
// Readers of the variable are the gates, the next-state functions (its own too),
// outputs, bad states, constraints, justice and fairness. Its own next-state
// function and its reset are kept, and the reset functions of other latches read
// the unmutated design: a mutation does not change the initial states.
type Fault struct {
	Var  uint32
	Kind mutant.Fault
	Mux  mutant.Mux
}

// String describes the fault in a few words.
func (f Fault) String() string { return fmt.Sprintf("%s at variable %d, mux %s", f.Kind, f.Var, f.Mux) }

// free reports whether the fault reads a free value; one that is no fault does not.
func (f Fault) free() bool { return f.Kind.Valid() && f.Kind.Free() }

// Has reports whether a file has a mutant: not every fault is defined at every node.
func Has(f *aiger.File, t mutant.Target, kind mutant.Fault) bool {
	if !kind.At(t) {
		return false
	}
	return !kind.Initialised() || f.Latches[t.Index].Reset != f.Latches[t.Index].Lit
}

// place is where the fault's multiplexer stands.
func (f Fault) place() mutant.Mux { return Place(f.Kind, f.Mux) }

// site is a fault's variable, found in the file.
type site struct {
	latch int // position in Latches, or -1
	gate  int // position in Ands, or -1
}

// find returns the sites of faults, or an error for a variable that is neither
// a latch nor a gate.
func find(f *aiger.File, faults []Fault) ([]site, error) {
	at := make(map[uint32]site, len(faults))
	for _, fault := range faults {
		at[fault.Var] = site{-1, -1}
	}
	for i, l := range f.Latches {
		if _, wanted := at[l.Lit>>1]; wanted {
			at[l.Lit>>1] = site{i, -1}
		}
	}
	for i, a := range f.Ands {
		if _, wanted := at[a.Lhs>>1]; wanted {
			at[a.Lhs>>1] = site{-1, i}
		}
	}
	sites := make([]site, len(faults))
	for i, fault := range faults {
		if !fault.Kind.Valid() || fault.Mux > mutant.AtNext {
			return nil, fmt.Errorf("unknown fault kind %d or mux %d", fault.Kind, fault.Mux)
		}
		sites[i] = at[fault.Var]
		if sites[i] == (site{-1, -1}) {
			return nil, fmt.Errorf("variable %d is neither a latch nor a gate, it cannot be mutated", fault.Var)
		}
		if t := (mutant.Target{Gate: sites[i].gate >= 0, Index: max(sites[i].latch, sites[i].gate)}); !Has(f, t, fault.Kind) {
			return nil, fmt.Errorf("variable %d: the fault %v is not defined at this node", fault.Var, fault.Kind)
		}
	}
	return sites, nil
}
