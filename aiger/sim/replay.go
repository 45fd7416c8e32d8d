// Replay of traces, 64 designs at a time: bit k of every value belongs to lane
// k, and each lane has a fault, and where asked for a trace, of its own.

package sim

import (
	"fmt"
	"slices"

	"netcov/aiger"
	"netcov/mutant"
)

// Result says what a trace shows.
type Result struct {
	// ConstraintsHold is the number of steps, from step 0 on without a gap, in
	// which all constraints are true; the length of the trace at most.
	ConstraintsHold int
	// FirstBad has for each property of the file (File.Properties) the first step
	// in which its literal is true, whether or not the constraints are; -1 if
	// there is none.
	FirstBad []int
}

// Fails reports whether the trace is a counterexample to a property: its literal
// is true in some step, and the constraints up to and including that step.
func (r *Result) Fails(property int) bool {
	at := r.FirstBad[property]
	return at >= 0 && at < r.ConstraintsHold
}

// Replay runs the trace of w on f, mutated by fault if that is not nil.
//
// An input row has one value an input of f, and one more, the last, for the free
// input of a nondet fault. An x stands for 0, in an initial state for the reset
// value where there is one. It fails when w is no trace of f: rows of another
// length, or an initial state that the resets do not allow.
func Replay(f *aiger.File, w *aiger.Witness, fault *Fault) (Result, error) {
	free := 0
	var faults []Fault
	if fault != nil {
		faults = []Fault{*fault}
		if fault.free() {
			free = 1
		}
	}
	if err := checkRows(w, len(f.Inputs)+free, len(f.Inputs)+free); err != nil {
		return Result{}, err
	}
	results, err := replay(f, []*aiger.Witness{w}, faults)
	if err != nil {
		return Result{}, err
	}
	return results[0], nil
}

// ReplayMany runs the trace of w on f under each of the faults, and returns
// their results in this order. All nondet faults take the free value from the
// same additional, last value of each row; without nondet faults it may be
// there or not. See Replay.
func ReplayMany(f *aiger.File, w *aiger.Witness, faults []Fault) ([]Result, error) {
	least := len(f.Inputs)
	for _, fault := range faults {
		if fault.free() {
			least = len(f.Inputs) + 1
		}
	}
	if err := checkRows(w, least, len(f.Inputs)+1); err != nil {
		return nil, err
	}
	var all []Result
	for chunk := range slices.Chunk(faults, 64) {
		results, err := replay(f, []*aiger.Witness{w}, chunk)
		if err != nil {
			return nil, err
		}
		all = append(all, results...)
	}
	return all, nil
}

// ReplayEach runs a trace of its own under each of the faults, and returns their
// results in this order. See Replay.
func ReplayEach(f *aiger.File, ws []*aiger.Witness, faults []Fault) ([]Result, error) {
	if len(ws) != len(faults) {
		return nil, fmt.Errorf("there are %d traces for %d faults", len(ws), len(faults))
	}
	for i, w := range ws {
		least := len(f.Inputs)
		if faults[i].free() {
			least++
		}
		if err := checkRows(w, least, len(f.Inputs)+1); err != nil {
			return nil, err
		}
	}
	var all []Result
	for len(ws) > 0 {
		n := min(64, len(ws))
		results, err := replay(f, ws[:n], faults[:n])
		if err != nil {
			return nil, err
		}
		all = append(all, results...)
		ws, faults = ws[n:], faults[n:]
	}
	return all, nil
}

// checkRows checks that w holds a trace whose rows have least to most values.
func checkRows(w *aiger.Witness, least, most int) error {
	if w.Status != aiger.Fails || len(w.Inputs) == 0 {
		return fmt.Errorf("the witness has no trace")
	}
	for t, row := range w.Inputs {
		if len(row) < least || len(row) > most || len(row) != len(w.Inputs[0]) {
			return fmt.Errorf("step %d of the trace has %d input values, %d are due", t, len(row), least)
		}
	}
	return nil
}

// lanes is the state of up to 64 runs.
type lanes struct {
	f      *aiger.File
	value  []uint64 // by variable: what readers see in this step
	in     []uint64 // by input, the free input last
	state  []uint64 // by latch: its own value, which a fault does not touch
	next   []uint64 // by latch: its own value in the next step
	gates  []patch  // faults of gates, by rising position
	latch  []patch  // faults of latches
	later  []patch  // faults on next-state inputs of latches
	node   lanesNode
	first  bool   // this is step 0
	missed uint64 // lanes whose fault has missed an update
}

func newLanes(f *aiger.File) *lanes {
	return &lanes{
		f: f, value: make([]uint64, f.MaxVar+1), in: make([]uint64, len(f.Inputs)+1),
		state: make([]uint64, len(f.Latches)), next: make([]uint64, len(f.Latches)),
	}
}

// patch is a fault of one lane.
type patch struct {
	at        int // position in Ands or Latches
	kind      mutant.Fault
	lane      uint64
	fromStep1 bool
}

// apply returns value as it is seen through the patch.
func (s *lanes) apply(p *patch, value uint64) uint64 {
	s.node = lanesNode{s, p, value}
	return value&^p.lane | Seen[uint64](p.kind, &s.node)&p.lane
}

// lanesNode is the mutated node of a patch in one step.
type lanesNode struct {
	s     *lanes
	p     *patch
	value uint64
}

func (n *lanesNode) Const(b bool) uint64 {
	if b {
		return ^uint64(0)
	}
	return 0
}

func (n *lanesNode) Not(a uint64) uint64    { return ^a }
func (n *lanesNode) And(a, b uint64) uint64 { return a & b }
func (n *lanesNode) Value() uint64          { return n.value }
func (n *lanesNode) Free() uint64           { return n.s.in[len(n.s.f.Inputs)] }

func (n *lanesNode) First() uint64 { return n.Const(n.s.first) }

func (n *lanesNode) Missed() uint64 { return n.s.missed }
func (n *lanesNode) Shown() uint64  { return n.s.value[n.s.f.Latches[n.p.at].Lit>>1] }

func (n *lanesNode) Operand(i int) uint64 {
	and := n.s.f.Ands[n.p.at]
	return n.s.read([2]aiger.Lit{and.Rhs0, and.Rhs1}[i])
}

// spread gives all lanes the value bit.
func spread(bit aiger.Ternary) uint64 {
	if bit == aiger.True {
		return ^uint64(0)
	}
	return 0
}

// read returns the lanes of a literal.
func (s *lanes) read(lit aiger.Lit) uint64 {
	return s.value[lit>>1] ^ -uint64(lit&1)
}

// replay runs up to 64 faults, lane k with faults[k] and the trace ws[k], or all
// with the one trace there is; without faults it runs the design itself in lane 0.
func replay(f *aiger.File, ws []*aiger.Witness, faults []Fault) ([]Result, error) {
	s := newLanes(f)
	if err := s.insert(faults); err != nil {
		return nil, err
	}
	steps := 0
	for k, w := range ws {
		initial, err := initialState(f, w)
		if err != nil {
			return nil, err
		}
		lane := laneMask(k, len(ws))
		for i, bit := range initial {
			s.state[i] |= spread(bit) & lane
		}
		steps = max(steps, len(w.Inputs))
	}
	count := max(1, len(faults))
	bads, _, _ := f.Properties()
	results := make([]Result, count)
	for k := range results {
		results[k].FirstBad = slices.Repeat([]int{-1}, len(bads))
	}
	running := ^uint64(0) >> (64 - count) // lanes whose trace goes on
	holding := running                    // lanes whose constraints hold up to this step
	seen := make([]uint64, len(bads))     // lanes in which the literal was true before
	for t := range steps {
		clear(s.in)
		for k, w := range ws {
			lane := laneMask(k, len(ws))
			if t >= len(w.Inputs) {
				running &^= lane
				continue
			}
			for i, bit := range w.Inputs[t] {
				s.in[i] |= spread(bit) & lane
			}
		}
		s.step(t)
		for _, c := range f.Constraints {
			holding &= s.read(c)
		}
		for k := range results {
			if holding&running>>k&1 == 1 {
				results[k].ConstraintsHold = t + 1
			}
		}
		for p, lit := range bads {
			now := s.read(lit) &^ seen[p] & running
			if now == 0 {
				continue
			}
			seen[p] |= now
			for k := range results {
				if now>>k&1 == 1 {
					results[k].FirstBad[p] = t
				}
			}
		}
	}
	return results, nil
}

// laneMask returns the lanes of trace k: all of them where it is the only one.
func laneMask(k, traces int) uint64 {
	if traces == 1 {
		return ^uint64(0)
	}
	return 1 << k
}

// step computes what is seen in step t, and the latches' values for step t+1.
func (s *lanes) step(t int) {
	f := s.f
	if s.first = t == 0; s.first {
		s.missed = 0
	}
	for i, lit := range f.Inputs {
		s.value[lit>>1] = s.in[i]
	}
	for i, l := range f.Latches {
		s.value[l.Lit>>1] = s.state[i]
	}
	for i := range s.latch {
		p := &s.latch[i]
		v := f.Latches[p.at].Lit >> 1
		s.value[v] = s.apply(p, s.value[v])
	}
	from := 0
	for i := range s.gates {
		p := &s.gates[i]
		s.evaluate(f.Ands[from : p.at+1])
		from = p.at + 1
		if t > 0 || !p.fromStep1 {
			v := f.Ands[p.at].Lhs >> 1
			s.value[v] = s.apply(p, s.value[v])
		}
	}
	s.evaluate(f.Ands[from:])
	for i, l := range f.Latches {
		s.next[i] = s.read(l.Next)
	}
	var remembers uint64
	for i := range s.later {
		p := &s.later[i]
		s.next[p.at] = s.apply(p, s.next[p.at])
		if p.kind.Remembers() {
			remembers |= p.lane
		}
	}
	if remembers != 0 {
		s.missed |= Remembered[uint64](&s.node) & remembers
	}
	s.state, s.next = s.next, s.state
}

func (s *lanes) evaluate(ands []aiger.And) {
	for _, a := range ands {
		s.value[a.Lhs>>1] = s.read(a.Rhs0) & s.read(a.Rhs1)
	}
}

// insert turns faults into patches.
func (s *lanes) insert(faults []Fault) error {
	sites, err := find(s.f, faults)
	if err != nil {
		return err
	}
	for k, fault := range faults {
		p := patch{at: sites[k].latch, kind: fault.Kind, lane: 1 << k}
		switch {
		case sites[k].gate >= 0:
			p.at, p.fromStep1 = sites[k].gate, fault.place() == mutant.AtNext
			s.gates = append(s.gates, p)
		case fault.place() == mutant.AtNext:
			s.later = append(s.later, p)
		default:
			s.latch = append(s.latch, p)
		}
	}
	slices.SortFunc(s.gates, func(a, b patch) int { return a.at - b.at })
	return nil
}
