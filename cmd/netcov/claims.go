package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"netcov/certify/evidence"
	"netcov/coverage/report"
	"netcov/mutant"
)

// readClaims reads a JSON report for netcov verify: what it claims of the run, and
// in what it contradicts itself.
func readClaims(path string) (*evidence.Claims, error) {
	data, err := evidence.ReadPlain(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r, err := parseReport(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return claimsOf(path, r), nil
}

// parseReport reads the text of a JSON report. It accepts only what the writer of
// reports makes of its own reading: so no key is there twice, unknown or spelled
// in another way, and all readers see the same.
func parseReport(data []byte) (*report.Report, error) {
	var r report.Report
	if err := json.Unmarshal(data, &r); err != nil || r.Schema != report.Schema {
		return nil, fmt.Errorf("this is no JSON report of the form %s", report.Schema)
	}
	var again bytes.Buffer
	if err := r.WriteJSON(&again); err != nil {
		return nil, err
	}
	if line := firstDifference(plainMarks(data), plainMarks(again.Bytes())); line > 0 {
		return nil, fmt.Errorf("line %d is not as netcov writes reports; give the report as netcov cover wrote it", line)
	}
	return &r, nil
}

// plainMarks spells the replacement character in one way: the writer of a name
// that is no UTF-8 escapes it, the writer of what was read of that does not.
func plainMarks(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte(`\ufffd`), []byte("\ufffd"))
}

// firstDifference returns the first line in which two texts differ, from 1, and
// 0 where they are equal.
func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 0
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return 1 + bytes.Count(a[:n], []byte("\n"))
}

// claimsOf turns a report into what evidence can be compared with. Faults of
// inverted nodes become those of the literal.
func claimsOf(path string, r *report.Report) *evidence.Claims {
	d := r.Design
	c := &evidence.Claims{
		Where: path, Design: evidence.IndexDesign{Name: d.File, SHA256: d.SHA256}, Format: d.Format,
		Inputs: d.Inputs, Latches: d.Latches, Ands: d.Ands, Constraints: d.Constraints,
		Mux: r.Options.Mux, Faults: r.Options.Faults, Wrong: contradictions(r),
	}
	for _, p := range r.Properties {
		c.Properties = append(c.Properties, evidence.ClaimedProperty{
			Index: p.Index, Kind: p.Kind, Name: p.Name, Status: evidence.Status(p.Status), Depth: p.Depth,
		})
	}
	for _, m := range r.Mutants {
		c.Mutants = append(c.Mutants, evidence.ClaimedMutant{
			Node: labelOf(m.Node), Literal: m.Node.Literal, Fault: literalFault(m), Property: m.Property,
			Verdict: evidence.Verdict(m.Verdict), Evidence: m.Evidence, Depth: m.Depth,
			Outside: m.Outside(),
		})
	}
	return c
}

// labelOf returns what a report tells of a node beside its literal.
func labelOf(n report.Node) evidence.Label {
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
