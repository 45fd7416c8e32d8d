// Replay of few traces on many mutants: the design is simulated once, and for each
// mutant only what differs from it.

package sim

import (
	"fmt"
	"slices"

	"netcov/aiger"
	"netcov/internal/minheap"
	"netcov/mutant"
)

// Shared replays traces on mutants of a file that share them. It is not changed by
// that, so that several goroutines may use it.
type Shared struct {
	f       *aiger.File
	out     *fanout
	offered []int
}

// NewShared prepares replays that tell when one of some properties fails.
func NewShared(f *aiger.File, properties []int) *Shared {
	return &Shared{f: f, out: newFanout(f, properties), offered: properties}
}

// Try is a fault, and the beginning of a trace that is to be replayed on it.
type Try struct {
	Run   int // which of the traces
	Steps int
	Fault Fault
}

// Shown tells what a trace shows, up to the first step in which a constraint is false or
// a property's literal is true.
type Shown struct {
	Holding  int // steps, from the first on, in which all constraints are true
	Bad      int // the step in which a property fails; -1: in none
	Property int // the first that does, as a position in the list of NewShared
}

// Replay tells for each try what Replay of package sim would: rows are as there.
func (s *Shared) Replay(ws []*aiger.Witness, tries []Try) ([]Shown, error) {
	faults := make([]Fault, len(tries))
	for i, t := range tries {
		faults[i] = t.Fault
		if t.Run < 0 || t.Run >= len(ws) || t.Steps < 1 || t.Steps > len(ws[t.Run].Inputs) {
			return nil, fmt.Errorf("there are no %d steps of a trace %d", t.Steps, t.Run)
		}
		least := len(s.f.Inputs)
		if t.Fault.free() {
			least++
		}
		if row := ws[t.Run].Inputs[0]; len(row) < least {
			return nil, fmt.Errorf("step 0 of the trace has %d input values, %d are due", len(row), least)
		}
	}
	for _, w := range ws {
		if err := checkRows(w, len(s.f.Inputs), len(s.f.Inputs)+1); err != nil {
			return nil, err
		}
	}
	sites, err := find(s.f, faults)
	if err != nil {
		return nil, err
	}
	shown := make([]Shown, len(tries))
	byBlock := make([][]*difference, (len(ws)+63)/64)
	var alone []int
	for i, t := range tries {
		shown[i].Bad = -1
		if s.out.joins[t.Fault.Var] {
			alone = append(alone, i)
			continue
		}
		d := &difference{steps: t.Steps, lane: t.Run % 64, site: sites[i], kind: t.Fault.Kind, atOutput: t.Fault.place() == mutant.AtOutput, shown: &shown[i]}
		byBlock[t.Run/64] = append(byBlock[t.Run/64], d)
	}
	for i, ds := range byBlock {
		if err := s.block(ws[64*i:min(64*i+64, len(ws))], ds); err != nil {
			return nil, err
		}
	}
	return shown, s.alone(ws, tries, alone, shown)
}

// alone replays tries whose fault is in a gate that joins leaves.
func (s *Shared) alone(ws []*aiger.Witness, tries []Try, which []int, shown []Shown) error {
	var own []*aiger.Witness
	var faults []Fault
	for _, i := range which {
		w := *ws[tries[i].Run]
		w.Inputs = w.Inputs[:tries[i].Steps]
		own, faults = append(own, &w), append(faults, tries[i].Fault)
	}
	results, err := ReplayEach(s.f, own, faults)
	if err != nil {
		return err
	}
	for k, i := range which {
		r := &shown[i]
		r.Holding = results[k].ConstraintsHold
		for p, property := range s.offered {
			if at := results[k].FirstBad[property]; at >= 0 && at < r.Holding && (r.Bad < 0 || at < r.Bad) {
				r.Bad, r.Property = at, p
			}
		}
		if r.Bad >= 0 {
			r.Holding = r.Bad + 1
		}
	}
	return nil
}

// block replays up to 64 traces.
func (s *Shared) block(ws []*aiger.Witness, ds []*difference) error {
	if len(ds) == 0 {
		return nil
	}
	b := &sharedRun{Shared: s, base: newLanes(s.f), flip: make([]int64, s.f.MaxVar+1), queued: make([]int64, len(s.f.Ands))}
	steps := 0
	for _, d := range ds {
		steps = max(steps, d.steps)
	}
	for k, w := range ws {
		initial, err := initialState(s.f, w)
		if err != nil {
			return err
		}
		for i, bit := range initial {
			b.base.state[i] |= spread(bit) & (1 << k)
		}
	}
	for t := range steps {
		clear(b.base.in)
		for k, w := range ws {
			if t < len(w.Inputs) {
				for i, bit := range w.Inputs[t] {
					b.base.in[i] |= spread(bit) & (1 << k)
				}
			}
		}
		b.base.step(t)
		b.failing = 0
		for _, l := range s.out.leaves {
			b.failing |= b.base.read(l.lit)
		}
		for _, l := range s.out.conjuncts {
			b.failing |= ^b.base.read(l)
		}
		ds = slices.DeleteFunc(ds, func(d *difference) bool { return b.follow(d, t) })
	}
	return nil
}

// difference is a mutant beside the design.
type difference struct {
	steps    int
	lane     int // its trace
	site     site
	kind     mutant.Fault
	atOutput bool    // the place of its multiplexer
	latches  []int32 // whose own values differ
	missed   bool    // it has missed an update
	shown    *Shown
}

// sharedRun is the design in one step, and what differs from it in one mutant.
type sharedRun struct {
	*Shared
	base    *lanes
	failing uint64 // lanes in which a property or a constraint fails on the design

	d       *difference
	first   bool    // this is step 0
	flip    []int64 // by variable: the last visit in which it differed
	queued  []int64 // by gate: the last visit that queued it
	visit   int64
	flipped []uint32 // variables
	queue   minheap.Heap
}

// designs returns the lane's value of a word of the design.
func (b *sharedRun) designs(word uint64) bool { return word>>b.d.lane&1 == 1 }

// seen returns what the mutant's readers see of a literal.
func (b *sharedRun) seen(l aiger.Lit) bool {
	return b.designs(b.base.read(l)) != (b.flip[l>>1] == b.visit)
}

// set notes what the mutant's readers see of a variable.
func (b *sharedRun) set(v uint32, value bool) {
	if b.designs(b.base.value[v]) == value {
		b.flip[v] = 0
		return
	}
	b.flip[v] = b.visit
	b.flipped = append(b.flipped, v)
}

// push has a gate computed.
func (b *sharedRun) push(gate int32) {
	if b.queued[gate] != b.visit {
		b.queued[gate] = b.visit
		b.queue.Push(gate)
	}
}

// follow computes step t of a mutant, and reports whether its replay has ended.
func (b *sharedRun) follow(d *difference, t int) (ended bool) {
	b.visit++
	b.d, b.first, b.flipped = d, t == 0, b.flipped[:0]
	f := b.f
	for _, i := range d.latches {
		if int(i) != d.site.latch {
			b.set(f.Latches[i].Lit>>1, !b.designs(b.base.value[f.Latches[i].Lit>>1]))
		}
	}
	if i := d.site.latch; i >= 0 {
		lit := f.Latches[i].Lit
		own := b.designs(b.base.value[lit>>1]) != slices.Contains(d.latches, int32(i))
		if d.atOutput {
			own = Seen[bool](d.kind, &boolNode{b, own})
		}
		b.set(lit>>1, own)
	}
	for _, v := range b.flipped {
		b.tell(v)
	}
	through := d.site.gate >= 0 && (d.atOutput || t > 0)
	if through {
		b.push(int32(d.site.gate))
	}
	for len(b.queue) > 0 {
		g := b.queue.Pop()
		a := f.Ands[g]
		value := b.seen(a.Rhs0) && b.seen(a.Rhs1)
		if through && int(g) == d.site.gate {
			value = Seen[bool](d.kind, &boolNode{b, value})
		}
		if b.set(a.Lhs>>1, value); b.flip[a.Lhs>>1] == b.visit {
			b.tell(a.Lhs >> 1)
		}
	}
	if b.judge(t) || t+1 == d.steps {
		return true
	}
	b.advance()
	return false
}

// tell has the gates computed that read a variable.
func (b *sharedRun) tell(v uint32) {
	for _, g := range b.out.gates.of(v) {
		b.push(g)
	}
}

// judge takes down what step t shows, and reports whether that ends the replay.
func (b *sharedRun) judge(t int) bool {
	broken, which := false, len(b.offered)
	if b.designs(b.failing) {
		for _, l := range b.out.conjuncts {
			broken = broken || !b.seen(l)
		}
		for _, l := range b.out.leaves {
			if b.seen(l.lit) {
				which = min(which, l.which)
			}
		}
	} else {
		for _, v := range b.flipped {
			for _, i := range b.out.assumed.of(v) {
				broken = broken || !b.seen(b.out.conjuncts[i])
			}
			for _, i := range b.out.bads.of(v) {
				if l := b.out.leaves[i]; b.seen(l.lit) {
					which = min(which, l.which)
				}
			}
		}
	}
	s := b.d.shown
	if broken {
		return true
	}
	s.Holding = t + 1
	if which < len(b.offered) {
		s.Bad, s.Property = t, which
	}
	return s.Bad >= 0
}

// advance computes which latches will differ in the next step.
func (b *sharedRun) advance() {
	d := b.d
	d.latches = d.latches[:0]
	for _, v := range b.flipped {
		for _, i := range b.out.latches.of(v) {
			if int(i) != d.site.latch || d.atOutput {
				d.latches = append(d.latches, i)
			}
		}
	}
	if d.site.latch < 0 || d.atOutput {
		return
	}
	i := d.site.latch
	node := &boolNode{b, b.seen(b.f.Latches[i].Next)}
	if Seen[bool](d.kind, node) != b.designs(b.base.state[i]) {
		d.latches = append(d.latches, int32(i))
	}
	if d.kind.Remembers() {
		d.missed = Remembered[bool](node)
	}
}

// boolNode is the mutated node in one step.
type boolNode struct {
	b     *sharedRun
	value bool
}

func (n *boolNode) Const(b bool) bool  { return b }
func (n *boolNode) Not(a bool) bool    { return !a }
func (n *boolNode) And(a, b bool) bool { return a && b }
func (n *boolNode) Value() bool        { return n.value }
func (n *boolNode) First() bool        { return n.b.first }
func (n *boolNode) Missed() bool       { return n.b.d.missed }

func (n *boolNode) Free() bool  { return n.b.designs(n.b.base.in[len(n.b.f.Inputs)]) }
func (n *boolNode) Shown() bool { return n.b.seen(n.b.f.Latches[n.b.d.site.latch].Lit) }

func (n *boolNode) Operand(i int) bool {
	a := n.b.f.Ands[n.b.d.site.gate]
	return n.b.seen([2]aiger.Lit{a.Rhs0, a.Rhs1}[i])
}
