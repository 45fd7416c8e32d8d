package coverage

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"netcov/aig"
	"netcov/cert"
	"netcov/certify"
	"netcov/internal/clock"
	"netcov/internal/memlimit"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/propset"
)

// How the properties of a set get their outcomes: together, by package propset, or
// each alone, where one of the other engines is asked for.

// prover model checks the properties of a set.
type prover struct {
	*setRun
	journal *recorder
	last    time.Time // when the last answer came
	// cluster numbers the properties that are proved together; invariants prove, by
	// that number, all of them that hold so far.
	cluster    map[int]int
	invariants map[int]*cert.Invariant
	fault      error // that a check at run time has found
	asked      int   // properties, and how many of them are answered
	answered   int
}

// outcomes model checks properties. Each has a proof afterwards.
func (p *prover) outcomes(ctx context.Context, open []int) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	look := probes{effort: p.opt.Effort}
	if p.opt.Paranoid {
		look.check = func(err error) {
			if p.fault == nil {
				p.fault = fmt.Errorf("%w: %w", ErrRecheck, err)
				stop()
			}
		}
	}
	var err error
	if p.opt.Engine == EngineSet {
		err = p.together(ctx, open, look)
	} else {
		err = p.alone(ctx, open, p.opt.Engine, look)
	}
	if p.fault != nil {
		return p.fault
	}
	return err
}

// together proves the properties with the help of each other.
func (p *prover) together(ctx context.Context, open []int, look probes) error {
	for k, c := range propset.Clusters(p.n, open) {
		for _, i := range c {
			p.cluster[i] = k
		}
	}
	limited, cancel := clock.Limit(ctx, p.opt.Timeout*time.Duration(len(open)))
	defer cancel()
	watched, end := memlimit.Watch(limited, p.opt.MemoryLimit)
	p.last = time.Now()
	res, err := propset.Check(watched, p.n, open, propset.Options{Found: p.found, Check: look.check, Effort: look.effort})
	end()
	if err != nil && (watched.Err() == nil || errors.Is(err, ErrRecheck)) {
		return err
	}
	unanswered := slices.DeleteFunc(slices.Clone(open), func(i int) bool { return p.proofs[i] != nil })
	each := p.lap(len(unanswered))
	for _, i := range unanswered {
		bound, known := res.Bounds[i]
		if !known {
			bound = -1
		}
		p.proofs[i] = &Answer{Engine: EngineSet, Bound: bound, Time: each}
	}
	if !memlimit.Exceeded(watched) {
		return nil
	}
	// The engines for sets are abandoned together, though one of them has the memory.
	memlimit.Collect()
	return p.alone(limited, unanswered, EngineIC3, look)
}

// lap is the time since the last answer, for each of so many properties.
func (p *prover) lap(properties int) time.Duration {
	begin := p.last
	p.last = time.Now()
	return p.last.Sub(begin) / time.Duration(max(1, properties))
}

// found takes an answer about properties that are proved together.
func (p *prover) found(a *propset.Answer) error {
	each := p.lap(len(a.Properties))
	for _, i := range a.Properties {
		proof := &Answer{Engine: a.Engine, K: 1, Bound: -1, Time: each}
		if a.Trace != nil {
			proof.Status, proof.Trace = cert.Fails, a.Trace
		} else {
			proof.Status = cert.Holds
			p.invariants[p.cluster[i]] = a.Invariant
		}
		if err := p.outcome(i, proof); err != nil {
			return err
		}
	}
	p.last = time.Now()
	return nil
}

// alone proves each property by itself with an engine, on the part of the design that it
// depends on.
func (p *prover) alone(ctx context.Context, open []int, engine string, look probes) error {
	first := len(p.n.Properties()) // beyond the numbers of those that are proved together
	for k, i := range open {
		k += first
		p.cluster[i] = k
		part := p.extractor.Extract([]aig.Lit{p.all[i].Bad})
		m := netlist.Compile(part.Netlist, part.Netlist.Bads[0].Lit, nil, mutant.AtOutput)
		limited, cancel := clock.Limit(ctx, p.opt.Timeout)
		watched, end := memlimit.Watch(limited, p.opt.MemoryLimit)
		proof := modelCheck(watched, engine, m, look)
		if proof.Status == cert.Unknown && memlimit.Exceeded(watched) {
			proof.Reason = outOfMemory
		}
		end()
		cancel()
		proof.engine = nil // of the part of one property
		if before := p.proofs[i]; before != nil {
			proof.Bound = max(proof.Bound, before.Bound)
		}
		if proof.Err != nil {
			return proof.Err
		}
		switch proof.Status {
		case cert.Holds:
			proof.Invariant = part.Invariant(proof.Invariant)
			p.invariants[k] = proof.Invariant
		case cert.Fails:
			proof.Trace = part.Trace(proof.Trace)
		}
		if err := p.outcome(i, proof); err != nil {
			return err
		}
	}
	return nil
}

// outcome notes the outcome of a property, and asks for the second opinion on a
// counterexample. The second opinion on what holds comes with the mutants.
func (p *prover) outcome(property int, proof *Answer) error {
	p.proofs[property] = proof
	if proof.Status == cert.Fails && !p.opt.NoRecheck {
		if err := certify.NewChecker(p.f, property).Trace(proof.Trace); err != nil {
			return fmt.Errorf("%w: the original: %w", ErrRecheck, err)
		}
	}
	p.journal.outcomeInSet(property, proof)
	p.answered++
	p.tell()
	p.opt.Log.Info("model checking done", "property", property, "status", proof.Status, "engine", proof.Engine, "seconds", proof.Time.Seconds())
	return nil
}

// tell says how far the proofs are.
func (p *prover) tell() {
	if p.opt.Progress != nil {
		p.opt.Progress(Progress{Stage: StageProving, Properties: p.asked, Answered: p.answered})
	}
}

// invariantOf returns an invariant of the design that proves properties.
func (p *prover) invariantOf(properties []int) *cert.Invariant {
	var all []*cert.Invariant
	for _, i := range properties {
		if inv := p.invariants[p.cluster[i]]; !slices.Contains(all, inv) {
			all = append(all, inv)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return cert.Conjunction(all...)
}

// restore takes up the outcomes and the groups of an earlier run. A property whose
// outcome was recorded, but not its group, is proved anew.
func (r *setRun) restore(properties []int, records map[int][]*entry) error {
	for _, i := range properties {
		for _, e := range records[i] {
			if e.Kind != kindProof {
				continue
			}
			_, trace, err := e.values(len(r.n.Latches) + 1)
			if err != nil {
				return e.refuse("%w", err)
			}
			proof, err := e.outcome(nil, trace)
			if err != nil || !e.Set {
				return e.refuse("no outcome of a property of a set")
			}
			if proof.Status == cert.Fails {
				if err := certify.NewChecker(r.f, i).Trace(trace); err != nil {
					return e.refuse("%w", err)
				}
			}
			r.proofs[i] = proof
		}
	}
	grouped := map[int]bool{}
	for _, i := range properties {
		for _, e := range records[i] {
			if e.Kind != kindGroup {
				continue
			}
			inv, _, err := e.values(len(r.n.Latches) + 1)
			if err != nil || inv == nil || len(e.Properties) == 0 || e.Properties[0] != i {
				return e.refuse("no group of properties")
			}
			for _, p := range e.Properties {
				if !slices.Contains(properties, p) || grouped[p] || r.proofs[p] == nil || r.proofs[p].Status != cert.Holds {
					return e.refuse("a group with property %d, which is not proved, or is in another group", p)
				}
				grouped[p] = true
			}
			g := r.newGroup(e.Properties, inv)
			g.taken = true
			r.groups = append(r.groups, g)
		}
	}
	for p, proof := range r.proofs {
		if proof.Status == cert.Holds && !grouped[p] {
			delete(r.proofs, p)
		}
	}
	return nil
}
