package coverage

import (
	"cmp"
	"slices"

	"netcov/cert"
	"netcov/coverage/journal"
	"netcov/mutant"
	"netcov/netlist"
)

// Finding is what was found out about several cells at once: a run of the design under
// some fault, or properties that hold on a mutant together.
type Finding struct {
	Trace *cert.Trace // as of Result.Trace; else all below is there

	Target     mutant.Target
	Fault      mutant.Fault
	Properties []int
	// Invariant speaks of the latches of the mutant as a file: see aiger/sim.Mutant.
	Invariant *cert.Invariant
}

// Record writes a finding to the journal of the run.
func (c *Cells) Record(x Finding) {
	r := c.journal
	if r == nil {
		return
	}
	out := record{Kind: kindCells, Cell: true}
	if x.Trace != nil {
		out.Trace = journal.NewTrace(x.Trace)
	} else {
		out.Gate, out.Index, out.Fault = x.Target.Gate, x.Target.Index, x.Fault.String()
		out.Properties, out.Property, out.Invariant = x.Properties, x.Properties[0], journal.NewInvariant(x.Invariant)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.append(out)
}

// Failure is why the journal of findings is not complete, nil where it is.
func (c *Cells) Failure() error { return c.journal.failure() }

// findings takes the findings out of the records of cells.
func findings(records map[int][]*entry, n *netlist.Netlist) ([]Finding, error) {
	type numbered struct {
		*entry
		Finding
	}
	var all []numbered
	for property, list := range records {
		for _, e := range list {
			if e.Kind != kindCells {
				continue
			}
			inv, trace, err := e.values(len(n.Latches) + 2) // the mutant as a file may have one more, and its model another
			if err != nil {
				return nil, e.refuse("%w", err)
			}
			fault, known := mutant.ParseFault(e.Fault)
			if trace == nil && (inv == nil || !known || len(e.Properties) == 0) {
				return nil, e.refuse("cells without their evidence")
			}
			if trace != nil && !isRun(trace, n) {
				return nil, e.refuse("a trace with other inputs than the design")
			}
			all = append(all, numbered{e, Finding{trace, mutant.Target{Gate: e.Gate, Index: e.Index}, fault, e.Properties, inv}})
		}
		records[property] = slices.DeleteFunc(list, func(e *entry) bool { return e.Kind == kindCells })
	}
	slices.SortFunc(all, func(a, b numbered) int { return cmp.Or(a.source-b.source, a.number-b.number) })
	out := make([]Finding, len(all))
	for k, x := range all {
		out[k] = x.Finding
	}
	return out, nil
}

// isRun reports whether a trace has the inputs of a design, or one more.
func isRun(t *cert.Trace, n *netlist.Netlist) bool {
	return len(t.Inputs) > 0 && !slices.ContainsFunc(t.Inputs, func(row []bool) bool {
		return len(row) != len(n.Inputs) && len(row) != len(n.Inputs)+1
	})
}
