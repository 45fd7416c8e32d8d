package propset

import (
	"context"

	"netcov/cert"
	"netcov/internal/effort"
	"netcov/interp"
	"netcov/netlist"
)

// Options are the settings of a run. The zero value of a field means its default.
type Options struct {
	// Found is called with each answer as it comes. An error from it ends the
	// run. Default: nobody is told.
	Found func(*Answer) error
	// Check is called with each fault that checks at run time find. Slow. Default
	// nil: no checks.
	Check func(error)
	// Effort counts what each engine does. Default nil: nothing is counted.
	Effort *effort.Engines
	// Layers asks for answers that hold the layers of the proof, in the place of one
	// invariant: what is k-inductive then needs none. Default false.
	Layers bool
	// Quick asks for no more than k-induction with k up to 2, the work of a few
	// queries. Default false.
	Quick bool
}

func (o *Options) interp(engine string) interp.Options {
	return interp.Options{Check: o.Check, Effort: o.Effort.Of(engine)}
}

// Answer is what was found out about some properties at once, with its evidence.
type Answer struct {
	Properties []int // as given to Check
	// Invariant proves that all of them hold; nil where they fail. It is inductive
	// when the constraint is assumed in the current state, and excludes their bad
	// states. With Options.Layers it is nil, and there are the layers of the proof that
	// are new since the last answer of the same cluster; those of another cluster have
	// nothing to do with them.
	Invariant *cert.Invariant
	Layers    []cert.Layer
	Cluster   int // a number
	// Trace is a run at whose end all of them fail.
	Trace *cert.Trace
	// Engine names what found the answer.
	Engine string
}

// The engines.
const (
	EngineBounded   = "bmc"
	EngineClasses   = "signal correspondence"
	EngineInduction = "k-induction"
	EngineIC3       = "ic3"
)

// Engines lists their names.
var Engines = []string{EngineBounded, EngineClasses, EngineInduction, EngineIC3}

// Result is what a run leaves open.
type Result struct {
	// Bounds are the properties that are neither proved nor refuted: for each the
	// number of steps within which it does not fail, -1 where nothing is known.
	Bounds map[int]int
}

// Check model checks properties of a netlist, positions in n.Properties(), none
// of which may be a liveness property. When ctx ends, what is not answered by then
// is left open. The error is one of Found, or a fault of the program.
func Check(ctx context.Context, n *netlist.Netlist, properties []int, opt Options) (*Result, error) {
	if opt.Found == nil {
		opt.Found = func(*Answer) error { return nil }
	}
	s := &scheduler{res: &Result{Bounds: map[int]int{}}, quick: opt.Quick}
	for number, c := range clusters(n, properties) {
		r := newRun(c, &opt)
		r.number = number
		s.runs = append(s.runs, r)
	}
	return s.res, s.all(ctx)
}
