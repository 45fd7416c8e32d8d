// Package subject has one property of a design in the form in which the engines
// see it. A safety property is seen as it stands. For a liveness property it is
// the safety property of the translation (package liveness), whose nodes have the
// positions of the design's. The second opinion has a translation of its own, and
// replays each counterexample as a lasso of the design, so that nobody has to trust
// the engines' one.
package subject

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/internal/memlimit"
	"netcov/liveness"
	"netcov/mutant"
	"netcov/netlist"
)

// Subject is a property of a design as the engines see it.
type Subject struct {
	design   *aiger.File
	gates    func() []aiger.Lit // of the design
	number   int                // of the property, among those of the design
	property netlist.Property

	file     *aiger.File // the design, or the translation
	netlist  *netlist.Netlist
	position int // of the property in file
	rounds   int // of justice, before the translation searches for a lasso
}

// New returns the property of a design with this number, from 0. The netlist is
// that of the file.
func New(f *aiger.File, n *netlist.Netlist, number int) (*Subject, error) {
	s := &Subject{
		design: f, gates: sync.OnceValue(f.GateLiterals), number: number, property: n.Property(number),
		file: f, netlist: n, position: number,
	}
	if !s.Live() {
		return s, nil
	}
	s.position = 0
	return s, s.translate(0)
}

// Live reports whether the property is one of liveness.
func (s *Subject) Live() bool { return s.property.Kind == netlist.PropertyJustice }

// Number is the position of the property among those of the design.
func (s *Subject) Number() int { return s.number }

// Property is the property as the design has it.
func (s *Subject) Property() netlist.Property { return s.property }

// Check model checks the property: see coverage.Check. The answer to a justice
// property is about a search for a lasso that may begin after some rounds; what is
// asked of this Subject afterwards is about the same.
func (s *Subject) Check(ctx context.Context, opt coverage.CheckOptions) *coverage.Answer {
	if s.counts(opt.Engine) {
		return s.count(ctx, opt)
	}
	return coverage.Check(ctx, s.netlist, s.position, opt)
}

// Cover runs the cascade: see coverage.Run. The results speak of the design's
// property, and so does the second opinion.
func (s *Subject) Cover(ctx context.Context, opt coverage.Options) (*coverage.Result, error) {
	for _, f := range opt.Faults {
		if s.Live() && f.Remembers() {
			return nil, fmt.Errorf("property %d: the fault %v is not defined for liveness properties; choose other faults, or safety properties", s.number, f)
		}
	}
	opt.Label = s.number
	if opt.Targets == nil { // the latches that the translation adds are none of the design's
		opt.Targets = []mutant.Target{}
		for i := range s.design.Latches {
			opt.Targets = append(opt.Targets, mutant.Target{Index: i})
		}
	}
	if s.Live() {
		opt.Earlier = nil // traces of safety properties are no lassos
		if err := s.proveFirst(ctx, &opt); err != nil {
			return nil, err
		}
	}
	if s.Live() {
		layout := liveness.LayoutOf(s.design, s.property.Index, s.rounds)
		opt.Lassos = &layout
		if opt.Tests == nil {
			opt.Tests = coverage.DefaultTests()
			if slices.ContainsFunc(opt.Targets, func(t mutant.Target) bool { return t.Gate }) {
				opt.Tests = coverage.GateTests()
			}
		}
		opt.Tests = coverage.WithLassos(opt.Tests)
	}
	opt.Checker = s.checker()
	r, err := coverage.Run(ctx, s.file, s.netlist, s.position, opt)
	if r == nil {
		return nil, err
	}
	r.Properties = []int{s.number}
	return r, err
}

// Fault is a mutant in the terms of the design's AIGER file.
func (s *Subject) Fault(m *coverage.Mutant, mux mutant.Mux) sim.Fault {
	f := sim.Fault{Kind: m.Fault, Mux: mux}
	if m.Target.Gate {
		f.Var = s.gates()[m.Target.Index] >> 1
	} else {
		f.Var = s.design.Latches[m.Target.Index].Lit >> 1
	}
	return f
}

// checker gives the second opinion on the property.
func (s *Subject) checker() *certify.Checker {
	if s.Live() {
		return certify.NewJusticeChecker(s.design, s.property.Index, s.rounds)
	}
	return certify.NewChecker(s.design, s.number)
}

// Confirm asks for the second opinion on an answer about the design itself. Where
// ctx ends first, the answer becomes undecided. The error is coverage.ErrRecheck.
func (s *Subject) Confirm(ctx context.Context, p *coverage.Answer) error {
	k := s.checker()
	var err error
	switch p.Status {
	case cert.Holds:
		var asked bool
		if asked, err = p.ConfirmParts(ctx, s.file, s.netlist, s.position); !asked {
			err = k.Invariant(ctx, p.Invariant, nil)
		}
	case cert.Fails:
		err = k.Trace(p.Trace)
	}
	if no := (*certify.Failure)(nil); errors.As(err, &no) || err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", coverage.ErrRecheck, err)
	}
	if err != nil {
		p.Status, p.Reason = cert.Unknown, "the run ended before the second opinion"
		if memlimit.Exceeded(ctx) {
			p.Reason = "the memory limit was reached before the second opinion; raise it"
		}
	}
	return nil
}

// Witness is a counterexample in AIGER's format: of the design, or of the mutant
// with a fault whose free value is the last input.
func (s *Subject) Witness(t *cert.Trace, free bool) (*aiger.Witness, error) {
	w, err := s.checker().Witness(t)
	if err != nil {
		return nil, err
	}
	inputs := len(s.design.Inputs)
	if free {
		inputs++
	}
	for i, row := range w.Inputs {
		w.Inputs[i] = row[:min(inputs, len(row))]
	}
	return w, nil
}

// Certificate is the witness circuit of an invariant of the design, as public
// certificate checkers take it. A witness circuit speaks of the variables of a
// file in the binary form that has this property only, as a safety property. Where
// the design is another one, that file is the model, else nil.
func (s *Subject) Certificate(inv *cert.Invariant) (witness, model *aiger.File, err error) {
	model, witness, err = s.checker().Certificate(inv, nil)
	if err != nil {
		return nil, nil, err
	}
	if lits, _, _ := s.design.Properties(); len(lits) == 1 && len(s.design.Justice) == 0 && numberedAsBinary(s.design) {
		model = nil
	}
	return witness, model, nil
}

// numberedAsBinary reports whether inputs and latches have the variables that they
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
