package coverage

import (
	"time"

	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// Mutant is one mutation of one node, judged by one property, or by several as one. It is a record:
// a settled mutant is never changed again.
type Mutant struct {
	Target mutant.Target
	Fault  mutant.Fault
	// Property is the position of the property in the netlist's list: of a covered
	// mutant the one that fails at the end of the trace, else the first of the question.
	Property int

	Verdict mutant.Verdict
	Test    string // the test that settled it
	// Depth is the number of steps of the trace of a covered mutant, and the
	// deepest bound without a counterexample of an unknown one (-1: none).
	Depth    int
	Time     time.Duration // spent on this mutant alone
	Evidence Evidence

	part    mutant.Target // its position in the file of the question
	in      *excerpt      // which that file is of the design
	last    bool          // not noticed, it is decided: see question.final
	cut     int           // position among the model's cuts; -1 outside of the cone
	force   netlist.Force // of the cut
	claimed bool          // settled but for the second opinion: see ledger.claim
	began   time.Time     // of work on this mutant that is under way: see ledger.work
	// decided is when a test settled it, since the tests began; 0 for what an
	// earlier run did.
	decided time.Duration
}

// Evidence is what proves a verdict. Exactly one field is set, or none for a
// mutant that is unknown, or that lies outside of the cone of influence.
type Evidence struct {
	// Trace is a run of the mutant that ends in a bad state, of the part of the design that
	// was asked about: see Mutant.Trace. A free value is its last input.
	Trace *cert.Trace
	// Invariant is an inductive invariant of the mutant, shared by many: see
	// Mutant.Invariant.
	Invariant *cert.Invariant

	property int // that fails at the end of the trace
}

// Trace returns the trace of a covered mutant as a run of the design under the
// fault: for nondet the last input is the free value. nil for others.
func (m *Mutant) Trace() *cert.Trace { return m.in.trace(m.Evidence.Trace) }

// Invariant returns the invariant of a mutant that is not covered as one of the design
// under the fault, nil where none is needed; the same for the same.
func (m *Mutant) Invariant() *cert.Invariant { return m.in.proof(m.Evidence.Invariant) }

// free reports whether the mutant is the free one of its cut.
func (m *Mutant) free() bool { return m.force == netlist.ForceFree }

// open reports whether neither a verdict nor a claim is there. The ledger's lock
// must be held.
func (m *Mutant) open() bool { return m.Verdict == mutant.Unknown && !m.claimed }

// addTime adds the work that is under way to the mutant's time, unless it has its
// verdict. The ledger's lock must be held.
func (m *Mutant) addTime() {
	if !m.began.IsZero() && m.Verdict == mutant.Unknown {
		m.Time += time.Since(m.began)
	}
	m.began = time.Time{}
}

// String names the mutant in messages.
func (m *Mutant) String() string { return m.Target.String() + ", " + m.Fault.String() }
