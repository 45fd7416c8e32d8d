package campaign

import (
	"fmt"
	"math/big"
	"slices"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/coverage"
	"netcov/coverage/waveform"
	"netcov/netlist"
)

// Settle holds an answer about a netlist that allows more than its source against that:
// a counterexample is run on the source. Where it is spurious, the answer is none, and
// Refine gives a netlist without it.
func (d *Design) Settle(a *Answer) (settled bool, err error) {
	if a.Status != cert.Fails || d.Design.Abstraction == nil {
		return true, nil
	}
	if d.Netlist.Property(a.Property).Kind == netlist.PropertyJustice {
		a.Status, a.Trace, a.Reason, a.Bound = cert.Unknown, nil, "a run without end is not told on arrays that are kept by word", -1
		return true, nil
	}
	t, err := d.Design.Abstraction.Replay(a.Property, a.Trace, nil)
	switch {
	case err != nil:
		a.Status, a.Trace, a.Reason, a.Bound = cert.Unknown, nil, err.Error(), -1
		return true, nil
	case t == nil:
		return false, nil
	}
	if err := certify.NewChecker(d.File, a.Property).Trace(t); err != nil {
		return false, fmt.Errorf("%w: %w", coverage.ErrRecheck, err)
	}
	a.Trace = t
	return true, nil
}

// sourceTable shows the run that Settle took, in signals of the source alone.
func (d *Design) sourceTable(property int, w *aiger.Witness) (string, error) {
	own := map[aiger.Lit]bool{}
	for i, l := range d.File.Inputs {
		own[l] = d.Design.Abstraction.Own(i)
	}
	for i, l := range d.File.Latches {
		own[l.Lit] = d.Design.Artefact(i)
	}
	words := slices.DeleteFunc(d.Words(), func(w waveform.Word) bool { return w.Kind == waveform.Output || own[w.Bits[0]] })
	waves, err := waveform.RunDesign(d.File, w, words)
	if err != nil {
		return "", err
	}
	for _, e := range d.Design.Abstraction.Elements(property) {
		at, _ := new(big.Int).SetString(e.At, 2)
		word := waveform.Word{Kind: waveform.Register, Name: fmt.Sprintf("%s[%s]", e.Name, at), High: -1, Low: -1}
		if e.Input {
			word.Kind = waveform.Input
		}
		if n := len(e.Values[0]); n > 1 {
			word.High, word.Low = n-1, 0
		}
		waves.Words, waves.Values[0] = append(waves.Words, word), append(waves.Values[0], e.Values)
	}
	return waves.RunTable(d.File, nil), nil
}

// OfTrace is the design with the netlist of a property's counterexample.
func (d *Design) OfTrace(property int) *Design {
	if finer := d.fails[property]; finer != nil {
		return finer
	}
	return d
}

// Refine returns the design without the counterexamples that Settle found spurious.
func (d *Design) Refine() (*Design, error) {
	s, err := d.Source.Refine()
	if err != nil {
		return nil, err
	}
	return New(s), nil
}
