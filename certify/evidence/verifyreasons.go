package evidence

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"netcov/aiger"
	"netcov/certify"
	"netcov/mutant"
)

// reasonVerifier checks that each reason is true. That none before it is true as well is
// shown of outside only: the node of any other reason is inside of some cone.
type reasonVerifier struct {
	*verifier
	c *certify.Comparison
}

// reasons checks that each mutant which no property notices has one reason, and makes
// the tasks for what proves it.
func (v *verifier) reasons() {
	x := v.index.Reasons
	if x == nil {
		return
	}
	points, err := certify.ParseObservation(x.Observe)
	if err == nil && points == certify.ObserveDefault {
		err = errors.New("the index does not say where a difference counts")
	}
	if err != nil {
		v.fail(IndexName, "%v", err)
		return
	}
	r := &reasonVerifier{v, certify.NewComparison(v.design, points, v.opt.Solver, v.index.held()...)}
	v.explained = map[node]mutant.Reason{}
	for i := range x.Mutants {
		e := &x.Mutants[i]
		n := node{e.Kind, e.Index, e.Fault}
		switch {
		case v.rulings[n] == nil || e.Mux != v.scope.Mux:
			v.fail(n.String(), "it has a reason, and is no mutant of the scope")
		case !v.rulings[n].uncovered():
			v.fail(n.String(), "it has the reason %v, and is not known to be uncovered", e.Reason)
		case v.explained[n] != mutant.NoReason:
			v.fail(n.String(), "it has two reasons")
		default:
			v.explained[n] = e.Reason
			v.report.Reasons[e.Reason.String()]++
			r.one(n.String(), e)
		}
	}
	for n, ruling := range v.rulings {
		if ruling.listed && ruling.uncovered() && v.explained[n] == mutant.NoReason {
			v.fail(n.String(), "it is not covered, and has no reason")
		}
	}
}

// one makes the tasks of one reason.
func (r *reasonVerifier) one(where string, e *IndexReason) {
	m, err := e.mutation()
	outside := false
	if err == nil {
		outside, err = r.c.Outside(m)
	}
	if err != nil {
		r.fail(where, "%v", err)
		return
	}
	if outside != (e.Reason == mutant.Outside) {
		r.fail(where, "its reason is %v; that it is outside of all cones of influence is %v", e.Reason, outside)
		return
	}
	type files struct{ invariant, trace, model bool }
	has := files{e.Invariant != "", e.Trace != "", e.Model != ""}
	fits := false
	switch e.Reason {
	case mutant.Outside, mutant.Open:
		fits = has == files{}
	case mutant.Constant, mutant.Equivalent:
		fits = has == files{invariant: true}
	case mutant.Vacuous:
		fits = has == files{} || has == files{invariant: true, trace: true}
	case mutant.Gap:
		fits = has.trace && !has.invariant
	}
	if !fits {
		r.fail(where, "the evidence does not fit the reason %v", e.Reason)
		return
	}
	if has.model {
		r.tasks = append(r.tasks, func(context.Context) error {
			if miter, err := r.c.Miter(m); err != nil {
				r.fail(where, "%v", err)
			} else {
				r.same(e.Model, miter)
			}
			return nil
		})
	}
	if e.Reason != mutant.Outside && e.Reason != mutant.Open {
		r.tasks = append(r.tasks, func(ctx context.Context) error {
			if err := r.proof(ctx, m, e); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				r.fail(where, "it is not proved to be %v: %v", e.Reason, err)
			}
			return nil
		})
	}
}

// errRead stands for a file that has failed under its own name.
var errRead = errors.New("a file of it does not stand")

// proof checks what proves a reason.
func (r *reasonVerifier) proof(ctx context.Context, m certify.Mutation, e *IndexReason) error {
	if e.Reason == mutant.Vacuous && e.Invariant == "" {
		return r.c.NoRun(ctx)
	}
	if e.Trace != "" {
		w, err := r.trace(m, e.Trace)
		if err != nil {
			return err
		}
		check := r.c.Gap
		if e.Reason == mutant.Vacuous {
			check = r.c.Apart
		}
		if err := check(w, m); err != nil {
			return fmt.Errorf("%s: %w", e.Trace, err)
		}
		r.replayed()
	}
	if e.Invariant == "" {
		return nil
	}
	most := freeFile + witnessPer*int64(len(r.design.Inputs)+len(r.design.Latches)+len(r.design.Ands))
	f := r.circuit(e.Invariant, most)
	if f == nil {
		return errRead
	}
	inv, err := r.c.ReadCircuit(f, e.Reason != mutant.Constant)
	if err == nil {
		if e.Reason == mutant.Constant {
			err = r.c.Constant(ctx, inv, m)
		} else {
			err = r.c.Pair(ctx, inv, m, e.Reason == mutant.Equivalent)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", e.Invariant, err)
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	r.report.Certificates++
	return nil
}

// trace loads a trace of the miter as one of the design and the mutant.
func (r *reasonVerifier) trace(m certify.Mutation, path string) (*aiger.Witness, error) {
	data := r.load(path, traceFile, r.traceSize(2*len(r.design.Latches)))
	if data == nil {
		return nil, errRead
	}
	all, err := aiger.ReadWitnesses(bytes.NewReader(data), path, nil)
	if err == nil && (len(all) != 1 || all[0].Status != aiger.Fails || len(all[0].Properties) != 1 || all[0].Properties[0] != aiger.Property{Kind: 'b'}) {
		err = fmt.Errorf("%s: the file is not one trace of bad state 0", path)
	}
	if err != nil {
		return nil, err
	}
	w, err := r.c.FromMiter(all[0], m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return w, nil
}
