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
// some fault, or properties that hold on a mutant together, by an invariant of it.
type Finding struct {
	Trace *cert.Trace // as of Result.Trace; else all below is there

	Target     mutant.Target
	Fault      mutant.Fault
	Properties []int
	Invariant  *cert.Invariant // in the terms of the design
}

// Record writes a finding to the journal of the run, and an invariant once.
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
		out.Properties, out.Property = x.Properties, x.Properties[0]
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if x.Trace == nil {
		if out.ID = r.known[x.Invariant]; out.ID == 0 {
			out.ID = len(r.known) + 1
			r.known[x.Invariant] = out.ID
			out.Invariant = journal.NewInvariant(x.Invariant)
		}
	}
	r.append(out)
}

// Failure is why the journal of findings is not complete, nil where it is.
func (c *Cells) Failure() error { return c.journal.failure() }

// findings takes the findings out of the records of cells, and tells the recorder which
// invariants the journal has.
func findings(records map[int][]*entry, n *netlist.Netlist, r *recorder) ([]Finding, error) {
	var all []*entry
	for property, list := range records {
		for _, e := range list {
			if e.Kind == kindCells {
				all = append(all, e)
			}
		}
		records[property] = slices.DeleteFunc(list, func(e *entry) bool { return e.Kind == kindCells })
	}
	slices.SortFunc(all, func(a, b *entry) int { return cmp.Or(a.source-b.source, a.number-b.number) })
	type numbered struct{ source, id int }
	byID := map[numbered]*cert.Invariant{}
	out := make([]Finding, 0, len(all))
	for _, e := range all {
		inv, trace, err := e.values(len(n.Latches) + 1)
		if err != nil {
			return nil, e.refuse("%w", err)
		}
		if inv != nil {
			byID[numbered{e.source, e.ID}] = inv
			if e.source == 0 {
				r.numbered(e.ID, inv)
			}
		}
		inv = byID[numbered{e.source, e.ID}]
		fault, known := mutant.ParseFault(e.Fault)
		switch {
		case trace == nil && (inv == nil || !known || len(e.Properties) == 0):
			return nil, e.refuse("cells without their evidence")
		case trace != nil && !isRun(trace, n):
			return nil, e.refuse("a trace with other inputs than the design")
		}
		out = append(out, Finding{trace, mutant.Target{Gate: e.Gate, Index: e.Index}, fault, e.Properties, inv})
	}
	return out, nil
}

// isRun reports whether a trace has the inputs of a design, or one more.
func isRun(t *cert.Trace, n *netlist.Netlist) bool {
	return len(t.Inputs) > 0 && !slices.ContainsFunc(t.Inputs, func(row []bool) bool {
		return len(row) != len(n.Inputs) && len(row) != len(n.Inputs)+1
	})
}
