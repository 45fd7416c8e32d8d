package coverage

import (
	"math/rand/v2"

	"netcov/aig"
	"netcov/netlist"
)

// Inputs that satisfy the constraints. On designs with assumptions a random run dies in
// its first steps. The constraint is a conjunction of many small ones, each about few
// inputs, so random inputs are repaired, in 64 lanes at once: where a conjunct fails, its
// inputs are changed, until none does (WalkSAT: Selman, Kautz, Cohen, Noise strategies
// for improving local search, AAAI 1994). Assumptions of a bus often say that something
// stays as it was, so one of the changes is to the inputs of the frame before.
//
// This only chooses inputs. Whether a run is one is told by the simulation of the mutant.

// repairRounds bounds the changes of the inputs of a frame.
const repairRounds = 32

// repair chooses inputs that satisfy a model's constraint.
type repair struct {
	part      *netlist.Part
	whole     aig.Lit
	conjuncts []conjunct
}

// conjunct is a part of the constraint, and the inputs that it reads.
type conjunct struct {
	lit    aig.Lit
	inputs []int
}

// newRepair returns nil where the model has no constraint that reads inputs.
func newRepair(m *netlist.Model) *repair {
	r := &repair{whole: m.Constraint, part: netlist.NewPart(m, m.Constraint)}
	if len(r.part.Inputs) == 0 {
		return nil
	}
	for _, l := range m.Graph.Conjuncts(m.Constraint) {
		if in := netlist.NewPart(m, l).Inputs; len(in) > 0 {
			r.conjuncts = append(r.conjuncts, conjunct{l, in})
		}
	}
	return r
}

// inputs changes inputs in the lanes in which they do not satisfy the constraint in the
// simulator's state, which is that of the next frame; before are the inputs of the frame
// before, if any.
func (r *repair) inputs(sim *netlist.Simulator, rng *rand.Rand, lanes uint64, in, before []uint64) {
	for range repairRounds {
		sim.EvalPart(r.part, in)
		failing := lanes &^ sim.Value(r.whole)
		if failing == 0 {
			return
		}
		for k := range r.conjuncts {
			c := &r.conjuncts[k]
			w := failing &^ sim.Value(c.lit)
			if w == 0 {
				continue
			}
			move := rng.IntN(4)
			if move == 0 {
				in[c.inputs[rng.IntN(len(c.inputs))]] ^= w
				continue
			}
			for _, i := range c.inputs {
				switch {
				case move == 1 && before != nil:
					in[i] = in[i]&^w | before[i]&w
				case move == 2:
					in[i] ^= w & rng.Uint64() & rng.Uint64()
				default:
					in[i] = in[i]&^w | rng.Uint64()&w
				}
			}
		}
	}
}
