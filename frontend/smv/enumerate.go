package smv

import (
	"context"
	"fmt"
	"slices"

	"netcov/aig"
	"netcov/sat"
)

// LimitError says that a model has more states than the caller allows.
type LimitError struct {
	What  string // what there are more of
	Limit int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the model has more than %d %s; raise the limit, or use the symbolic algorithms", e.Limit, e.What)
}

// enumerator lists the different values of output literals over all values of
// the free leaves that satisfy a condition, with some leaves fixed. Few free
// leaves are tried one by one, 64 at a time; otherwise a SAT solver finds one
// output after the other.
type enumerator struct {
	g       *aig.Graph
	outputs []aig.Lit
	cond    aig.Lit
	fixed   []aig.Node
	free    []aig.Node
	ands    []aig.Node
	vals    []uint64
	sat     *satGraph
	blocked int
}

// The most free leaves that are tried one by one, and the number of blocking
// clauses after which a new solver starts.
const (
	maxTried   = 16
	maxBlocked = 50_000
)

func newEnumerator(g *aig.Graph, outputs []aig.Lit, cond aig.Lit, fixed []aig.Node) *enumerator {
	en := &enumerator{g: g, outputs: outputs, cond: cond, fixed: fixed}
	isFixed := map[aig.Node]bool{}
	for _, n := range fixed {
		isFixed[n] = true
	}
	for _, n := range g.Cone(append(slices.Clone(outputs), cond)...) {
		switch {
		case g.Kind(n) == aig.KindAnd:
			en.ands = append(en.ands, n)
		case !isFixed[n]:
			en.free = append(en.free, n)
		}
	}
	return en
}

// lanes holds the first six free leaves' values in the 64 lanes.
var lanes = [6]uint64{
	0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000,
}

// run lists the outputs, packed as states, in ascending order.
func (en *enumerator) run(ctx context.Context, fixed State, limit int) ([]State, error) {
	if en.cond == aig.False {
		return nil, nil
	}
	found := map[State]bool{}
	var err error
	if len(en.free) <= maxTried {
		err = en.try(ctx, fixed, limit, found)
	} else {
		err = en.search(ctx, fixed, limit, found)
	}
	if err != nil {
		return nil, err
	}
	out := make([]State, 0, len(found))
	for s := range found {
		out = append(out, s)
	}
	slices.Sort(out)
	return out, nil
}

func (en *enumerator) try(ctx context.Context, fixed State, limit int, found map[State]bool) error {
	if len(en.vals) < en.g.Size() {
		en.vals = make([]uint64, en.g.Size())
	}
	v := en.vals
	for i, n := range en.fixed {
		v[n] = -uint64(fixed.bit(i))
	}
	k := len(en.free)
	valid := ^uint64(0)
	if k < 6 {
		valid = 1<<(1<<k) - 1
	}
	for i := range min(k, 6) {
		v[en.free[i]] = lanes[i]
	}
	buf := make([]byte, (len(en.outputs)+7)/8)
	for block := range 1 << max(k-6, 0) {
		if block&0xff == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i := 6; i < k; i++ {
			v[en.free[i]] = -uint64(block >> (i - 6) & 1)
		}
		evaluate(en.g, en.ands, v)
		for ok := word(v, en.cond) & valid; ok != 0; ok &= ok - 1 {
			lane := trailing(ok)
			clear(buf)
			for i, l := range en.outputs {
				buf[i/8] |= byte(word(v, l)>>lane&1) << (i % 8)
			}
			if !found[State(buf)] {
				if len(found) == limit {
					return &LimitError{"successors or initial states", limit}
				}
				found[State(buf)] = true
			}
		}
	}
	return nil
}

// evaluate computes AND nodes, given in ascending order, in 64 lanes.
func evaluate(g *aig.Graph, ands []aig.Node, v []uint64) {
	for _, n := range ands {
		a, b := g.Fanins(n)
		v[n] = word(v, a) & word(v, b)
	}
}

func word(v []uint64, l aig.Lit) uint64 { return v[l.Node()] ^ -uint64(l&1) }

func (en *enumerator) search(ctx context.Context, fixed State, limit int, found map[State]bool) error {
	if en.sat == nil || en.blocked > maxBlocked {
		en.sat, en.blocked = newSATGraph(en.g), 0
	}
	s := en.sat
	on := sat.MkLit(s.solver.NewVar(), false) // the blocking clauses of this run
	assume := []sat.Lit{on, s.lit(en.cond)}
	for i, n := range en.fixed {
		assume = append(assume, s.lit(aig.MkLit(n, fixed.bit(i) == 0)))
	}
	outs := make([]sat.Lit, len(en.outputs))
	for i, l := range en.outputs {
		outs[i] = s.lit(l)
	}
	defer func() { s.solver.AddClause(on.Not()) }()
	for {
		switch s.solver.Solve(ctx, assume...) {
		case sat.Unsat:
			return nil
		case sat.Unknown:
			return ctx.Err()
		}
		if len(found) == limit {
			return &LimitError{"successors or initial states", limit}
		}
		buf := make([]byte, (len(outs)+7)/8)
		block := []sat.Lit{on.Not()}
		for i, l := range outs {
			holds := s.solver.Value(l)
			if holds {
				buf[i/8] |= 1 << (i % 8)
			}
			block = append(block, l.XorSign(holds))
		}
		found[State(buf)] = true
		s.solver.AddClause(block...)
		en.blocked++
	}
}
