package tableau

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"netcov/kripke/bdd"
	"netcov/kripke/similarity"
	"netcov/kripke/structure"
)

// Algorithm is a way to compare.
type Algorithm string

// The algorithms: lists of states and pairs, and decision diagrams on 2n
// variables (KGG99 section 5).
const (
	Explicit Algorithm = "explicit"
	Symbolic Algorithm = "symbolic"
)

// Options tune a comparison; the zero value means Explicit.
type Options struct {
	Algorithm Algorithm
	// AP are the propositions that are compared: two implementation states with
	// the same values of them look alike in the criterion ManyToOne. None are
	// the implementation's.
	AP       []string
	Diagrams bdd.Options // of Symbolic
	// Plain makes Symbolic use the usual relational product on 4n variables, to
	// compare with.
	Plain bool
}

// Comparison is the outcome. Tableau and implementation states are numbers;
// all lists are increasing.
type Comparison struct {
	Tableau *Tableau
	Impl    *structure.Structure
	Holds   bool               // the implementation satisfies the specification: M ≤ T(ψ)
	Why     *similarity.Reason // why not

	Pairs int // |ReachSIM|
	// The criteria (KGG99 sections 3 and 6.3).
	UnImplementedStartState []int    // initial tableau states
	UnImplementedState      []int    // tableau states
	UnImplementedTransition [][2]int // tableau transitions
	ManyToOne               []int    // tableau states
	OneToMany               []int    // implementation states

	// Of Symbolic.
	Variables, PeakNodes, Bytes, Iterations int

	label []int32   // class of an implementation state by its compared propositions
	reach reachable // nil when the specification does not hold
}

// reachable answers what evidence needs to know of ReachSIM.
type reachable interface {
	// path is a pair of corresponding paths to a pair of ReachSIM.
	path(i, t int) []Step
	// implementations lists the implementation states of a tableau state,
	// tableaus the tableau states of an implementation state.
	implementations(t int) []int
	tableaus(i int) []int
}

// StateOf, ImplName and Shows tell what the numbers of an entry stand for: a tableau
// state, the name of a design state, and whether a proposition holds there.
func (c *Comparison) StateOf(t int) *State  { return &c.Tableau.States[t] }
func (c *Comparison) ImplName(i int) string { return c.Impl.States[i] }
func (c *Comparison) Shows(i int, name string) bool {
	p, _ := c.Impl.Proposition(name)
	return c.Impl.Holds(i, p)
}

// Compare compares an implementation, or with fairness sets its fair part, with a
// tableau.
func Compare(ctx context.Context, impl *structure.Structure, t *Tableau, opt Options) (*Comparison, error) {
	impl = impl.FairPart()
	c := &Comparison{Tableau: t, Impl: impl}
	var missing []string
	for _, name := range t.AP {
		if _, ok := impl.Proposition(name); !ok {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		have := "none"
		if len(impl.AP) > 0 {
			have = strings.Join(impl.AP, ", ")
		}
		return nil, fmt.Errorf("the specification names %s, which is no signal of the implementation; there are %s", strings.Join(missing, ", "), have)
	}
	ap := opt.AP
	if len(ap) == 0 {
		ap = impl.AP
	}
	var numbers []int
	for _, name := range ap {
		p, ok := impl.Proposition(name)
		if !ok {
			return nil, fmt.Errorf("the implementation has no proposition %q; it has %s", name, strings.Join(impl.AP, ", "))
		}
		numbers = append(numbers, p)
	}
	if t.Len() == 0 && len(impl.Initial) > 0 {
		c.Why = &similarity.Reason{Path: impl.Initial[:1], Trace: true}
		return c, nil
	}
	c.label, _ = labelClasses(impl, numbers)
	switch opt.Algorithm {
	case Explicit, "":
		return c, c.explicit(ctx)
	case Symbolic:
		return c, c.symbolic(ctx, numbers, opt)
	}
	return nil, fmt.Errorf("there is no algorithm %q", opt.Algorithm)
}

// labelClasses numbers the implementation states by their labels on the given
// propositions.
func labelClasses(k *structure.Structure, ap []int) (class []int32, example []int) {
	class = make([]int32, k.Len())
	numbers := map[string]int32{}
	key := make([]byte, len(ap))
	for s := range class {
		for j, p := range ap {
			if key[j] = '0'; k.Holds(s, p) {
				key[j] = '1'
			}
		}
		c, ok := numbers[string(key)]
		if !ok {
			c = int32(len(example))
			numbers[string(key)] = c
			example = append(example, s)
		}
		class[s] = c
	}
	return class, example
}

// literalSets gives for each proposition of the tableau the states that allow
// it to be false, and to be true.
func (t *Tableau) literalSets() map[string][2]structure.Set {
	out := map[string][2]structure.Set{}
	for _, name := range t.AP {
		sets := [2]structure.Set{structure.NewSet(t.Len()), structure.NewSet(t.Len())}
		for s := range t.States {
			v, ok := t.States[s].Literals[name]
			if !ok || !v {
				sets[0].Add(s)
			}
			if !ok || v {
				sets[1].Add(s)
			}
		}
		out[name] = sets
	}
	return out
}

// fits gives each implementation state a class and each class the tableau
// states with whose literals it agrees.
func (c *Comparison) fits() (class []int32, fits []structure.Set) {
	var ap []int
	for _, name := range c.Tableau.AP {
		p, _ := c.Impl.Proposition(name)
		ap = append(ap, p)
	}
	class, example := labelClasses(c.Impl, ap)
	sets := c.Tableau.literalSets()
	for _, s := range example {
		f := structure.FullSet(c.Tableau.Len())
		for j, name := range c.Tableau.AP {
			v := 0
			if c.Impl.Holds(s, ap[j]) {
				v = 1
			}
			f.Intersect(sets[name][v])
		}
		fits = append(fits, f)
	}
	return class, fits
}

// pair is a node of the breadth-first search for ReachSIM.
type pair struct{ i, t, parent int32 }

// listed is ReachSIM as a list of pairs.
type listed struct {
	pairs  []pair
	byTab  [][]int32 // pairs of a tableau state
	byImpl [][]int32
}

func (c *Comparison) explicit(ctx context.Context) error {
	class, fits := c.fits()
	r, err := similarity.Greatest(ctx, c.Impl, c.Tableau, class, fits)
	if err != nil {
		return err
	}
	if c.Why = similarity.Why(c.Impl, c.Tableau, c.Impl.Initial, c.Tableau.Initial, class, fits, r); c.Why != nil {
		return nil
	}
	c.Holds = true
	l, err := c.reachSIM(ctx, r.Sim)
	if err != nil {
		return err
	}
	c.reach, c.Pairs = l, len(l.pairs)
	return c.criteria(ctx, l)
}

// reachSIM searches the pairs of SIM that corresponding paths lead to.
func (c *Comparison) reachSIM(ctx context.Context, sim []structure.Set) (*listed, error) {
	l := &listed{byTab: make([][]int32, c.Tableau.Len()), byImpl: make([][]int32, c.Impl.Len())}
	seen := make([]structure.Set, c.Impl.Len())
	visit := func(i, t, parent int) {
		if seen[i] == nil {
			seen[i] = structure.NewSet(c.Tableau.Len())
		}
		if !sim[i].Has(t) || seen[i].Has(t) {
			return
		}
		seen[i].Add(t)
		n := int32(len(l.pairs))
		l.pairs = append(l.pairs, pair{int32(i), int32(t), int32(parent)})
		l.byTab[t] = append(l.byTab[t], n)
		l.byImpl[i] = append(l.byImpl[i], n)
	}
	for _, i := range c.Impl.Initial {
		for _, t := range c.Tableau.Initial {
			visit(i, t, -1)
		}
	}
	for n := 0; n < len(l.pairs); n++ {
		if n&1023 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p := l.pairs[n]
		for _, i := range c.Impl.Successors(int(p.i)) {
			for _, t := range c.Tableau.Successors(int(p.t)) {
				visit(int(i), int(t), n)
			}
		}
	}
	return l, nil
}

func (c *Comparison) criteria(ctx context.Context, l *listed) error {
	initial := c.Impl.InitialSet()
	for _, t := range c.Tableau.Initial {
		if !slices.ContainsFunc(l.byTab[t], func(n int32) bool { return initial.Has(int(l.pairs[n].i)) }) {
			c.UnImplementedStartState = append(c.UnImplementedStartState, t)
		}
	}
	states := make([]structure.Set, c.Tableau.Len())
	for t, pairs := range l.byTab {
		if len(pairs) == 0 {
			c.UnImplementedState = append(c.UnImplementedState, t)
			continue
		}
		states[t] = structure.NewSet(c.Impl.Len())
		labels := map[int32]bool{}
		for _, n := range pairs {
			states[t].Add(int(l.pairs[n].i))
			labels[c.label[l.pairs[n].i]] = true
		}
		if len(labels) < len(pairs) {
			c.ManyToOne = append(c.ManyToOne, t)
		}
	}
	for t := range states {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		for _, u := range c.Tableau.Successors(t) {
			if states[t] != nil && states[u] != nil && c.stuck(states[t].List(), states[u]) >= 0 {
				c.UnImplementedTransition = append(c.UnImplementedTransition, [2]int{t, int(u)})
			}
		}
	}
	for i, pairs := range l.byImpl {
		if len(pairs) > 1 {
			c.OneToMany = append(c.OneToMany, i)
		}
	}
	return nil
}

// stuck is the first of the states without successor in a set, or -1.
func (c *Comparison) stuck(states []int, to structure.Set) int {
	for _, i := range states {
		if !slices.ContainsFunc(c.Impl.Successors(i), func(j int32) bool { return to.Has(int(j)) }) {
			return i
		}
	}
	return -1
}

func (l *listed) path(i, t int) []Step {
	var out []Step
	for _, n := range l.byTab[t] {
		if int(l.pairs[n].i) != i {
			continue
		}
		for ; n >= 0; n = l.pairs[n].parent {
			out = append(out, Step{int(l.pairs[n].i), int(l.pairs[n].t)})
		}
		break
	}
	slices.Reverse(out)
	return out
}

func (l *listed) implementations(t int) []int {
	var out []int
	for _, n := range l.byTab[t] {
		out = append(out, int(l.pairs[n].i))
	}
	slices.Sort(out)
	return out
}

func (l *listed) tableaus(i int) []int {
	var out []int
	for _, n := range l.byImpl[i] {
		out = append(out, int(l.pairs[n].t))
	}
	slices.Sort(out)
	return out
}
