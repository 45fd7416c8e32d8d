package ltl

import (
	"context"
	"errors"
	"fmt"

	"netcov/aiger"
	"netcov/cert"
	"netcov/kripke/confirm"
	"netcov/liveness"
)

// What the search says is put into the words of the second opinion (package confirm), and
// counts only when that agrees. The two have the same registers; of a search for a lasso
// they may remember different ones.

// Unconfirmed is the error of an answer that the second opinion does not confirm.
type Unconfirmed struct {
	What string
	Err  error
}

// Error says what is not confirmed.
func (e *Unconfirmed) Error() string {
	return fmt.Sprintf("the second opinion does not confirm %s (%v): it is left unknown; please report this", e.What, e.Err)
}

// Unwrap is the reason.
func (e *Unconfirmed) Unwrap() error { return e.Err }

// evidence is what a check leaves that finds no run.
type evidence struct {
	invariant *cert.Invariant
	rounds    int         // of fairness before the search for a lasso; -1 for finite runs
	file      *aiger.File // with that search's justice property
}

// opinions answers for one specification.
type opinions struct{ *confirm.Opinion }

func (f Flip) opinion(kind Kind) confirm.Flip {
	if f.Signal == "" {
		return confirm.Flip{}
	}
	notion := map[Kind]confirm.Notion{
		StructureCoverage: confirm.EveryVisit, NodeCoverage: confirm.OneVisit, TreeCoverage: confirm.SomeVisits,
	}
	return confirm.Flip{Notion: notion[kind], Signal: f.Signal, InDesign: f.Scope == InDesign}
}

// none checks a proof that there is no violation with flips outside of some cubes.
func (o opinions) none(ctx context.Context, kind Kind, flip Flip, spared []Cube, proof *evidence) error {
	var without []confirm.Cube
	for i := range spared {
		without = append(without, spared[i].opinion())
	}
	q, err := o.Question(flip.opinion(kind), without)
	if err != nil {
		return err
	}
	inv := proof.invariant
	if proof.rounds >= 0 && inv != nil {
		if inv, err = moved(inv, liveness.LayoutOf(proof.file, 0, proof.rounds), liveness.LayoutOf(q.File, 0, proof.rounds)); err != nil {
			return err
		}
	}
	return q.Proves(ctx, inv, proof.rounds)
}

func (q *Cube) opinion() confirm.Cube {
	out := confirm.Cube{Registers: q.Registers, Values: q.Values}
	if !q.Whole {
		out.Automaton = q.Automaton
	}
	return out
}

// moved is an invariant of one search for a lasso as one of another.
func moved(inv *cert.Invariant, from, to liveness.Layout) (*cert.Invariant, error) {
	if from.Latches != to.Latches || len(from.Seen) != len(to.Seen) {
		return nil, fmt.Errorf("%d registers and %d literals, not %d and %d", from.Latches, len(from.Seen), to.Latches, len(to.Seen))
	}
	at := map[int]int{}
	for i, p := range from.Copies {
		p2, ok := to.Copies[i]
		if !ok {
			return nil, fmt.Errorf("register %d matters for one of them only", i)
		}
		at[p] = p2
	}
	same := from.Latches + 2 + len(from.Seen)
	position := func(p int) int {
		if q, ok := at[p]; ok {
			return q
		}
		if p < same {
			return p
		}
		return p - from.Added + to.Added // the counters are last
	}
	out := *inv
	out.Clauses = make([]cert.Clause, len(inv.Clauses))
	for i, c := range inv.Clauses {
		for _, l := range c {
			out.Clauses[i] = append(out.Clauses[i], cert.MkStateLit(position(l.Latch()), l.Neg()))
		}
	}
	out.Support = nil
	for _, s := range inv.Support {
		out.Support = append(out.Support, cert.SupportLatch{Lit: s.Lit, Latch: position(s.Latch)})
	}
	return &out, nil
}

// run checks a violation by simulation.
func (o opinions) run(kind Kind, flip Flip, v *violation) error {
	if v.state == nil {
		flip = Flip{}
	}
	return o.Run(flip.opinion(kind), v.state, o.claim(v))
}

// claim is a violation as the second opinion takes it.
func (o opinions) claim(v *violation) confirm.Run {
	out := confirm.Run{Start: v.start, Loop: v.run.Loop}
	for t, s := range v.run.Steps {
		out.Inputs = append(out.Inputs, v.inputs[t][:v.system])
		out.Flipped, out.Letters = append(out.Flipped, s.Flipped), append(out.Letters, s.Letter)
	}
	return out
}

// cube checks that a violation is one of all reachable states of a cube. The run has been
// checked, and the invariant.
func (o opinions) cube(ctx context.Context, p *SAT, kind Kind, flip Flip, v *violation, q Cube) error {
	if len(q.Registers) == len(v.state) && q.Has(v.state) && q.Whole {
		return nil // the state of the run
	}
	claim := q.opinion()
	if claim.Automaton = v.auto; !q.Whole && q.Automaton != v.auto {
		return fmt.Errorf("the automaton is in state %d", v.auto-1)
	}
	if q.Whole {
		if !o.IsInitial(v.auto) {
			return fmt.Errorf("the automaton is in state %d, not in its initial one", v.auto-1)
		}
		leaves, needless, err := o.Waits()
		if err != nil {
			return err
		}
		if !needless && !p.waitsConfirmed {
			if p.leaves == nil {
				return errors.New("the automaton need not be able to wait")
			}
			if err := (opinions{leaves}).none(ctx, kind, Flip{}, nil, p.leaves); err != nil {
				return err
			}
			p.waitsConfirmed = true
		}
	}
	return o.Cube(ctx, flip.opinion(kind), claim, o.claim(v), p.invariant)
}
