package framesat

import (
	"math/rand/v2"
	"testing"

	"netcov/sat"
)

// circuit is a random transition relation of leaves and gates, evaluated by
// definition.
type circuit struct {
	leaves int
	gates  [][3]int // kind, literal, literal; a multiplexer selects by leaf 0
}

func (c *circuit) build(b *Builder) {
	for range c.leaves {
		b.NewVar()
	}
	for _, g := range c.gates {
		v := sat.MkLit(b.NewVar(), false)
		x, y := Lit(g[1]), Lit(g[2])
		switch g[0] {
		case 0:
			b.AddClause(v^1, x)
			b.AddClause(v^1, y)
			b.AddClause(v, x^1, y^1)
		case 1:
			b.AddClause(v^1, x, y)
			b.AddClause(v^1, x^1, y^1)
			b.AddClause(v, x^1, y)
			b.AddClause(v, x, y^1)
		case 2:
			b.AddClause(0^1, x^1, v)
			b.AddClause(0^1, x, v^1)
			b.AddClause(0, y^1, v)
			b.AddClause(0, y, v^1)
		}
	}
}

// eval returns the values of all variables as bits.
func (c *circuit) eval(leaves uint64) uint64 {
	val := leaves
	bit := func(l int) uint64 { return val>>(l>>1)&1 ^ uint64(l&1) }
	for i, g := range c.gates {
		var v uint64
		switch g[0] {
		case 0:
			v = bit(g[1]) & bit(g[2])
		case 1:
			v = bit(g[1]) ^ bit(g[2])
		case 2:
			v = bit(g[2])
			if val&1 == 1 {
				v = bit(g[1])
			}
		}
		val |= v << (c.leaves + i)
	}
	return val
}

type taggedClause struct {
	lits []Lit
	tag  Tag
	ref  Ref
}

func holds(lits []Lit, val uint64) bool {
	for _, l := range lits {
		if val>>(l>>1)&1 != uint64(l&1) {
			return true
		}
	}
	return false
}

func (c *circuit) satisfiable(frame Tag, lemmas []*taggedClause, assumps, own []Lit) bool {
next:
	for w := range uint64(1) << c.leaves {
		val := c.eval(w)
		for _, l := range assumps {
			if !holds([]Lit{l}, val) {
				continue next
			}
		}
		if own != nil && !holds(own, val) {
			continue
		}
		for _, t := range lemmas {
			if t.tag >= frame && !holds(t.lits, val) {
				continue next
			}
		}
		return true
	}
	return false
}

// TestQueries compares random queries, their cores and their tags with
// enumeration, while lemmas are added, raised and removed.
func TestQueries(t *testing.T) {
	rounds := 150
	if testing.Short() {
		rounds = 50
	}
	r := rand.New(rand.NewPCG(1, 2))
	answers := map[sat.Status]int{}
	tagsAbove := 0
	for range rounds {
		c := &circuit{leaves: 3 + r.IntN(5)}
		for i := range r.IntN(25) {
			lit := func() int { return r.IntN(2 * (c.leaves + i)) }
			c.gates = append(c.gates, [3]int{r.IntN(3), lit(), lit()})
		}
		var b Builder
		c.build(&b)
		perm := TagInf
		if r.IntN(2) == 0 {
			perm = TagGlobal
		}
		s := New(&b, perm)
		if r.IntN(2) == 0 {
			s = NewChecked(&b, perm, func(err error) { t.Fatal(err) })
		}
		s.maxKeep = r.IntN(30)
		leaf := func() Lit { return Lit(r.IntN(2 * c.leaves)) }
		anyLit := func() Lit { return Lit(r.IntN(2 * s.NumVars())) }
		randomTag := func() Tag {
			if r.IntN(8) == 0 {
				return TagInf
			}
			return Tag(r.IntN(6))
		}
		var lemmas []*taggedClause
		for range 150 {
			switch r.IntN(6) {
			case 0: // Add a lemma, not so strong that nothing is left.
				l := &taggedClause{tag: randomTag()}
				for range 1 + r.IntN(4) {
					l.lits = append(l.lits, leaf())
				}
				if !c.satisfiable(0, append(lemmas, l), nil, nil) {
					continue
				}
				l.ref = s.AddLemma(l.lits, l.tag)
				lemmas = append(lemmas, l)
			case 1: // Raise one.
				if len(lemmas) > 0 {
					l := lemmas[r.IntN(len(lemmas))]
					l.tag = max(l.tag, randomTag())
					if l.ref == RefUnit || !s.SetTag(l.ref, l.tag) {
						s.AddLemma(l.lits, l.tag)
					}
				}
			case 2: // Replace one by a subset that holds as far.
				if len(lemmas) == 0 {
					continue
				}
				i := r.IntN(len(lemmas))
				old := lemmas[i]
				if old.ref == RefUnit {
					continue
				}
				l := &taggedClause{lits: old.lits[:1+r.IntN(len(old.lits))], tag: old.tag}
				lemmas[i] = l
				if !c.satisfiable(0, lemmas, nil, nil) {
					lemmas[i] = old
					continue
				}
				s.Remove(old.ref)
				l.ref = s.AddLemma(l.lits, l.tag)
			default:
				var assumps, own []Lit
				for range r.IntN(6) {
					assumps = append(assumps, anyLit())
				}
				if r.IntN(2) == 0 {
					for range 1 + r.IntN(4) {
						own = append(own, leaf())
					}
				}
				frame := randomTag()
				if perm == TagGlobal && r.IntN(5) == 0 {
					frame = TagGlobal
				}
				want := c.satisfiable(frame, lemmas, assumps, own)
				got := s.Solve(frame, assumps, own)
				answers[got]++
				if (got == sat.Sat) != want {
					t.Fatalf("frame %d, assumptions %v, own clause %v: got %v, want satisfiable %v", frame, assumps, own, got, want)
				}
				if got == sat.Sat {
					checkModel(t, s, c, frame, lemmas, assumps, own)
					continue
				}
				var core []Lit
				for _, l := range assumps {
					if s.InCore(l) {
						core = append(core, l)
					}
				}
				if !s.CoreOwn() {
					own = nil
				}
				tag := s.CoreTag()
				if tag < frame {
					t.Fatalf("tag %d of a refutation in frame %d", tag, frame)
				}
				if tag > frame {
					tagsAbove++
				}
				if c.satisfiable(tag, lemmas, core, own) {
					t.Fatalf("the core %v with tag %d, own clause %v is satisfiable", core, tag, own)
				}
			}
		}
	}
	if answers[sat.Sat] < 10*rounds || answers[sat.Unsat] < 10*rounds || tagsAbove < 5*rounds {
		t.Fatalf("lopsided sample: %v, %d", answers, tagsAbove)
	}
}

// checkModel checks that the model extends to all variables.
func checkModel(t *testing.T, s *Solver, c *circuit, frame Tag, lemmas []*taggedClause, assumps, own []Lit) {
	t.Helper()
	var fixed []Lit
	for v := range Var(s.NumVars()) {
		l := sat.MkLit(v, false)
		switch s.Value(l) {
		case isTrue:
			fixed = append(fixed, l)
		case isFalse:
			fixed = append(fixed, l^1)
		}
	}
	for _, l := range assumps {
		if s.Value(l) != isTrue {
			t.Fatalf("the assumption %d has the value %d in the model", l, s.Value(l))
		}
	}
	if !c.satisfiable(frame, lemmas, fixed, own) {
		t.Fatal("the model does not extend to all variables")
	}
}

// TestDomain asks what a query looks at: what chains of lemmas tie to it, and as much
// after the clauses were copied, but nothing of a lemma that was removed before.
func TestDomain(t *testing.T) {
	var b Builder
	for range 8 {
		b.NewVar()
	}
	s := New(&b, TagInf)
	lit := func(v Var) Lit { return sat.MkLit(v, false) }
	looksAt := func(want int) {
		t.Helper()
		if s.Solve(1, []Lit{lit(0)}, nil) != sat.Sat || len(s.Domain()) != want {
			t.Errorf("the query looked at %v, not at %d variables", s.Domain(), want)
		}
	}
	looksAt(1)
	s.AddLemma([]Lit{lit(5), lit(6)}, 1)
	looksAt(1)
	middle := s.AddLemma([]Lit{lit(2), lit(5)}, 1)
	s.AddLemma([]Lit{lit(0), lit(2), lit(3)}, 1)
	looksAt(5)
	s.DropLearnts(1, 2)
	looksAt(5)
	s.Remove(middle)
	s.DropLearnts(1, 2)
	looksAt(3)
}
