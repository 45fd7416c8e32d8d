package campaign

import (
	"fmt"
	"io"

	"netcov/aiger"
	"netcov/cert"
	"netcov/coverage"
	"netcov/coverage/subject"
	"netcov/internal/atomicfile"
)

// WriteCertificate writes what proves the answer for one property: a witness
// circuit where it holds, a trace where it fails, nothing where it is undecided.
//
// Where the circuit speaks of a model that is not the design, that is written too,
// beside the certificate; its path is returned.
func (d *Design) WriteCertificate(path string, s *subject.Subject, p *coverage.Answer) (model string, err error) {
	switch p.Status {
	case cert.Fails:
		return "", atomicfile.Write(path, func(to io.Writer) error { return d.WriteWitness(to, s, p.Trace) })
	case cert.Holds:
	default:
		return "", nil
	}
	witness, circuit, err := s.Certificate(p.Invariant)
	if err != nil {
		return "", err
	}
	if err := aiger.WriteFile(path, witness); err != nil {
		return "", fmt.Errorf("writing the certificate: %w", err)
	}
	if circuit == nil {
		return "", nil
	}
	model = ModelPath(path)
	if err := aiger.WriteFile(model, circuit); err != nil {
		return "", fmt.Errorf("writing the model: %w", err)
	}
	return model, nil
}

// ModelPath is the file of the model that a certificate speaks of, where that is
// not the design.
func ModelPath(certificate string) string { return certificate + ".model.aig" }
