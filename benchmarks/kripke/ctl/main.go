// Command ctl measures the CTL coverage algorithms of CKV01 against each other
// and draws the figures: naive against random halving, and pairs, on structures of 2^8 to
// 2^14 states (the paper: |W|·|K| against |K|·log |W|), and explicit against
// symbolic on circuits: a counter, whose diameter is its number of states, and a
// shift register, whose diameter is its number of registers.
//
//	go run ./benchmarks/kripke/ctl -out DIR
//
// It writes a table (TSV) and a picture (SVG) for each figure. Growth is the
// slope of a straight line fitted to log time over log states. Times are the
// process's CPU time, the best of three runs, so that other load on the machine
// matters little; the gates that the halving evaluates are exact.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gonum.org/v1/plot/plotter"

	"netcov/aig"
	"netcov/benchmarks/kripke/internal/growth"
	"netcov/kripke/circuit"
	"netcov/kripke/ctl"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
)

func main() {
	out := flag.String("out", ".", "directory for tables and pictures")
	limit := flag.Duration("limit", 60*time.Second, "a series ends when a run takes longer")
	maxBits := flag.Int("max", 14, "largest random structure, as a power of 2")
	flag.Parse()
	if err := run(*out, *limit, *maxBits); err != nil {
		log.Fatal(err)
	}
}

func run(out string, limit time.Duration, maxBits int) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for _, f := range families {
		fig := &figure{title: f.spec, x: "states |W|"}
		for _, a := range []ctl.Algorithm{ctl.Naive, ctl.Halving, ctl.Pairs} {
			s := series{name: string(a)}
			last := maxBits
			if a == ctl.Pairs {
				last = min(last, randomPairs)
			}
			for e := 8; e <= last; e++ {
				k := f.structure(rand.New(rand.NewPCG(uint64(e), 1)), 1<<e)
				m, err := ctl.StructureModel(k)
				if err != nil {
					return err
				}
				p, err := measure(m, f.spec, "q", a)
				if err != nil {
					return err
				}
				p.states = 1 << e
				s.points = append(s.points, p)
				fmt.Printf("%-12s %-8s 2^%-2d %v\n", f.name, a, e, p)
				if p.seconds > limit.Seconds() {
					break
				}
			}
			fig.series = append(fig.series, s)
		}
		if err := fig.write(filepath.Join(out, "ctl-"+f.name)); err != nil {
			return err
		}
	}
	for _, c := range circuits {
		if err := c.measure(out, limit); err != nil {
			return err
		}
	}
	return nil
}

// measured is a circuit with one input and a signal to cover.
type measured struct {
	name, spec, signal string
	make               func(bits int) *circuit.Circuit
	pairs              int // largest number of bits for the pairs
}

var circuits = []measured{
	{"counter", "AG EF top & AG (top -> AX (top | zero))", "top", counter, 14},
	{"shift", "AG EF full & AG EF !full", "full", shift, 32},
}

// measure compares the three algorithms.
func (c measured) measure(out string, limit time.Duration) error {
	fig := &figure{title: c.spec, x: "control states"}
	for _, a := range []struct {
		alg  ctl.Algorithm
		last int
	}{{ctl.Naive, 12}, {ctl.Halving, 16}, {ctl.Pairs, c.pairs}} {
		s := series{name: string(a.alg)}
		for e := 6; e <= a.last; e++ {
			m, err := ctl.CircuitModel(c.make(e))
			if err != nil {
				return err
			}
			p, err := measure(m, c.spec, c.signal, a.alg)
			if err != nil {
				return err
			}
			if a.alg == ctl.Pairs && p.variables != 2*(e+1) {
				return fmt.Errorf("%d variables for n = %d", p.variables, e+1)
			}
			p.states = 1 << e
			s.points = append(s.points, p)
			fmt.Printf("%-12s %-8s 2^%-2d %v\n", c.name, a.alg, e, p)
			if p.seconds > limit.Seconds() {
				break
			}
		}
		fig.series = append(fig.series, s)
	}
	return fig.write(filepath.Join(out, "ctl-"+c.name))
}

// randomPairs is the largest random structure for the pairs, as a power of 2:
// random graphs have no small diagrams.
const randomPairs = 11

// family is a specification with structures on which it holds.
type family struct {
	name, spec string
	// request is the set of states that get the proposition p, which the
	// specification makes a promise about.
	request func(succ [][]int, q []bool) []bool
}

// The structures are a ring with one more random edge from each state, and q is
// random in every state, as in the paper's average.
var families = []family{
	{"next", "AG (p -> AX q)", func(succ [][]int, q []bool) []bool {
		p := make([]bool, len(q))
		for s, to := range succ {
			p[s] = q[to[0]] && q[to[1]]
		}
		return p
	}},
	{"finally", "AG (p -> AF q)", func(succ [][]int, q []bool) []bool {
		p := append([]bool(nil), q...)
		for changed := true; changed; {
			changed = false
			for s, to := range succ {
				if !p[s] && p[to[0]] && p[to[1]] {
					p[s], changed = true, true
				}
			}
		}
		return p
	}},
	{"reset", "AG EF (q & EX !q)", func(_ [][]int, q []bool) []bool { return make([]bool, len(q)) }},
}

func (f family) structure(rng *rand.Rand, n int) *structure.Structure {
	succ, q := make([][]int, n), make([]bool, n)
	for s := range n {
		succ[s] = []int{(s + 1) % n, rng.IntN(n)}
		q[s] = rng.IntN(2) == 0
	}
	p := f.request(succ, q)
	b := structure.NewBuilder([]string{"p", "q"})
	for s := range n {
		var holds []string
		if p[s] {
			holds = append(holds, "p")
		}
		if q[s] {
			holds = append(holds, "q")
		}
		b.AddState(fmt.Sprint("s", s), holds...)
	}
	for s := range n {
		b.AddTransition(s, succ[s][0])
		b.AddTransition(s, succ[s][1])
	}
	b.AddInitial(0)
	k, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	return k
}

// counter is a counter of the given number of bits with the input run; top
// marks its last state and zero its first.
func counter(bits int) *circuit.Circuit {
	g := aig.NewGraph()
	c := circuit.Circuit{Name: "counter", Graph: g, Constraint: aig.True}
	run := g.Input()
	c.Inputs = []circuit.Signal{{Name: "run", Lit: run}}
	carry, top, zero := run, aig.True, aig.True
	for i := range bits {
		l := g.Latch()
		c.Controls = append(c.Controls, circuit.Control{Name: fmt.Sprint("b", i), Lit: l, Next: g.Xor(l, carry)})
		carry, top, zero = g.And(carry, l), g.And(top, l), g.And(zero, l.Not())
	}
	c.Outputs = []circuit.Signal{{Name: "top", Lit: top}, {Name: "zero", Lit: zero}}
	done, err := circuit.New(c)
	if err != nil {
		log.Fatal(err)
	}
	return done
}

// shift is a shift register with a serial input; full marks all ones.
func shift(bits int) *circuit.Circuit {
	g := aig.NewGraph()
	c := circuit.Circuit{Name: "shift", Graph: g, Constraint: aig.True}
	from, full := g.Input(), aig.True
	c.Inputs = []circuit.Signal{{Name: "in", Lit: from}}
	for i := range bits {
		l := g.Latch()
		c.Controls = append(c.Controls, circuit.Control{Name: fmt.Sprint("b", i), Lit: l, Next: from})
		from, full = l, g.And(full, l)
	}
	c.Outputs = []circuit.Signal{{Name: "full", Lit: full}}
	done, err := circuit.New(c)
	if err != nil {
		log.Fatal(err)
	}
	return done
}

// point is one run.
type point struct {
	states    int
	seconds   float64
	covered   string
	work      int64
	variables int
	nodes     int
}

func (p point) String() string {
	s := fmt.Sprintf("%9.4f s, %s covered", p.seconds, p.covered)
	if p.work > 0 {
		s += fmt.Sprintf(", %d gates evaluated", p.work)
	}
	if p.variables > 0 {
		s += fmt.Sprintf(", %d variables, %d nodes", p.variables, p.nodes)
	}
	return s
}

// measure runs an algorithm, short runs three times, and takes the fastest.
func measure(m *ctl.Model, spec, signal string, a ctl.Algorithm) (point, error) {
	f, err := formula.Parse(spec, formula.CTL)
	if err != nil {
		return point{}, err
	}
	best := point{seconds: math.Inf(1)}
	for range 3 {
		p, err := ctl.NewProblem(m, f, ctl.Options{Algorithm: a, MaxStates: 1 << 26, MaxNames: 100})
		if err != nil {
			return best, err
		}
		ctx := context.Background()
		if ok, err := p.Holds(ctx); err != nil || !ok {
			return best, fmt.Errorf("%s holds: %v, %w", spec, ok, err)
		}
		start := growth.CPU()
		c, err := p.Cover(ctx, signal)
		t := max(growth.CPU()-start, 1e-6)
		if err != nil {
			return best, err
		}
		if t < best.seconds {
			best = point{seconds: t, covered: c.CoveredN.String()}
			if c.Halving != nil {
				best.work = c.Halving.Work
			}
			if c.Diagrams != nil {
				best.variables, best.nodes = c.Diagrams.Variables, c.Diagrams.PeakNodes
			}
		}
		if t > 1 {
			break
		}
	}
	return best, nil
}

type series struct {
	name   string
	points []point
}

// growth returns the series with a measure of the runs in the place of seconds.
func (s series) growth(of func(point) float64) growth.Series {
	g := growth.Series{Name: s.name}
	for _, p := range s.points {
		g.Points = append(g.Points, plotter.XY{X: float64(p.states), Y: of(p)})
	}
	return g
}

type figure struct {
	title, x string
	series   []series
}

func (f *figure) write(base string) error {
	var b strings.Builder
	var drawn []growth.Series
	b.WriteString("algorithm\tstates\tseconds\tcovered\tgates\tbdd_variables\tbdd_nodes\n")
	for _, s := range f.series {
		for _, p := range s.points {
			fmt.Fprintf(&b, "%s\t%d\t%.6f\t%s\t%d\t%d\t%d\n", s.name, p.states, p.seconds, p.covered, p.work, p.variables, p.nodes)
		}
		g := s.growth(func(p point) float64 { return p.seconds })
		drawn = append(drawn, g)
		fmt.Printf("%s: %s grows as |W|^%.2f", f.title, s.name, g.Slope())
		if len(s.points) > 0 && s.points[0].work > 0 {
			gates := s.growth(func(p point) float64 { return float64(p.work) })
			fmt.Printf(", its gates as |W|^%.2f", growth.Exponent(gates.Points))
		}
		fmt.Println()
	}
	if err := os.WriteFile(base+".tsv", []byte(b.String()), 0o666); err != nil {
		return err
	}
	return growth.Draw(base+".svg", f.title, f.x, drawn)
}
