package coverage

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"netcov/aig"
	"netcov/cert"
	"netcov/ic3"
	"netcov/internal/clock"
	"netcov/internal/effort"
	"netcov/interp"
	"netcov/mutant"
	"netcov/netlist"
)

// Answer is what a model checker found out about a property, with its evidence.
type Answer struct {
	Status    cert.Status
	Engine    string
	Invariant *cert.Invariant // where the property holds
	Trace     *cert.Trace     // where it fails
	K, M      int             // bound and approximate image steps (DAC10, Algorithm 1)
	Bound     int             // deepest bound without a counterexample; -1: none
	Time      time.Duration
	Reason    string // why the status is unknown, where it is no time limit
	Err       error  // a fault of the program
	// Rounds of justice after which the search for a lasso begins, of which Invariant and
	// Trace speak; of liveness properties only.
	Rounds int

	engine *ic3.Engine   // that found the invariant; nil where it was another's
	parts  []*provedPart // of a property that was proved in parts: see checkParts
}

// The engines by name.
const (
	EngineInterp    = "interp"
	EngineIC3       = "ic3"
	EnginePortfolio = "portfolio"
	EngineBMC       = "bmc"
	// EngineEnumeration looks at all states of small designs, for justice properties.
	EngineEnumeration = "enumeration"
	// EngineSet proves several properties together (package propset), and a single
	// one by the default engine, in turn with k-induction.
	EngineSet = "set"
)

// Engines lists the names that Options.Engine takes. The bounded search finds
// counterexamples only.
var Engines = []string{EngineIC3, EngineInterp, EnginePortfolio, EngineBMC}

// DefaultEngine is the engine that measures best on the shared benchmarks.
const DefaultEngine = EngineIC3

// CheckOptions are the settings of Check. The zero value of a field means its default.
type CheckOptions struct {
	// Engine is one of Engines. Default DefaultEngine.
	Engine string
	// Paranoid checks everything that the engine does as it runs (see
	// Options.Paranoid); a fault is the Err of the answer. Default false.
	Paranoid bool
	// Effort counts what each engine does. Default nil: nothing is counted.
	Effort *effort.Engines
}

// Check model checks a property of a netlist.
func Check(ctx context.Context, n *netlist.Netlist, property int, opt CheckOptions) *Answer {
	opt.Engine = cmp.Or(opt.Engine, DefaultEngine)
	p := n.Property(property)
	if p.Kind == netlist.PropertyJustice {
		return &Answer{Engine: opt.Engine, Bound: -1, Reason: "justice (liveness) properties are not supported yet"}
	}
	return opt.guarded(ctx, func(ctx context.Context, look probes) *Answer { return checkNetlist(ctx, opt.Engine, n, p.Bad, look) })
}

// guarded runs an engine with what looks into it. A fault of it ends the run.
func (o CheckOptions) guarded(ctx context.Context, engine func(context.Context, probes) *Answer) *Answer {
	look := probes{effort: o.Effort}
	if !o.Paranoid {
		return engine(ctx, look)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var fault error
	look.check = func(err error) {
		if fault == nil {
			fault = fmt.Errorf("%w: %w", ErrRecheck, err)
			stop()
		}
	}
	r := engine(ctx, look)
	if fault != nil {
		r.Err = fault
	}
	return r
}

// checkNetlist runs an engine on the property with this bad-state literal; IC3 on a
// large one in parts.
func checkNetlist(ctx context.Context, engine string, n *netlist.Netlist, bad aig.Lit, look probes) *Answer {
	if engine == EngineIC3 {
		if b := bundle(n, bad); b != nil {
			return checkParts(ctx, n, b, look)
		}
	}
	return modelCheck(ctx, engine, netlist.Compile(n, bad, nil, mutant.AtOutput), look)
}

// modelCheck runs an engine on a model without cuts.
func modelCheck(ctx context.Context, engine string, m *netlist.Model, look probes) *Answer {
	begin := time.Now()
	var p *Answer
	switch engine {
	case EngineInterp:
		p = checkInterp(ctx, m, look)
	case EngineBMC:
		p = (&Search{model: m, look: look}).Deepen(ctx, 0)
	case EngineIC3:
		p = (&Search{model: m, look: look}).Prove(ctx, 0)
	case EnginePortfolio:
		p = checkPortfolio(ctx, m, look)
	default:
		p = &Answer{Engine: engine, Bound: -1, Err: fmt.Errorf("there is no engine %q", engine)}
	}
	p.Time = time.Since(begin)
	return p
}

func checkInterp(ctx context.Context, m *netlist.Model, look probes) *Answer {
	return fromInterp(interp.Check(ctx, m, look.interp()))
}

// fromInterp is interpolation's result in the terms of the cascade.
func fromInterp(res *interp.Result, err error) *Answer {
	if err != nil {
		return &Answer{Engine: EngineInterp, Bound: -1, Err: err}
	}
	p := &Answer{
		Status: res.Status, Engine: EngineInterp, K: res.K, M: res.M, Bound: res.Bound,
		Trace: res.Trace, Invariant: res.Invariant,
	}
	return p
}

// runEngine runs IC3 and puts the result in the terms of the cascade. One step
// suffices for its invariant, so k is 1; m is the number of frames.
func runEngine(ctx context.Context, e *ic3.Engine, b ic3.Budget) *Answer {
	r := e.Run(ctx, b)
	p := &Answer{
		Status: r.Status, Engine: EngineIC3, K: 1, M: max(r.Depth, 0), Bound: r.Depth,
		Trace: r.Trace, Invariant: r.Invariant, Err: r.Err,
	}
	if r.Status == cert.Holds {
		p.engine = e
	}
	return p
}

// checkPortfolio lets IC3 and interpolation take turns, in slices of growing
// length; the first answer counts.
func checkPortfolio(ctx context.Context, m *netlist.Model, look probes) *Answer {
	engine := ic3.New(m, look.ic3(nil))
	checker := interp.NewChecker(m, look.interp())
	for slice := 50 * time.Millisecond; ; slice *= 2 {
		p := runEngine(ctx, engine, ic3.Budget{Time: slice})
		if p.Status != cert.Unknown || p.Err != nil || ctx.Err() != nil {
			return p
		}
		limited, cancel := clock.Limit(ctx, slice)
		p = fromInterp(checker.Run(limited))
		cancel()
		if p.Status != cert.Unknown || p.Err != nil || ctx.Err() != nil {
			return p
		}
	}
}
