package certify

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"netcov/aiger"
	"netcov/cert"
)

// claims are facts about a design as its definition gives them: what earlier layers have
// proved.
type claims struct {
	f          *aiger.File
	o          []*oracle // by property
	holding    []int
	invariants []*cert.Invariant
}

// allowed evaluates a frame: whether the constraints hold there, and what is proved; and
// what comes after it.
func (c *claims) allowed(s []bool, in int) (ok bool, next []bool) {
	ok, _, next = c.o[0].step(s, in, false)
	for _, inv := range c.invariants {
		ok = ok && inv.Holds(s)
	}
	for _, p := range c.holding {
		ok = ok && !c.bad(p, s, in)
	}
	return ok, next
}

func (c *claims) bad(p int, s []bool, in int) bool {
	_, bad, _ := c.o[p].step(s, in, false)
	return bad
}

// step returns the states after those of a set, by inputs for which none of some
// properties is bad, and whether some is.
func (c *claims) step(from map[int]bool, properties []int) (after map[int]bool, bad bool) {
	after = map[int]bool{}
	n := len(c.f.Latches) + 1
	for s := range from {
		for in := range 1 << len(c.f.Inputs) {
			state := decode(s, n)
			ok, next := c.allowed(state, in)
			fails := false
			for _, p := range properties {
				fails = fails || c.bad(p, state, in)
			}
			bad = bad || ok && fails
			if ok && !fails {
				after[code(next)] = true
			}
		}
	}
	return after, bad
}

// initial returns the initial states, and all states.
func (c *claims) initial() (initial, all map[int]bool) {
	initial, all = map[int]bool{}, map[int]bool{}
	for _, s := range c.o[0].initials() {
		initial[code(s)] = true
	}
	for s := range 1 << (len(c.f.Latches) + 1) {
		all[s] = true
	}
	return initial, all
}

// inductive reports whether properties are k-inductive together.
func (c *claims) inductive(properties []int, k int) bool {
	at, all := c.initial()
	for range k {
		after, bad := c.step(at, properties)
		if bad {
			return false
		}
		at = after
	}
	for range k {
		all, _ = c.step(all, properties)
	}
	_, bad := c.step(all, properties)
	return !bad
}

// proves reports whether an invariant is inductive and excludes the bad states.
func (c *claims) proves(properties []int, inv *cert.Invariant) bool {
	initial, all := c.initial()
	n := len(c.f.Latches) + 1
	for s := range all {
		state := decode(s, n)
		for in := range 1 << len(c.f.Inputs) {
			ok, next := c.allowed(state, in)
			if ok && initial[s] && !inv.Holds(state) || ok && inv.Holds(state) && !inv.Holds(next) {
				return false
			}
			for _, p := range properties {
				if ok && inv.Holds(state) && c.bad(p, state, in) {
					return false
				}
			}
		}
	}
	return true
}

// TestLayersAgainstEnumeration compares the opinion on random layers, right and wrong
// ones, with the definition, by each solver. Properties that all layers of a proof have
// are checked to hold.
func TestLayersAgainstEnumeration(t *testing.T) {
	inductive, invariants, refused, given := 0, 0, 0, 0
	for seed := range uint64(6000) {
		r := rand.New(rand.NewPCG(seed, 31))
		f := randomFile(r)
		bads, _, _ := f.Properties()
		c := &claims{f: f}
		fails := make([]bool, len(bads))
		for p := range bads {
			c.o = append(c.o, newOracle(f, p, nil))
			_, trace := c.o[p].search()
			fails[p] = trace != nil
		}
		reached, _ := c.o[0].search()
		x := NewLayers(f)
		x.Solver = Solver(seed % 3)
		for range 4 {
			layer := cert.Layer{K: r.IntN(4)}
			for p := range bads {
				if r.IntN(2) == 0 {
					layer.Properties = append(layer.Properties, p)
				}
			}
			var want bool
			if r.IntN(3) == 0 {
				states := map[int]bool{}
				for s := range 1 << (len(f.Latches) + 1) {
					if reached[s] || r.IntN(3) == 0 {
						states[s] = true
					}
				}
				if r.IntN(4) == 0 {
					for s := range reached {
						delete(states, s)
						break
					}
				}
				layer.Invariant = exact(states, len(f.Latches)+1, r.IntN(2) == 0)
				want = c.proves(layer.Properties, layer.Invariant)
			} else {
				want = c.inductive(layer.Properties, layer.K)
			}
			err := x.Confirm(context.Background(), layer)
			if no := (*Failure)(nil); err != nil && !errors.As(err, &no) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if (err == nil) != want {
				t.Fatalf("seed %d: %+v: %v, the definition says %v", seed, layer, err, want)
			}
			if err != nil {
				refused++
				continue
			}
			if len(c.holding)+len(c.invariants) > 0 {
				given++
			}
			if layer.Invariant != nil {
				invariants++
				c.invariants = append(c.invariants, layer.Invariant)
			} else if len(layer.Properties) > 0 {
				inductive++
			}
			c.holding = append(c.holding, layer.Properties...)
			for _, p := range layer.Properties {
				if fails[p] {
					t.Fatalf("seed %d: property %d fails, and has a proof: %+v", seed, p, layer)
				}
			}
		}
	}
	if inductive < 1000 || invariants < 500 || refused < 1000 || given < 1000 {
		t.Fatalf("%d k-inductive sets, %d invariants, %d layers refused, %d with others given", inductive, invariants, refused, given)
	}
}

// TestLayersOfNothing: a layer that speaks of what is not there is an error.
func TestLayersOfNothing(t *testing.T) {
	f := randomFile(rand.New(rand.NewPCG(1, 1)))
	for _, l := range []cert.Layer{
		{Properties: []int{99}},
		{Properties: []int{-1}},
		{Properties: []int{0}, K: -1},
		{Invariant: &cert.Invariant{Clauses: []cert.Clause{{cert.MkStateLit(99, false)}}}},
	} {
		if NewLayers(f).Confirm(context.Background(), l) == nil {
			t.Errorf("%+v is accepted", l)
		}
	}
}
