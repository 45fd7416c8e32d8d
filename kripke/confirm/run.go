package confirm

import (
	"errors"
	"fmt"
	"slices"

	"netcov/aig"
	"netcov/aiger"
	"netcov/kripke/automaton"
	"netcov/kripke/circuit"
)

// Notion says at which visits of a state a signal is flipped.
type Notion uint8

// The notions; None flips nothing.
const (
	None Notion = iota
	EveryVisit
	OneVisit
	SomeVisits
)

// Flip is a signal that is flipped: for the specification, or, InDesign, for
// everything that reads the register.
type Flip struct {
	Notion   Notion
	Signal   string
	InDesign bool
}

// Run is a run of the circuit. After its last step it goes on with step Loop for ever;
// where Loop is its length, it does not matter what follows.
type Run struct {
	Start   []bool   // registers in step 0
	Inputs  [][]bool // by step, as the circuit has them
	Flipped []bool   // by step
	Letters [][]bool // what the automaton is said to read
	Loop    int
}

// Run checks that a run, with the flips of a state that the notion allows, violates the
// specification.
func (o *Opinion) Run(f Flip, state []bool, r Run) error {
	if len(r.Inputs) == 0 || len(r.Flipped) != len(r.Inputs) || len(r.Letters) != len(r.Inputs) || r.Loop < 0 || r.Loop > len(r.Inputs) {
		return errors.New("the run is not complete")
	}
	flipped, err := o.register(f)
	if err != nil {
		return err
	}
	s := newSimulator(o.c)
	s.load(r.Start, r.Inputs[0], -1)
	for i, c := range o.c.Controls {
		if s.value(c.Reset) != r.Start[i] {
			return fmt.Errorf("register %s does not start so", c.Name)
		}
	}
	matters, err := o.matters(f)
	if err != nil {
		return err
	}
	now := r.Start
	var rounds []turn // where the loop begins, and then again
	var letters, fair [][]bool
	flips := 0
	for t := 0; ; t++ {
		at := t
		if period := len(r.Inputs) - r.Loop; t >= len(r.Inputs) {
			if period == 0 {
				break
			}
			at = r.Loop + (t-r.Loop)%period
		}
		if at == r.Loop {
			if k := slices.IndexFunc(rounds, func(x turn) bool { return x.same(now, matters) }); k >= 0 {
				return o.lasso(letters, fair, rounds[k].step)
			}
			if t > mostSteps || len(rounds) > 0 && (f.Notion == EveryVisit || f.Notion == SomeVisits) {
				return errors.New("the run does not come back to a state of its loop")
			}
			rounds = append(rounds, turn{t, now})
		}
		there := slices.Equal(now, state)
		switch {
		case r.Flipped[at] && (f.Notion == None || !there || f.Notion == OneVisit && (flips > 0 || t >= r.Loop)):
			return fmt.Errorf("step %d may not be flipped", t)
		case !r.Flipped[at] && there && f.Notion == EveryVisit:
			return fmt.Errorf("step %d must be flipped", t)
		case r.Flipped[at]:
			flips++
		}
		reads := -1
		if r.Flipped[at] {
			reads = flipped
		}
		s.load(now, r.Inputs[at], reads)
		if !s.value(o.c.Constraint) {
			return fmt.Errorf("step %d breaks the constraint", t)
		}
		letter := make([]bool, len(o.a.AP))
		for i, name := range o.a.AP {
			l, ok := o.c.Lit(name)
			if !ok || i >= len(r.Letters[at]) {
				return fmt.Errorf("there is no value of %s in step %d", name, t)
			}
			letter[i] = s.value(l) != (r.Flipped[at] && !f.InDesign && name == f.Signal)
			if t == at && letter[i] != r.Letters[t][i] {
				return fmt.Errorf("%s is %v in step %d", name, letter[i], t)
			}
		}
		marks := make([]bool, len(o.c.Fairness))
		for k, l := range o.c.Fairness {
			marks[k] = s.value(l)
		}
		letters, fair = append(letters, letter), append(fair, marks)
		next := make([]bool, len(now))
		for i, c := range o.c.Controls {
			next[i] = s.value(c.Next)
		}
		now = next
	}
	if !o.finite {
		return errors.New("no finite run is a violation")
	}
	return o.reaches(letters)
}

// mostSteps bounds the steps of a run that comes back to its loop with other values of
// registers, and is run on.
const mostSteps = 1 << 14

// turn is a beginning of the loop.
type turn struct {
	step  int
	state []bool
}

func (x *turn) same(state, matters []bool) bool {
	for i, needed := range matters {
		if needed && x.state[i] != state[i] {
			return false
		}
	}
	return true
}

// lasso checks that an infinite word is fair and violates the specification.
func (o *Opinion) lasso(letters, fair [][]bool, loop int) error {
	for k := range o.c.Fairness {
		if !slices.ContainsFunc(fair[loop:], func(m []bool) bool { return m[k] }) {
			return fmt.Errorf("the loop does not meet fairness constraint %d", k)
		}
	}
	if !o.accepts(letters, loop) {
		return errors.New("the run satisfies the specification")
	}
	return nil
}

// register is the position of a register that the design reads flipped, -1 for none.
func (o *Opinion) register(f Flip) (int, error) {
	if f.Notion == None {
		return -1, nil
	}
	if _, ok := o.c.Lit(f.Signal); !ok {
		return -1, fmt.Errorf("there is no signal %s", f.Signal)
	}
	if !f.InDesign {
		return -1, nil
	}
	for i, c := range o.c.Controls {
		if c.Name == f.Signal {
			return i, nil
		}
	}
	return -1, fmt.Errorf("%s is no register", f.Signal)
}

// matters tells on which registers a violation depends after the flips: those that the
// question's constraints and justice read, through any number of steps; all where a flip
// asks for the state.
func (o *Opinion) matters(f Flip) ([]bool, error) {
	out := make([]bool, len(o.c.Controls))
	if f.Notion == EveryVisit || f.Notion == SomeVisits {
		for i := range out {
			out[i] = true
		}
		return out, nil
	}
	q, err := o.Question(Flip{}, nil)
	if err != nil {
		return nil, err
	}
	at := map[aiger.Lit]int{}
	for i, l := range q.File.Latches {
		at[l.Lit] = i
	}
	first := q.File.MaxVar + 1
	if len(q.File.Ands) > 0 {
		first = q.File.Ands[0].Lhs / 2
	}
	todo := append(slices.Clone(q.File.Constraints), q.File.Justice[0]...)
	seen := make([]bool, q.File.MaxVar+1)
	for len(todo) > 0 {
		v := todo[len(todo)-1] / 2
		todo = todo[:len(todo)-1]
		if seen[v] {
			continue
		}
		seen[v] = true
		if i, ok := at[2*v]; ok {
			if i < len(out) {
				out[i] = true
			}
			todo = append(todo, q.File.Latches[i].Next)
		} else if v >= first {
			a := q.File.Ands[v-first]
			todo = append(todo, a.Rhs0, a.Rhs1)
		}
	}
	return out, nil
}

// reaches checks that the automaton can be in a state that accepts everything after a
// finite word.
func (o *Opinion) reaches(word [][]bool) error {
	now := map[int]bool{o.initial: o.initial >= 0}
	for _, letter := range word {
		next := map[int]bool{}
		for s, here := range now {
			if !here {
				continue
			}
			for _, e := range o.edges[s] {
				if o.a.Guards.Eval(e.Guard, func(v int) bool { return letter[v] }) {
					next[e.To] = true
				}
			}
		}
		now = next
	}
	for s := range now {
		if now[s] && o.terminal[s] {
			return nil
		}
	}
	return errors.New("the run may be continued so that the specification holds")
}

// accepts reports whether the automaton accepts an infinite word.
func (o *Opinion) accepts(word [][]bool, loop int) bool {
	if o.initial < 0 {
		return false
	}
	n := len(o.edges)
	successors := func(v int, yield func(int, automaton.Marks)) {
		t, s := v/n, v%n
		to := t + 1
		if to == len(word) {
			to = loop
		}
		for _, e := range o.edges[s] {
			if o.a.Guards.Eval(e.Guard, func(p int) bool { return word[t][p] }) {
				yield(to*n+e.To, e.Acc)
			}
		}
	}
	met := make([]bool, n*len(word))
	met[o.initial] = true
	for queue := []int{o.initial}; len(queue) > 0; {
		v := queue[0]
		queue = queue[1:]
		successors(v, func(w int, _ automaton.Marks) {
			if !met[w] {
				met[w] = true
				queue = append(queue, w)
			}
		})
	}
	return endless(len(met), o.a.Sets, func(v int) bool { return met[v] }, successors)
}

// simulator evaluates a circuit's functions in one state.
type simulator struct {
	c      *circuit.Circuit
	values []bool
}

func newSimulator(c *circuit.Circuit) *simulator {
	return &simulator{c, make([]bool, c.Graph.Size())}
}

func (s *simulator) value(l aig.Lit) bool { return s.values[l.Node()] != l.Neg() }

// load evaluates everything for values of registers and inputs; the register at flipped
// reads as its opposite.
func (s *simulator) load(registers, inputs []bool, flipped int) {
	for i, c := range s.c.Controls {
		s.values[c.Lit.Node()] = registers[i] != c.Lit.Neg() != (i == flipped)
	}
	for i, in := range s.c.Inputs {
		s.values[in.Lit.Node()] = inputs[i] != in.Lit.Neg()
	}
	for n := range s.values {
		switch x, y := s.c.Graph.Fanins(aig.Node(n)); s.c.Graph.Kind(aig.Node(n)) {
		case aig.KindAnd:
			s.values[n] = s.value(x) && s.value(y)
		case aig.KindCut:
			s.values[n] = s.value(x)
		}
	}
}
