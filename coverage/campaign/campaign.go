// Package campaign runs everything that netcov cover knows about one design: which
// properties are asked, which nodes are mutated, the verdicts on the mutants, the
// reasons of those that no property notices, and the files of evidence, traces and
// waveforms. It has no flags and prints nothing: the commands cover, check and explain
// read their flags, call it and write the report.
package campaign

import (
	"context"
	"fmt"

	"netcov/coverage"
	"netcov/coverage/subject"
	"netcov/frontend"
	"netcov/netlist"
)

// Design is a circuit as a campaign works on it.
type Design struct {
	*frontend.Source // a circuit's; the nodes of File have the positions of the netlist's
	Netlist          *netlist.Netlist
	// RunSteps is the number of steps of the longest run, where the constraints end
	// all of them: see FindLongestRun. nil: they do not, or it is not known.
	RunSteps *int
	// Conflict names constraints that do so together, none of which can be left out.
	Conflict []string

	// By property that fails, where there is an abstraction: the design with the netlist of
	// its trace.
	fails map[int]*Design
}

// New returns a circuit that was opened as one.
func New(s *frontend.Source) *Design { return &Design{Source: s, Netlist: s.Design.Netlist} }

// ChoiceError is the refusal of a property or a register that a user named and the
// design does not have, or has more than once.
type ChoiceError struct{ text string }

// Error says what there is to choose from.
func (e *ChoiceError) Error() string { return e.text }

func choicef(format string, args ...any) error { return &ChoiceError{fmt.Sprintf(format, args...)} }

// Subject returns a property of the design as the engines see it.
func (d *Design) Subject(property int) (*subject.Subject, error) {
	return subject.New(d.File, d.Netlist, property)
}

// Split splits properties into those that are one question and the others: a single
// one has no set, and liveness properties stand alone.
func (d *Design) Split(which []int) (together, alone []int) {
	all := d.Netlist.Properties()
	for _, i := range which {
		if all[i].Kind == netlist.PropertyJustice {
			alone = append(alone, i)
		} else {
			together = append(together, i)
		}
	}
	if len(together) == 1 {
		return nil, which
	}
	return together, alone
}

// Run runs the safety properties as one question, and then the others one after
// the other. After an interruption, or an error, the rest is left out.
func (d *Design) Run(ctx context.Context, which []int, opt coverage.Options) (*coverage.Set, error) {
	if d.Design.Abstraction != nil {
		return d.runByWord(ctx, which, opt)
	}
	return d.run(ctx, which, opt)
}

// run is Run on the netlist as it is.
func (d *Design) run(ctx context.Context, which []int, opt coverage.Options) (*coverage.Set, error) {
	set := coverage.NewSet(d.Netlist, opt.Targets, opt.Faults)
	together, alone := d.Split(which)
	if len(together) > 0 {
		var err error
		if set, err = coverage.RunSet(ctx, d.File, d.Netlist, together, opt.ShareProof(len(together), len(which))); err != nil {
			return nil, err
		}
		for _, o := range set.Outcomes {
			opt.SpendProof(o.Proof.Time)
		}
	}
	for k, i := range alone {
		if len(set.Outcomes) > 0 && ctx.Err() != nil {
			break
		}
		s, err := d.Subject(i)
		if err != nil {
			return set, err
		}
		r, err := s.Cover(ctx, opt.ShareProof(1, len(alone)-k))
		if err != nil {
			return set, err
		}
		set.AddOutcome(s.Property(), r)
		opt.SpendProof(r.Proof.Time)
	}
	return set, nil
}
