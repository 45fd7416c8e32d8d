// Package claims turns a report into what evidence can be compared with. It reads
// a JSON report, counts its summary anew from what it lists, without the code that
// wrote it, and hands evidence.Claims to the verification, which knows nothing of
// reports and engines.
package claims

import (
	"fmt"

	"netcov/certify/evidence"
	"netcov/coverage/report"
	"netcov/mutant"
)

// Read reads a JSON report: what it claims of the run, and in what it contradicts
// itself.
func Read(path string) (*evidence.Claims, error) {
	r, err := parse(path)
	if err != nil {
		return nil, err
	}
	return Of(path, r), nil
}

// Open reads a JSON report to work on. One that contradicts itself is refused.
func Open(path string) (*report.Report, error) {
	r, err := parse(path)
	if err != nil {
		return nil, err
	}
	if wrong := contradictions(r); len(wrong) > 0 {
		return nil, fmt.Errorf("%s: %s; give the report as netcov cover wrote it", path, wrong[0])
	}
	return r, nil
}

func parse(path string) (*report.Report, error) {
	data, err := evidence.ReadPlain(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r, err := report.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// Of returns the claims of a report; path names it in failures. Faults of inverted
// nodes become those of the literal.
func Of(path string, r *report.Report) *evidence.Claims {
	d := r.Design
	c := &evidence.Claims{
		Where: path, Design: evidence.IndexDesign{Name: d.File, SHA256: d.SHA256}, Format: d.Format,
		Inputs: d.Inputs, Latches: d.Latches, Ands: d.Ands, Constraints: d.Constraints,
		Mux: r.Options.Mux, Faults: r.Options.Faults, Observe: r.Options.Observe, Wrong: contradictions(r),
	}
	for _, p := range r.Properties {
		c.Properties = append(c.Properties, evidence.ClaimedProperty{
			Index: p.Index, Kind: p.Kind, Name: p.Name, Status: p.Status, Depth: p.Depth,
		})
	}
	for _, m := range r.Mutants {
		x := evidence.ClaimedMutant{
			Node: Label(m.Node), Literal: m.Node.Literal, Fault: literalFault(m), Property: m.Property,
			Verdict: m.Verdict, Evidence: m.Evidence, Depth: m.Depth,
			Outside: m.Outside(), Reason: m.Reason,
		}
		if m.Properties != nil {
			x.Fail, x.Unknown = m.Properties.Fail, m.Properties.Unknown
		}
		c.Mutants = append(c.Mutants, x)
	}
	c.Matrix = r.Matrix != nil
	return c
}

// Label returns what a report tells of a node beside its literal.
func Label(n report.Node) evidence.Label {
	return evidence.Label{
		Kind: n.Kind, Index: n.Index, Name: n.Name, Register: n.Register, Instance: n.Instance,
		Module: n.Module, File: n.File, Line: n.Line, Inverted: n.Inverted,
	}
}

// literalFault is a mutant's fault at the literal: the report has that of the
// register, which an inverted literal stores as its complement.
func literalFault(m report.Mutant) string {
	if f, known := mutant.ParseFault(m.Fault); known && m.Node.Inverted {
		return f.Complement().String()
	}
	return m.Fault
}
