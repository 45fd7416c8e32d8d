package certify

import (
	"context"
	"fmt"

	"netcov/aiger"
	"netcov/cert"
)

// A proof of a set of properties may come in layers. What a layer has proved holds in
// every state that the design reaches, so later ones may assume it: an invariant in each
// state, a property in each state in which the constraints hold. Some properties are
// k-inductive together:
//
//	base    no run of less than k steps has a bad state
//	step    k states in which the constraints hold and none is bad, and one more in
//	        which the constraints hold: that is not bad either
//
// This is the design's business alone. A mutant may break whatever a layer rests on.

// Layers checks layers of a proof, one after the other.
type Layers struct {
	// Solver decides the queries.
	Solver Solver

	file       *aiger.File
	k          *Checker
	properties []aiger.Lit       // of the file
	cuts       *cuts             // none
	frames     *[]*frame         // memory that one check after the other uses
	invariants []*cert.Invariant // that are confirmed
	holding    []aiger.Lit       // bad-state literals of properties that are
}

// NewLayers prepares the checks of a proof about a file, which must not be changed
// afterwards.
func NewLayers(f *aiger.File) *Layers {
	bads, _, _ := f.Properties()
	k := newChecker(f)
	return &Layers{file: f, k: k, properties: bads, cuts: &cuts{mark: make([]cutMark, len(k.kind))}, frames: &[]*frame{}}
}

// Anew returns the checks of another proof about the same file. The two must not be used
// at the same time.
func (x *Layers) Anew() *Layers {
	y := *x
	y.invariants, y.holding = nil, nil
	return &y
}

// Confirm checks the next layer. It returns nil, a *Failure, or the error that kept it
// from deciding.
func (x *Layers) Confirm(ctx context.Context, layer cert.Layer) error {
	var bads []aiger.Lit
	for _, p := range layer.Properties {
		if p < 0 || p >= len(x.properties) {
			return fmt.Errorf("property %d is none of the file's %d safety properties", p, len(x.properties))
		}
		bads = append(bads, x.properties[p])
	}
	var err error
	if layer.Invariant == nil {
		err = x.inductive(ctx, bads, layer.K)
	} else {
		err = x.invariant(ctx, bads, layer.Invariant)
	}
	if err != nil {
		return err
	}
	if layer.Invariant != nil {
		x.invariants = append(x.invariants, layer.Invariant)
	}
	x.holding = append(x.holding, bads...)
	return nil
}

// inductive checks that properties are k-inductive together.
func (x *Layers) inductive(ctx context.Context, bads []aiger.Lit, k int) error {
	if k < 0 {
		return fmt.Errorf("%d-induction is not defined", k)
	}
	for t := range k {
		q := x.unroll(t+1, true)
		x.ask(q, t, bads)
		if possible, err := q.possible(ctx); err != nil || possible {
			return failed(err, Initiation)
		}
	}
	q := x.unroll(k+1, false)
	for t := range k {
		for _, l := range bads {
			q.c.add(-x.frame(t).lit(l))
		}
	}
	x.ask(q, k, bads)
	possible, err := q.possible(ctx)
	if err != nil || possible {
		return failed(err, Consecution)
	}
	return nil
}

// invariant checks that inv is inductive and excludes the bad states, given what is
// confirmed.
func (x *Layers) invariant(ctx context.Context, bads []aiger.Lit, inv *cert.Invariant) error {
	if err := x.k.wellFormed(inv); err != nil {
		return err
	}
	q := x.unroll(1, true)
	q.cubes = violations(q.c, inv, x.frame(0).stored)
	if possible, err := q.possible(ctx); err != nil || possible {
		return failed(err, Initiation)
	}
	q = x.unroll(1, false)
	assert(q.c, inv, x.frame(0).stored)
	q.cubes = violations(q.c, inv, x.frame(0).next)
	if possible, err := q.possible(ctx); err != nil || possible {
		return failed(err, Consecution)
	}
	q = x.unroll(1, false)
	assert(q.c, inv, x.frame(0).stored)
	x.ask(q, 0, bads)
	if possible, err := q.possible(ctx); err != nil || possible {
		return failed(err, Safety)
	}
	return nil
}

// failed is the error of a query that is possible, where none kept it from an answer.
func failed(err error, c Condition) error {
	if err != nil {
		return err
	}
	return &Failure{Condition: c}
}

// sharedFrom is the number of states from which equal gates are one: a design and what
// watches it have many in common from the second state on.
const sharedFrom = 2

// unroll begins a query about states that follow each other, in each of which the
// constraints hold, and what is confirmed.
func (x *Layers) unroll(states int, initial bool) *query {
	c := &cnf{vars: 1}
	if states >= sharedFrom {
		c.gates = map[[2]lit]lit{}
	}
	for t := range states {
		f := x.frame(t)
		clear(f.seen)
		clear(f.state)
		clear(f.after)
		clear(f.atZero)
		f.seen[0] = no
		f.c, f.initial, f.first, f.missed, f.before = c, initial && t == 0, 0, 0, nil
		if t > 0 {
			f.before = x.frame(t - 1)
		}
		for _, inv := range x.invariants {
			assert(c, inv, f.stored)
		}
		for _, l := range x.file.Constraints {
			c.add(f.lit(l))
		}
		for _, l := range x.holding {
			c.add(-f.lit(l))
		}
	}
	return &query{c: c, kind: x.Solver}
}

// frame returns the frame after so many steps.
func (x *Layers) frame(t int) *frame {
	if t == len(*x.frames) {
		*x.frames = append(*x.frames, &frame{
			k: x.k, cuts: x.cuts,
			seen: make([]lit, len(x.k.kind)), state: make([]lit, len(x.file.Latches)), after: make([]lit, len(x.file.Latches)),
		})
	}
	return (*x.frames)[t]
}

// ask makes it the question whether one of some bad states is possible after so many
// steps.
func (x *Layers) ask(q *query, steps int, bads []aiger.Lit) {
	for _, l := range bads {
		switch p := x.frame(steps).lit(l); p {
		case no:
		case yes:
			q.cubes = append(q.cubes, nil)
		default:
			q.cubes = append(q.cubes, []lit{p})
		}
	}
}
