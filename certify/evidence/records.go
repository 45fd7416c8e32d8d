package evidence

import (
	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
)

// Run is everything that a coverage run found out about a design.
type Run struct {
	Design     *aiger.File
	Name       string // of the file, for the reader
	Source     []byte // of an AIGER file: its bytes, nil where they are lost
	Mapped     bool   // a file of names gave labels to an AIGER file
	Scope      Scope
	Properties []Property
	Cells      []Cell  // of a matrix, beside what the properties' mutants say
	Labels     []Label // what the report calls nodes and properties
	// Observe says where a difference counted in the search for Reasons: "outputs" or
	// "registers". "": there was none.
	Observe string
	Reasons []Explained // of each mutant that no property notices
}

// Property is one property of the design, by its position: the safety properties
// first (see certify.NewChecker), then the justice properties (certify.NewJusticeChecker,
// with Rounds). One that holds has an Invariant, one that fails a Trace. Only one that holds has mutants.
//
// Several safety properties that hold may stand together: With are the further ones. Their invariant
// proves all of them, on the design and on each mutant that is not covered.
type Property struct {
	Position  int
	With      []int
	Rounds    int
	Status    cert.Status
	Invariant *cert.Invariant
	Trace     *cert.Trace
	Mutants   []Mutant
}

// Mutant is one verdict with its evidence: a Trace for a covered mutant, an
// Invariant for one that is not covered (shared by pointer where many mutants
// have the same), nothing for one outside of the cone of influence.
type Mutant struct {
	certify.Mutation
	Verdict   mutant.Verdict
	Property  int // that fails at the end of the trace
	Trace     *cert.Trace
	Invariant *cert.Invariant
}
