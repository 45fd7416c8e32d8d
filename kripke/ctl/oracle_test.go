package ctl

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"netcov/aig"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/internal/random"
	"netcov/kripke/structure"
)

// The naive twin of everything in this package: a Kripke structure as plain
// tables, CTL by the textbook fixpoints of each operator, and the mutants of
// CKV01 section 2 built as their definitions say, over all of 2^C × 2^I.

type plain struct {
	succ [][]int
	hold map[string][]bool
	init []int
	fair [][]bool // sets that a path of EG meets infinitely often; see restrict
}

func plainStructure(k *structure.Structure) *plain {
	p := &plain{hold: map[string][]bool{}, init: k.Initial}
	for s := range k.Len() {
		var to []int
		for _, t := range k.Successors(s) {
			to = append(to, int(t))
		}
		p.succ = append(p.succ, to)
	}
	for i, name := range k.AP {
		for s := range k.Len() {
			p.hold[name] = append(p.hold[name], k.Holds(s, i))
		}
	}
	return p
}

func (p *plain) flip(q string, states ...int) *plain {
	r := &plain{succ: p.succ, hold: map[string][]bool{}, init: p.init, fair: p.fair}
	for name, v := range p.hold {
		r.hold[name] = append([]bool(nil), v...)
	}
	for _, s := range states {
		r.hold[q][s] = !r.hold[q][s]
	}
	return r
}

func (p *plain) satisfies(f formula.Formula) bool {
	v := p.eval(f)
	for _, s := range p.init {
		if !v[s] {
			return false
		}
	}
	return true
}

func (p *plain) fix(start bool, step func(z []bool, s int) bool) []bool {
	z := make([]bool, len(p.succ))
	for s := range z {
		z[s] = start
	}
	for {
		next := make([]bool, len(z))
		same := true
		for s := range z {
			next[s] = step(z, s)
			same = same && next[s] == z[s]
		}
		if same {
			return z
		}
		z = next
	}
}

func (p *plain) some(z []bool, s int) bool {
	for _, t := range p.succ[s] {
		if z[t] {
			return true
		}
	}
	return false
}

func (p *plain) every(z []bool, s int) bool {
	for _, t := range p.succ[s] {
		if !z[t] {
			return false
		}
	}
	return true
}

func (p *plain) eval(f formula.Formula) []bool {
	var a, b []bool
	if f.Op().Arity() > 0 {
		a = p.eval(f.Left())
	}
	if f.Op().Arity() > 1 {
		b = p.eval(f.Right())
	}
	once := func(value func(s int) bool) []bool {
		v := make([]bool, len(p.succ))
		for s := range v {
			v[s] = value(s)
		}
		return v
	}
	switch f.Op() {
	case formula.OpTrue:
		return once(func(int) bool { return true })
	case formula.OpFalse:
		return once(func(int) bool { return false })
	case formula.OpAtom:
		return p.hold[f.Name()]
	case formula.OpNot:
		return once(func(s int) bool { return !a[s] })
	case formula.OpAnd:
		return once(func(s int) bool { return a[s] && b[s] })
	case formula.OpOr:
		return once(func(s int) bool { return a[s] || b[s] })
	case formula.OpXor:
		return once(func(s int) bool { return a[s] != b[s] })
	case formula.OpXnor, formula.OpIff:
		return once(func(s int) bool { return a[s] == b[s] })
	case formula.OpImplies:
		return once(func(s int) bool { return !a[s] || b[s] })
	case formula.OpEX:
		return once(func(s int) bool { return p.some(a, s) })
	case formula.OpAX:
		return once(func(s int) bool { return p.every(a, s) })
	case formula.OpEF:
		return p.fix(false, func(z []bool, s int) bool { return a[s] || p.some(z, s) })
	case formula.OpAF:
		return p.fix(false, func(z []bool, s int) bool { return a[s] || p.every(z, s) })
	case formula.OpEG:
		if p.fair != nil {
			return p.loops(a)
		}
		return p.fix(true, func(z []bool, s int) bool { return a[s] && p.some(z, s) })
	case formula.OpAG:
		return p.fix(true, func(z []bool, s int) bool { return a[s] && p.every(z, s) })
	case formula.OpEU:
		return p.fix(false, func(z []bool, s int) bool { return b[s] || a[s] && p.some(z, s) })
	case formula.OpAU:
		return p.fix(false, func(z []bool, s int) bool { return b[s] || a[s] && p.every(z, s) })
	case formula.OpEW:
		return p.fix(true, func(z []bool, s int) bool { return b[s] || a[s] && p.some(z, s) })
	case formula.OpAW:
		return p.fix(true, func(z []bool, s int) bool { return b[s] || a[s] && p.every(z, s) })
	case formula.OpER:
		return p.fix(true, func(z []bool, s int) bool { return b[s] && (a[s] || p.some(z, s)) })
	case formula.OpAR:
		return p.fix(true, func(z []bool, s int) bool { return b[s] && (a[s] || p.every(z, s)) })
	}
	panic("not CTL: " + f.String())
}

// tables is a circuit as CKV01 writes it: θ, ρ and the labels of 2^C × 2^I.
type tables struct {
	inputs, controls int
	theta            [][2]int  // initial ⟨s, i⟩
	rho              [][][]int // rho[s][i], for each choice
	marks            [][][]int // of these steps: the fairness constraints that they meet, as bits
	steps            int       // number of fairness constraints that read choices
	hold             map[string][][]bool
}

func circuitTables(c *circuit.Circuit) *tables {
	t := &tables{inputs: len(c.Inputs), controls: len(c.Controls), hold: map[string][][]bool{}}
	var value func(l aig.Lit, s, i int) bool // i has the choices after the inputs
	value = func(l aig.Lit, s, i int) bool {
		v := false
		switch c.Graph.Kind(l.Node()) {
		case aig.KindAnd:
			a, b := c.Graph.Fanins(l.Node())
			v = value(a, s, i) && value(b, s, i)
		case aig.KindInput:
			for j, x := range slices.Concat(c.Inputs, c.Choices) {
				if x.Lit.Node() == l.Node() {
					v = i>>j&1 != 0
				}
			}
		case aig.KindLatch:
			for j, x := range c.Controls {
				if x.Lit.Node() == l.Node() {
					v = s>>j&1 != 0 != x.Lit.Neg()
				}
			}
		}
		return v != l.Neg()
	}
	names := map[string]aig.Lit{}
	for _, x := range c.Inputs {
		names[x.Name] = x.Lit
	}
	for _, x := range c.Controls {
		names[x.Name] = x.Lit
	}
	for _, x := range c.Outputs {
		names[x.Name] = x.Lit
	}
	var fair []aig.Lit
	for _, l := range c.Fairness {
		if c.ReadsChoices(l) {
			fair = append(fair, l)
		}
	}
	t.steps = len(fair)
	for s := range 1 << t.controls {
		row, marks := make([][]int, 1<<t.inputs), make([][]int, 1<<t.inputs)
		for i := range row {
			starts := false
			for d := range 1 << len(c.Choices) {
				to, initial, id := 0, true, i|d<<t.inputs
				for j, r := range c.Controls {
					if value(r.Next, s, id) {
						to |= 1 << j
					}
					initial = initial && value(r.Reset, s, id) == value(r.Lit, s, id)
				}
				met := 0
				for k, l := range fair {
					if value(l, s, id) {
						met |= 1 << k
					}
				}
				row[i], marks[i] = append(row[i], to), append(marks[i], met)
				starts = starts || initial
			}
			if starts {
				t.theta = append(t.theta, [2]int{s, i})
			}
		}
		t.rho, t.marks = append(t.rho, row), append(t.marks, marks)
	}
	for name, l := range names {
		v := make([][]bool, 1<<t.controls)
		for s := range v {
			for i := range 1 << t.inputs {
				v[s] = append(v[s], value(l, s, i))
			}
		}
		t.hold[name] = v
	}
	return t
}

// structure is K of a circuit with changed θ, ρ and δ. Where fairness reads choices, a
// state remembers which of it the last step met.
func (t *tables) structure(empty bool, change func(s int) int, flip string, flipped int) *plain {
	return t.loose(empty, func(s int) []int { return []int{change(s)} }, flip, flipped)
}

// loose is structure with several control states in the place of one.
func (t *tables) loose(empty bool, change func(s int) []int, flip string, flipped int) *plain {
	p := &plain{hold: map[string][]bool{}}
	width := 1 << t.inputs
	state := func(s, i, met int) int { return (s*width+i)<<t.steps | met }
	for s := range t.rho {
		for n := range width << t.steps {
			i := n >> t.steps
			var to []int
			for d, next := range t.rho[s][i] {
				for _, u := range change(next) {
					for j := range width {
						to = append(to, state(u, j, t.marks[s][i][d]))
					}
				}
			}
			p.succ = append(p.succ, to)
			for name, v := range t.hold {
				p.hold[name] = append(p.hold[name], v[s][i] != (name == flip && s == flipped))
			}
			for k := range t.steps {
				name := fmt.Sprint("step", k)
				p.hold[name] = append(p.hold[name], n>>k&1 != 0)
			}
		}
	}
	for _, x := range t.theta {
		if !empty || x[1] == 0 {
			for _, u := range change(x[0]) {
				p.init = append(p.init, state(u, x[1], 0))
			}
		}
	}
	return p
}

// width is the number of states of a control state.
func (t *tables) width() int { return 1 << (t.inputs + t.steps) }

func same(s int) int { return s }

// twin is the change of ρ's range in the dual circuit of s and control signal x.
func twin(s, x int) func(int) int {
	return func(t int) int {
		if t == s {
			return t ^ 1<<x
		}
		return t
	}
}

func fixed(x int, value bool) func(int) int {
	return func(t int) int {
		if value {
			return t | 1<<x
		}
		return t &^ (1 << x)
	}
}

// merged is the change of ρ's range and of θ when s and its twin are merged.
func merged(s, x int) func(int) []int {
	return func(t int) []int {
		if t == s || t == s^1<<x {
			return []int{s, s ^ 1<<x}
		}
		return []int{t}
	}
}

func dontCare(x int) func(int) []int {
	return func(t int) []int { return []int{t, t ^ 1<<x} }
}

// chosen turns some of a circuit's inputs into choices.
func chosen(rng *rand.Rand, c *circuit.Circuit) *circuit.Circuit {
	return random.WithChoices(c, rng.IntN(len(c.Inputs)+1))
}

// built is the structure of a circuit with choices, its states named as those of
// circuit.Structure.
func (t *tables) built(c *circuit.Circuit) (*structure.Structure, error) {
	p := t.structure(false, same, "", 0)
	var ap []string
	for name := range p.hold {
		ap = append(ap, name)
	}
	b := structure.NewBuilder(ap)
	width := 1 << t.inputs
	for s := range p.succ {
		var holds []string
		for _, name := range ap {
			if p.hold[name][s] {
				holds = append(holds, name)
			}
		}
		name := stateName(c, s/width)
		if t.inputs > 0 {
			name += "," + circuit.InputString(s%width, t.inputs)
		}
		b.AddState(name, holds...)
	}
	for s, to := range p.succ {
		for _, u := range slices.Compact(slices.Sorted(slices.Values(to))) {
			b.AddTransition(s, u)
		}
	}
	for _, s := range p.init {
		b.AddInitial(s)
	}
	return b.Build()
}
