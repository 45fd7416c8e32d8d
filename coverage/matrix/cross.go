package matrix

import (
	"fmt"
	"math/rand/v2"

	"netcov/aig"
	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
	"netcov/netlist"
)

// A trace that shows one property failing on one mutant often shows others on others.
// Each is replayed on all mutants whose cells are open, 64 at a time, on the part of the
// design that a group of properties depends on. The simulator is the one of the second
// opinion, and looks at each property for itself: at the first step in which its bad
// state is true, whether others failed before or not. So what it finds needs no further
// check. A few random steps are put after the end of a trace, since the run may go on.

// beyond is the number of steps after the end of a trace.
const beyond = 4

// crossing replays traces for the properties of a group.
type crossing struct {
	matrix *Matrix
	rows   []int // of the matrix: the group's properties, in the order of the file
	part   *netlist.Extract
	whole  int // inputs of the design
	file   *aiger.File
	check  *certify.Checker
	sites  []site // the mutants of nodes in the part that the set covers
	rng    *rand.Rand
}

// site is a mutant, and its fault in the file of the part.
type site struct {
	mutant Mutant
	part   mutant.Target // in the part
	column int
	fault  sim.Fault
}

// newCrossing prepares the replay for the properties of a group; asked tells which
// mutants are to be looked at.
func newCrossing(m *Matrix, r *runner, properties, rows []int, asked func(Mutant) bool) (*crossing, error) {
	bads := make([]aig.Lit, len(properties))
	for i, p := range properties {
		bads[i] = r.all[p].Bad
	}
	c := &crossing{
		matrix: m, rows: rows, part: r.extractor.Extract(bads), whole: len(r.n.Inputs),
		rng: rand.New(rand.NewPCG(r.opt.Seed, 0x6d6174726978)),
	}
	var err error
	if c.file, err = r.cutter.Part(properties, c.part.Inputs, c.part.Latches, c.part.Gates); err != nil {
		return nil, err
	}
	c.check = certify.NewChecker(c.file, 0)
	add := func(part mutant.Target, l aiger.Lit) {
		for _, f := range mutant.Faults() {
			x := Mutant{c.part.Whole(part), f}
			if k, known := m.at[x]; known && asked(x) {
				c.sites = append(c.sites, site{x, part, k, sim.Fault{Var: l >> 1, Kind: f, Mux: r.opt.Mux}})
			}
		}
	}
	for i, l := range c.file.Latches {
		add(mutant.Target{Index: i}, l.Lit)
	}
	for i, l := range c.file.GateLiterals() {
		add(mutant.Target{Gate: true, Index: i}, l)
	}
	return c, nil
}

// try replays a run of the design, and returns the number of cells that it decides.
// Further values of a step, after the inputs, are the free value.
func (c *crossing) try(t *cert.Trace) (found int, err error) {
	var open []site
	for _, s := range c.sites {
		if c.open(s) {
			open = append(open, s)
		}
	}
	if len(open) == 0 {
		return 0, nil
	}
	run := c.run(t)
	w, err := c.check.Witness(run)
	if err != nil {
		return 0, err
	}
	var whole *cert.Trace
	faults := make([]sim.Fault, len(open))
	for k, s := range open {
		faults[k] = s.fault
	}
	results, err := sim.ReplayMany(c.file, w, faults)
	if err != nil {
		return 0, fmt.Errorf("replaying a trace: %w", err)
	}
	for k, r := range results {
		for position, i := range c.rows {
			if c.matrix.rows[i].unknown.has(open[k].column) && r.Fails(position) {
				if whole == nil {
					whole = c.part.Trace(run)
				}
				c.matrix.put(i, open[k].mutant, mutant.Covered, Proof{Trace: whole})
				found++
			}
		}
	}
	return found, nil
}

// run is a run of the design as one of the part, with a free value in each step,
// and some random steps after it.
func (c *crossing) run(t *cert.Trace) *cert.Trace {
	inputs := len(c.part.Inputs)
	run := &cert.Trace{Latches: make([]bool, len(c.part.Latches))}
	for i, at := range c.part.Latches {
		run.Latches[i] = at < len(t.Latches) && t.Latches[at]
	}
	for frame := range len(t.Inputs) + beyond {
		row := make([]bool, inputs+1)
		if frame < len(t.Inputs) {
			from := t.Inputs[frame]
			for i, at := range c.part.Inputs {
				row[i] = from[at]
			}
			if len(from) > c.whole {
				row[inputs] = from[c.whole]
			} else {
				row[inputs] = c.rng.IntN(2) == 1
			}
		} else {
			for i := range row {
				row[i] = c.rng.IntN(2) == 1
			}
		}
		run.Inputs = append(run.Inputs, row)
	}
	return run
}
