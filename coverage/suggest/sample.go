package suggest

import (
	"context"
	"math/bits"
	"math/rand/v2"

	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
	"netcov/netlist"
)

// maxHistory is the number of steps that a candidate may look back.
const maxHistory = 4

// walkLengths are the lengths of the runs that are sampled, 64 runs of each at a time.
var walkLengths = []int{4, 8, 8, 8, 8, 16, 16}

// longWalks are the lengths of runs in which a reset is seldom active, as many of each
// as make the samples of 64 of the shortest length.
var longWalks = []int{16, 16, 16, 32, 32, 64, 64, 128, 128, 256, 256}

const shortest = 16

// tries is the number of times that inputs are drawn for a step, as long as they break a
// constraint.
const tries = 8

// samples are the values of words in runs of the design, one run after the other.
type samples struct {
	model *netlist.Model // its Bads are the bits of the words
	sim   *netlist.Simulator
	words []*Word
	root  [][]aig.Lit // by word: the bits in the model
	rng   *rand.Rand

	reset *resetInput

	rows  [][]uint64 // [word][sample]
	size  int
	step  []int                  // [sample]: its step in its run
	last  []int                  // [sample]: the last sample of its run
	valid [maxHistory + 1]bitset // samples with so many steps before
}

func newSamples(n *netlist.Netlist, words []*Word) *samples {
	s := &samples{words: words, rng: rand.New(rand.NewPCG(1983, 2010)), rows: make([][]uint64, len(words))}
	var roots []aig.Lit
	for i, w := range words {
		w.at = i
		roots = append(roots, w.Bits...)
	}
	s.model = netlist.CompileSet(n, roots, nil, mutant.AtOutput)
	s.sim = netlist.NewSimulator(s.model)
	at := 0
	for _, w := range words {
		s.root = append(s.root, s.model.Bads[at:at+w.Width()])
		at += w.Width()
	}
	return s
}

// draw samples random runs: short ones, and, once the reset is known, longer ones in
// which it is seldom active.
func (s *samples) draw(ctx context.Context) {
	for _, length := range walkLengths {
		if ctx.Err() == nil {
			s.walk(length, biases(s.rng, len(s.model.Inputs)), 64)
		}
	}
	s.index()
	s.findReset()
	for _, length := range longWalks {
		if ctx.Err() == nil {
			bias := biases(s.rng, len(s.model.Inputs))
			if s.reset != nil {
				s.reset.quiet(bias, s.root[s.reset.word.at][0], s.model.Inputs)
			}
			s.walk(length, bias, 64*shortest/length)
		}
	}
	s.index()
}

// walk samples random runs, at most 64, side by side.
func (s *samples) walk(length int, bias []int, runs int) {
	s.sim.Reset(func(int) uint64 { return s.rng.Uint64() })
	live := ^uint64(0) >> (64 - runs)
	var lanes [64][][]uint64 // [lane][step][word]
	for range length {
		in, now := s.inputs(bias, live)
		s.sim.Eval(in)
		if live = now; live == 0 {
			break
		}
		for lane := range lanes {
			if live>>lane&1 == 1 {
				lanes[lane] = append(lanes[lane], make([]uint64, len(s.words)))
			}
		}
		for i := range s.words {
			for k, l := range s.root[i] {
				v := s.sim.Value(l) & live
				for ; v != 0; v &= v - 1 {
					run := lanes[bits.TrailingZeros64(v)]
					run[len(run)-1][i] |= 1 << k
				}
			}
		}
		s.sim.Step()
	}
	for _, run := range lanes {
		s.add(run)
	}
}

// inputs draws inputs, for a run anew where they break a constraint. It returns the runs
// that are within the constraints.
func (s *samples) inputs(bias []int, live uint64) (in []uint64, now uint64) {
	in = make([]uint64, len(s.model.Inputs))
	for try := 0; try < tries && live&^now != 0; try++ {
		drawn := make([]uint64, len(in))
		for i := range drawn {
			drawn[i] = word(s.rng, bias[i])
		}
		s.sim.Eval(drawn)
		better := s.sim.Value(s.model.Constraint) &^ now
		for i := range in {
			in[i] = in[i]&^better | drawn[i]&better
		}
		now |= better
	}
	return in, live & now
}

// trace adds a run of the design that an engine found.
func (s *samples) trace(t *cert.Trace) {
	s.sim.Reset(func(i int) uint64 { return lane0(i < len(t.Latches) && t.Latches[i]) })
	var run [][]uint64
	for _, row := range t.Inputs {
		in := make([]uint64, len(s.model.Inputs))
		for i := range in {
			in[i] = lane0(i < len(row) && row[i])
		}
		s.sim.Eval(in)
		if s.sim.Value(s.model.Constraint)&1 == 0 {
			break
		}
		values := make([]uint64, len(s.words))
		for i := range s.words {
			for k, l := range s.root[i] {
				values[i] |= s.sim.Value(l) & 1 << k
			}
		}
		run = append(run, values)
		s.sim.Step()
	}
	s.add(run)
}

func lane0(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (s *samples) add(run [][]uint64) {
	for step, values := range run {
		for i, v := range values {
			s.rows[i] = append(s.rows[i], v)
		}
		s.step = append(s.step, step)
		s.last = append(s.last, s.size+len(run)-1)
	}
	s.size += len(run)
}

// index is to be called when samples were added.
func (s *samples) index() {
	for n := range s.valid {
		s.valid[n] = newBitset(s.size)
		for i, step := range s.step {
			if step >= n {
				s.valid[n].add(i)
			}
		}
	}
}

// runs counts the runs that have a sample of a set, up to so many. Samples of one run are alike: what
// holds on all of them may hold by chance.
func (s *samples) runs(b bitset, most int) int {
	n := 0
	for i := 0; i < s.size && n < most; i++ {
		if b[i>>6]>>(i&63) == 0 {
			i |= 63
		} else if b.has(i) {
			n++
			i = s.last[i]
		}
	}
	return n
}

// where returns the samples in which a term of one bit is 1, of those with as many
// steps before as it looks back.
func (s *samples) where(t *term) bitset {
	out := newBitset(s.size)
	enough := s.valid[t.history()]
	i := 0
	value := func(w *Word, past int) uint64 { return s.rows[w.at][i-past] }
	for i = range s.size {
		if enough.has(i) && t.eval(1, value) == 1 {
			out.add(i)
		}
	}
	return out
}

// biases draws for each input how often it is 1 in a walk: by half, or seldom or
// mostly. A reset that is random in each step would end whatever begins.
func biases(rng *rand.Rand, n int) []int {
	out := make([]int, n)
	for i := range out {
		if rng.IntN(2) == 0 {
			out[i] = []int{-5, -3, 3, 5}[rng.IntN(4)]
		}
	}
	return out
}

// word draws 64 bits: as many ones as zeros, or one in two to the power of the bias, or
// all but one in so many.
func word(rng *rand.Rand, bias int) uint64 {
	x := rng.Uint64()
	for range bias - 1 {
		x |= rng.Uint64()
	}
	for range -bias - 1 {
		x &= rng.Uint64()
	}
	return x
}
