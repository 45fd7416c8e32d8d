package matrix

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/coverage"
	"netcov/mutant"
	"netcov/netlist"
)

// TestSharesOfUnknownCells: what is said of a matrix with unknown cells is right, and no
// wider than it must be, for all values that these may have.
func TestSharesOfUnknownCells(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 15))
	maybe, exact := 0, 0
	for range 300 {
		properties, columns := make([]int, 1+r.IntN(4)), make([]Mutant, 1+r.IntN(5))
		for i := range properties {
			properties[i] = 2 * i
		}
		for k := range columns {
			columns[k].Target.Index = k
		}
		m := newMatrix(properties, columns, 0)
		var open [][2]int
		for i := range properties {
			for k, x := range columns {
				switch c := r.IntN(5); {
				case c == 0 && len(open) < 8:
					open = append(open, [2]int{i, k})
				case c < 3:
					m.put(i, x, mutant.Covered, Proof{})
				default:
					m.put(i, x, mutant.NotCovered, Proof{})
				}
			}
		}
		type bounds struct {
			covered, alone Range
			redundant      map[bool]bool
		}
		all := make([]bounds, len(properties))
		smallest := m.smallest(context.Background())
		for choice := range 1 << len(open) {
			fails := make([][]bool, len(properties))
			for i := range fails {
				fails[i] = make([]bool, len(columns))
				for k, x := range columns {
					fails[i][k] = m.Cell(i, x) == mutant.Covered
				}
			}
			for b, c := range open {
				fails[c[0]][c[1]] = choice>>b&1 == 1
			}
			for i := range properties {
				covered, alone := 0, 0
				for k := range columns {
					others := false
					for j := range properties {
						others = others || j != i && fails[j][k]
					}
					if fails[i][k] {
						covered++
						if !others {
							alone++
						}
					}
				}
				b := &all[i]
				if choice == 0 {
					*b = bounds{Range{covered, covered}, Range{alone, alone}, map[bool]bool{}}
				}
				b.covered = Range{min(b.covered.Low, covered), max(b.covered.High, covered)}
				b.alone = Range{min(b.alone.Low, alone), max(b.alone.High, alone)}
				b.redundant[alone == 0] = true
			}
			least := len(properties)
			for bits := range 1 << len(properties) {
				n, covers := 0, true
				for i := range properties {
					n += bits >> i & 1
				}
				for k := range columns {
					some, mine := false, false
					for i := range properties {
						some = some || fails[i][k]
						mine = mine || fails[i][k] && bits>>i&1 == 1
					}
					covers = covers && (mine || !some)
				}
				if covers {
					least = min(least, n)
				}
			}
			if smallest.Least > least || smallest.Exact && least != len(smallest.Properties) {
				t.Fatalf("%d properties do, the matrix says %+v", least, smallest)
			}
		}
		for i, b := range all {
			s := m.share(i)
			due := map[bool]Answer{true: Yes, false: No}[b.redundant[true]]
			if len(b.redundant) == 2 {
				due = Maybe
				maybe++
			}
			if s.Levels.Covered != b.covered || s.Alone != b.alone || s.Redundant != due {
				t.Fatalf("property %d: %+v; it covers %v, alone %v, and is redundant: %v", i, s, b.covered, b.alone, due)
			}
		}
		if smallest.Exact && len(open) > 0 {
			exact++
		}
	}
	t.Log(maybe, exact)
	if maybe == 0 || exact == 0 {
		t.Error("the test says little")
	}
}

// TestClassNamesTheProperty: four registers that are always 0, each of which property 0
// notices at once. Property 2 notices them only after twelve steps with the input at 1,
// so that no short trace shows it; property 1 never does. Asked about 1 and 2 as a set, the
// mutants are covered, by property 2.
func TestClassNamesTheProperty(t *testing.T) {
	defer restoreTimes(mostCascade, eachCell)
	mostCascade, eachCell = 1, 0
	const registers, steps = 4, 12
	f := &aiger.File{MaxVar: 1 + registers + 1 + steps, Inputs: []aiger.Lit{2}}
	and := func(a, b aiger.Lit) aiger.Lit {
		f.MaxVar++
		f.Ands = append(f.Ands, aiger.And{Lhs: 2 * f.MaxVar, Rhs0: a, Rhs1: b})
		return 2 * f.MaxVar
	}
	register := func(i int) aiger.Lit { return aiger.Lit(4 + 2*i) }
	never := register(registers)
	none := never ^ 1
	for i := range registers {
		none = and(none, register(i)^1)
		f.Latches = append(f.Latches, aiger.Latch{Lit: register(i)})
	}
	f.Latches = append(f.Latches, aiger.Latch{Lit: never})
	last := aiger.Lit(2) // the input was 1 in so many steps in a row
	for i := range steps {
		l := register(registers + 1 + i)
		next := last
		if i > 0 {
			next = and(last, 2)
		}
		f.Latches = append(f.Latches, aiger.Latch{Lit: l, Next: next})
		last = l
	}
	f.Bads = []aiger.Lit{none ^ 1, and(none^1, never), and(none^1, last)}
	n := netlist.FromAIGER(f)
	opt := coverage.Options{Faults: []mutant.Fault{mutant.One}}
	for i := range registers {
		opt.Targets = append(opt.Targets, mutant.Target{Index: i})
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	set, err := coverage.RunSet(ctx, f, n, []int{0, 1, 2}, opt)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Run(ctx, f, n, set, opt, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range opt.Targets {
		if fail, unknown := m.Failing(Mutant{x, mutant.One}); !slices.Equal(fail, []int{0, 2}) || unknown != nil {
			t.Errorf("%v: %v fail, %v are unknown; 0 and 2 fail", x, fail, unknown)
		}
	}
}

// TestLevelsInclude: a property that fails on a mutant that its proof does not depend on, or
// that lies outside of its cone, ends the run as a contradiction.
func TestLevelsInclude(t *testing.T) {
	f := &aiger.File{MaxVar: 1, Latches: []aiger.Latch{{Lit: 2, Next: 2}}, Bads: []aiger.Lit{2}}
	n := netlist.FromAIGER(f)
	at := mutant.Target{Index: 0}
	x := Mutant{at, mutant.One}
	for name, c := range map[string]struct{ inCone, used, want bool }{
		"all levels": {true, true, true},
		"not used":   {true, false, false},
		"no cone":    {false, true, false},
	} {
		r := &runner{
			n: n, set: coverage.NewSet(n, []mutant.Target{at}, mutant.Standard()), matrix: newMatrix([]int{0}, []Mutant{x}, 0),
			cones: []map[mutant.Target]bool{{at: c.inCone}}, covered: map[Mutant]bool{x: true},
			uses: []func(mutant.Target, mutant.Fault) bool{func(mutant.Target, mutant.Fault) bool { return c.used }},
		}
		r.matrix.put(0, x, mutant.Covered, Proof{})
		err := r.judge(context.Background(), Options{})
		if (err == nil) != c.want || err != nil && !errors.Is(err, coverage.ErrRecheck) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
