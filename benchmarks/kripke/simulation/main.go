// Command simulation measures the algorithms of CK02 and KGG99 and draws the
// figures, in one run: the naive coverage against the halving for |W| = 2^6 to
// 2^13 on random and on structured cases (the paper: n times a simulation against
// log n times), lists against decision diagrams, and the compositions on 3n and
// 2n variables against the usual relational product on 6n and 4n.
//
//	go run ./benchmarks/kripke/simulation -out DIR
//
// It writes a table (TSV) and a picture (SVG) for each figure. Growth is the
// slope of a straight line fitted to log time over log states. Times are the
// process's CPU time; a series ends when a run takes longer than the limit, and a
// run that takes twenty times as long by the clock is given up.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot/plotter"

	"netcov/benchmarks/kripke/internal/growth"
	"netcov/kripke/similarity"
	"netcov/kripke/structure"
	"netcov/kripke/symbolic"
	"netcov/kripke/tableau"
)

func main() {
	out := flag.String("out", ".", "directory for tables and pictures")
	limit := flag.Duration("limit", 60*time.Second, "a series ends when a run takes longer")
	most := flag.Int("max", 13, "largest structure, as a power of 2")
	flag.Parse()
	if err := run(*out, *limit, *most); err != nil {
		log.Fatal(err)
	}
}

func run(out string, limit time.Duration, most int) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	naive := variant{"naive", similarity.Options{Algorithm: similarity.Naive}}
	halving := variant{"halving", similarity.Options{Algorithm: similarity.Halving}}
	compose := variant{"compose 3n", similarity.Options{Algorithm: similarity.Symbolic}}
	plain := variant{"relational product 6n", similarity.Options{Algorithm: similarity.Symbolic, Plain: true}}
	for _, f := range []figure{
		{"random", "simulation coverage, random structures", random, 6, []variant{naive, halving}},
		{"ring", "simulation coverage, rings", ring, 6, []variant{naive, halving}},
		{"symbolic", "simulation coverage, lists and decision diagrams (ring)", ring, 4, []variant{halving, compose, plain}},
		{"symbolic-random", "simulation coverage, lists and decision diagrams (random)", random, 4, []variant{halving, compose, plain}},
	} {
		if err := f.coverage(out, limit, most); err != nil {
			return err
		}
	}
	return comparison(out, limit, most)
}

type variant struct {
	name string
	opt  similarity.Options
}

type figure struct {
	name, title string
	pair        func(bits int) (impl, spec *structure.Structure)
	first       int
	variants    []variant
}

type point struct {
	states           int
	seconds          float64
	work             int64
	vars, nodes, mem int
}

func (p point) String() string {
	s := fmt.Sprintf("%9.4f s, work %d", p.seconds, p.work)
	if p.vars > 0 {
		s += fmt.Sprintf(", %d variables, %d nodes, %d kB", p.vars, p.nodes, p.mem>>10)
	}
	return s
}

type series struct {
	name   string
	points []point
}

func (f figure) coverage(out string, limit time.Duration, most int) error {
	var all []series
	results := map[int][]bool{}
	for _, v := range f.variants {
		s := series{name: v.name}
		for e := f.first; e <= most; e++ {
			impl, spec := f.pair(e)
			p, err := similarity.NewProblem(impl, spec)
			if err != nil {
				return err
			}
			mutants := p.MutantsOf("q")
			// A run that the limit ends is no point of the series.
			ctx, cancel := context.WithTimeout(context.Background(), 20*limit)
			begin := growth.CPU()
			c, err := p.Cover(ctx, mutants, v.opt)
			seconds := growth.CPU() - begin
			cancel()
			if err != nil {
				if ctx.Err() != nil {
					break
				}
				return fmt.Errorf("%s, %s, 2^%d: %w", f.name, v.name, e, err)
			}
			if want, ok := results[e]; ok && !slices.Equal(want, c.Covered) {
				return fmt.Errorf("%s, 2^%d: %s differs", f.name, e, v.name)
			}
			results[e] = c.Covered
			if v.opt.Algorithm == similarity.Symbolic {
				tracks := 3
				if v.opt.Plain {
					tracks = 6
				}
				n := symbolic.BitsFor(max(impl.Len(), spec.Reachable().Count(), len(mutants)))
				if c.Variables != tracks*n {
					return fmt.Errorf("%d variables for n = %d", c.Variables, n)
				}
			}
			x := point{impl.Len(), seconds, c.Work, c.Variables, c.PeakNodes, c.Bytes}
			s.points = append(s.points, x)
			fmt.Printf("%-16s %-22s 2^%-2d %v\n", f.name, v.name, e, x)
			if seconds > limit.Seconds() {
				break
			}
		}
		all = append(all, s)
	}
	return write(filepath.Join(out, "simulation-"+f.name), f.title, all)
}

// comparison measures SIM, ReachSIM and the criteria of KGG99.
func comparison(out string, limit time.Duration, most int) error {
	var all []series
	for _, v := range []struct {
		name string
		opt  tableau.Options
	}{
		{"lists", tableau.Options{}},
		{"compose 2n", tableau.Options{Algorithm: tableau.Symbolic}},
		{"relational product 4n", tableau.Options{Algorithm: tableau.Symbolic, Plain: true}},
	} {
		s := series{name: v.name}
		for e := 4; e <= most; e++ {
			impl, spec := ring(e)
			t, err := tableau.FromStructure(spec, nil)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(context.Background(), 20*limit)
			begin := growth.CPU()
			c, err := tableau.Compare(ctx, impl, t, v.opt)
			seconds := growth.CPU() - begin
			cancel()
			if err != nil {
				if ctx.Err() != nil {
					break
				}
				return err
			}
			if !c.Holds {
				return fmt.Errorf("2^%d: the specification does not hold", e)
			}
			x := point{impl.Len(), seconds, int64(c.Pairs), c.Variables, c.PeakNodes, c.Bytes}
			s.points = append(s.points, x)
			fmt.Printf("%-16s %-22s 2^%-2d %v\n", "compare", v.name, e, x)
			if seconds > limit.Seconds() {
				break
			}
		}
		all = append(all, s)
	}
	return write(filepath.Join(out, "simulation-compare"), "comparison with the specification (ring)", all)
}

// random is a random implementation over p and q, and a specification with
// twice its states: each state of it twice, all steps, and more of them. The
// extra steps leave some flips unnoticed.
func random(bits int) (impl, spec *structure.Structure) {
	rng := rand.New(rand.NewPCG(uint64(bits), 1))
	n := 1 << bits
	p, q := make([]bool, n), make([]bool, n)
	succ := make([][2]int, n)
	for s := range n {
		p[s], q[s] = rng.IntN(2) == 0, rng.IntN(2) == 0
		succ[s] = [2]int{(s + 1) % n, rng.IntN(n)}
	}
	a, b := structure.NewBuilder([]string{"p", "q"}), structure.NewBuilder([]string{"p", "q"})
	for s := range n {
		add(a, "s", s, p[s], q[s])
	}
	for s := range n {
		add(b, "a", s, p[s], q[s])
	}
	for s := range n {
		add(b, "b", s, p[s], rng.IntN(2) == 0)
	}
	for s := range n {
		for _, t := range succ[s] {
			a.AddTransition(s, t)
			b.AddTransition(s, t)
			b.AddTransition(n+s, t)
			b.AddTransition(s, n+t)
		}
	}
	a.AddInitial(0)
	b.AddInitial(0)
	return build(a), build(b)
}

// ring is a counter of the given bits without inputs; p marks its state 0, and q
// alternates every four states. The specification is the same ring with a twin
// of every eighth state, in which q has the other value: flips there are not
// noticed. Which state simulates which shows only at p, up to |W| steps later.
func ring(bits int) (impl, spec *structure.Structure) {
	n := 1 << bits
	counter := func(twins bool) *structure.Structure {
		b := structure.NewBuilder([]string{"p", "q"})
		for s := range n {
			add(b, "s", s, s == 0, s&4 != 0)
		}
		for s := range n {
			b.AddTransition(s, (s+1)%n)
		}
		if twins {
			for k := range n / 8 {
				s := 8*k + 3
				add(b, "t", n+k, s == 0, s&4 == 0)
				b.AddTransition(s-1, n+k)
				b.AddTransition(n+k, s+1)
			}
		}
		b.AddInitial(0)
		return build(b)
	}
	return counter(false), counter(true)
}

func add(b *structure.Builder, prefix string, s int, p, q bool) {
	var holds []string
	if p {
		holds = append(holds, "p")
	}
	if q {
		holds = append(holds, "q")
	}
	b.AddState(fmt.Sprint(prefix, s), holds...)
}

func build(b *structure.Builder) *structure.Structure {
	k, err := b.Build()
	if err != nil {
		panic(err) // the constructions above are always total
	}
	return k
}

func write(path, title string, all []series) error {
	var b strings.Builder
	var drawn []growth.Series
	b.WriteString("series\tstates\tseconds\twork\tbdd_variables\tbdd_peak_nodes\tbdd_bytes\n")
	for _, s := range all {
		g := growth.Series{Name: s.name, Least: 0.002}
		for _, x := range s.points {
			fmt.Fprintf(&b, "%s\t%d\t%.4f\t%d\t%d\t%d\t%d\n", s.name, x.states, x.seconds, x.work, x.vars, x.nodes, x.mem)
			g.Points = append(g.Points, plotter.XY{X: float64(x.states), Y: max(x.seconds, 1e-4)})
		}
		fmt.Printf("%s: %s, growth |W|^%.2f\n", filepath.Base(path), s.name, g.Slope())
		drawn = append(drawn, g)
	}
	if err := os.WriteFile(path+".tsv", []byte(b.String()), 0o666); err != nil {
		return err
	}
	return growth.Draw(path+".svg", title, "states |W|", drawn)
}
