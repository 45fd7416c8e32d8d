package main

import (
	"fmt"
	"io"

	"netcov/aiger"
	"netcov/certify"
	"netcov/coverage"
	"netcov/internal/atomicfile"
)

// writeCertificate writes what proves the answer for one property: a witness
// circuit where it holds, a trace where it fails, nothing where it is undecided.
//
// A witness circuit speaks of the variables of a file in the binary form that has
// this property only. Where the design is another one, that file is written too,
// beside the certificate; its path is returned.
func writeCertificate(path string, v *view, p *coverage.Proof) (model string, err error) {
	switch p.Status {
	case coverage.Fails:
		return "", atomicfile.Write(path, func(to io.Writer) error { return v.writeWitness(to, p.Trace) })
	case coverage.Holds:
	default:
		return "", nil
	}
	circuit, witness, err := certify.NewChecker(v.file, v.position).Certificate(p.Invariant, nil)
	if err != nil {
		return "", err
	}
	if err := aiger.WriteFile(path, witness); err != nil {
		return "", fmt.Errorf("writing the certificate: %w", err)
	}
	if lits, _, _ := v.file.Properties(); len(lits) == 1 && len(v.file.Justice) == 0 && numberedAsBinary(v.file) {
		return "", nil
	}
	model = modelPath(path)
	if err := aiger.WriteFile(model, circuit); err != nil {
		return "", fmt.Errorf("writing the model: %w", err)
	}
	return model, nil
}

// modelPath is the file of the model that a certificate speaks of, where that is
// not the design.
func modelPath(certificate string) string { return certificate + ".model.aig" }

// numberedAsBinary tells whether inputs and latches have the variables that they
// have in the binary form.
func numberedAsBinary(f *aiger.File) bool {
	for i, l := range f.Inputs {
		if l != 2*aiger.Lit(i+1) {
			return false
		}
	}
	for i, l := range f.Latches {
		if l.Lit != 2*aiger.Lit(len(f.Inputs)+i+1) {
			return false
		}
	}
	return true
}
