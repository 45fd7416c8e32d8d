package ic3

import (
	"math/bits"
	"math/rand/v2"

	"netcov/netlist"
)

// The pool holds reachable states, found by random simulation. A cube with one
// of them is excluded by no invariant, so generalisation stays clear of them as
// it does of the initial states: attempts that are bound to fail cost no query.
// The pool grows with the number of queries, by one run of 64 lanes at a time.
type pool struct {
	m     *netlist.Model
	sim   *netlist.Simulator
	words int
	cols  [][]uint64 // [latch][word]: 64 states a word
	runs  int
	next  int64 // number of queries at which the pool grows
	zero  []int // inputs that are always 0
}

const (
	poolFirst = 50  // queries before the first run
	poolSteps = 16  // steps of the first run; later ones are longer
	poolWords = 16  // words that a run adds
	poolMax   = 128 // words
)

func newPool(m *netlist.Model) *pool {
	return &pool{m: m, cols: make([][]uint64, len(m.Latches)), next: poolFirst}
}

// grow adds the states of one more run when there were enough queries.
func (p *pool) grow(queries int64) {
	if queries < p.next || p.words >= poolMax {
		return
	}
	if p.sim == nil {
		p.sim = netlist.NewSimulator(p.m)
	}
	if p.runs == 0 {
		p.next = 10 * poolFirst
	} else {
		p.next = max(20*poolFirst, 2*queries)
	}
	p.run(poolSteps << min(p.runs, 5))
	p.runs++
}

// fill makes the first run, whatever the number of queries.
func (p *pool) fill() {
	if p.words == 0 {
		p.grow(p.next)
	}
}

// run simulates 64 lanes and keeps some of their states.
func (p *pool) run(steps int) {
	r := rand.New(rand.NewPCG(uint64(p.runs), 1))
	p.sim.Reset(func(int) uint64 { return r.Uint64() })
	in := make([]uint64, len(p.m.Inputs))
	habit := make([]int, len(in))
	for i := range habit {
		if p.runs > 0 {
			habit[i] = r.IntN(5)
		}
	}
	stride := max(1, steps/poolWords)
	alive := ^uint64(0)
	for step := 1; step <= steps; step++ {
		for i := range in {
			switch habit[i] {
			case 1: // mostly 0
				in[i] = r.Uint64() & r.Uint64()
			case 2: // mostly 1
				in[i] = r.Uint64() | r.Uint64()
			case 3: // seldom changes
				in[i] ^= r.Uint64() & r.Uint64() & r.Uint64()
			default:
				in[i] = r.Uint64()
			}
		}
		for _, i := range p.zero {
			in[i] = 0
		}
		p.sim.Eval(in)
		alive &= p.sim.Value(p.m.Constraint)
		if alive == 0 {
			return
		}
		p.sim.Step()
		if step%stride == 0 {
			p.keep(alive)
		}
	}
}

// keep adds the current states. Lanes whose constraint has failed repeat one
// that goes on.
func (p *pool) keep(alive uint64) {
	p.words++
	one := bits.TrailingZeros64(alive)
	for i := range p.cols {
		v := p.sim.State(i) & alive
		if v>>one&1 == 1 {
			v |= ^alive
		}
		p.cols[i] = append(p.cols[i], v)
	}
}

// restart empties the pool; it is filled after so many queries in all.
func (p *pool) restart(queries int64) {
	p.words = 0
	for i := range p.cols {
		p.cols[i] = p.cols[i][:0]
	}
	p.next = queries
}

// meets reports whether the cube has a state of the pool.
func (p *pool) meets(c cube) bool {
	for w := range p.words {
		if lanesIn(p.cols, c, w) != 0 {
			return true
		}
	}
	return false
}

// lanesIn returns the lanes of a word whose states are in the cube.
func lanesIn(cols [][]uint64, c cube, w int) uint64 {
	v := ^uint64(0)
	for _, l := range c {
		if v &= cols[l.Latch()][w] ^ -uint64(l&1); v == 0 {
			break
		}
	}
	return v
}
