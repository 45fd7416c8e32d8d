package symbolic

import (
	"errors"
	"fmt"

	"netcov/aig"
	"netcov/kripke/bdd"
)

// Relation is a structure given by functions on a graph: a state is a valuation
// of the State leaves, its successors are the values of Next under all values
// of the other leaves that satisfy NextCond, and the initial states are those
// of Initial under InitialCond.
type Relation struct {
	Graph       *aig.Graph
	State       []aig.Node
	Initial     []aig.Lit
	InitialCond aig.Lit
	Next        []aig.Lit
	NextCond    aig.Lit
	Labels      map[string]aig.Lit // over the State leaves
	// Name names a state, given by the values of State.
	Name func(bits []bool) string
}

// ErrNoState says that there is no state variable.
var ErrNoState = errors.New("the model has no state variable")

// ErrDeadlock says that a reachable state has no successor.
var ErrDeadlock = errors.New("a reachable state has no successor")

// FromRelation builds the transition relation in a manager of its own, which
// also holds the leaves that choose between successors, and copies the result:
// the system has 2n variables for n state bits.
func FromRelation(r Relation, opt bdd.Options) (*System, error) {
	n := len(r.State)
	if n == 0 {
		return nil, ErrNoState
	}
	b := newRelationBuilder(r, opt)
	trans, init, err := b.relations()
	if err != nil {
		return nil, err
	}
	e := NewEncoding(n, 2, opt)
	m := e.M
	s := &System{Encoding: e, ControlBits: e.AllBits(), Valid: bdd.True, labels: map[string]bdd.Ref{}}
	to := make([]int, b.m.NumVars())
	for i, bit := range b.position {
		to[b.now[i]], to[b.then[i]] = e.Var(0, bit), e.Var(1, bit)
	}
	s.relation = m.Protect(m.Copy(b.m, trans, to))
	// The initial states were built on the second track.
	for i, bit := range b.position {
		to[b.then[i]] = e.Var(0, bit)
	}
	s.Init = m.Protect(m.Copy(b.m, init, to))
	for name, l := range r.Labels {
		f, err := b.label(name, l)
		if err != nil {
			return nil, err
		}
		s.labels[name] = m.Protect(m.Copy(b.m, f, to))
	}
	s.names = func(bits []bool) string {
		state := make([]bool, n)
		for i, bit := range b.position {
			state[i] = bits[bit]
		}
		return r.Name(state)
	}
	if s.step, err = m.NewComposition([]string{"w", "v"}, []string{"w", "u"}, []string{"u", "v"}); err != nil {
		return nil, err
	}
	if s.swap, err = m.NewComposition([]string{"u", ""}, []string{"w", "u"}, []string{"w", ""}); err != nil {
		return nil, err
	}
	m.Collect()
	if m.Err() != nil {
		return nil, m.Err()
	}
	return s, s.checkTotal()
}

// checkTotal reports a reachable state without successor.
func (s *System) checkTotal() error {
	if s.Init == bdd.False {
		return errors.New("there is no initial state")
	}
	dead := s.M.Diff(s.Reached(nil), s.Pre(bdd.True))
	if s.M.Err() != nil || dead == bdd.False {
		return s.M.Err()
	}
	return fmt.Errorf("%w: %s", ErrDeadlock, s.StateName(s.M.PickOne(dead, s.ControlVars(0))))
}

// relationBuilder works in a manager whose variables are, bit by bit, the other
// leaves that the bit's next value needs first, the bit now and the bit then.
type relationBuilder struct {
	r        Relation
	m        *bdd.Manager
	position []int // of each state bit among the bits
	now      []int // variable of each state bit
	then     []int
	leaf     map[aig.Node]int // variable of each leaf
	memo     map[aig.Node]bdd.Ref
	opt      bdd.Options
}

func newRelationBuilder(r Relation, opt bdd.Options) *relationBuilder {
	n := len(r.State)
	b := &relationBuilder{r: r, position: make([]int, n), now: make([]int, n), then: make([]int, n), leaf: map[aig.Node]int{}, opt: opt}
	bit := map[aig.Node]int{}
	for i, l := range r.State {
		bit[l] = i
	}
	vars, placed := 0, make([]bool, n)
	count := 0
	place := func(i int) {
		if placed[i] {
			return
		}
		placed[i] = true
		b.position[i] = count
		b.now[i], b.then[i] = vars, vars+1
		b.leaf[r.State[i]] = vars
		count, vars = count+1, vars+2
	}
	// Bits are placed in the order in which a walk from the first one through
	// the next-state functions meets them.
	for start := range n {
		queue := []int{start}
		seen := map[int]bool{start: true}
		for len(queue) > 0 {
			i := queue[0]
			queue = queue[1:]
			if placed[i] {
				continue
			}
			cone := r.Graph.Cone(r.Next[i])
			for _, l := range cone {
				if k := r.Graph.Kind(l); k != aig.KindInput && k != aig.KindLatch {
					continue
				}
				if j, ok := bit[l]; ok {
					if !seen[j] {
						seen[j] = true
						queue = append(queue, j)
					}
				} else if _, ok := b.leaf[l]; !ok {
					b.leaf[l] = vars
					vars++
				}
			}
			place(i)
		}
	}
	for _, l := range r.Graph.Cone(append(append([]aig.Lit{r.NextCond, r.InitialCond}, r.Initial...), labels(r)...)...) {
		if k := r.Graph.Kind(l); k != aig.KindInput && k != aig.KindLatch {
			continue
		}
		if _, ok := b.leaf[l]; !ok {
			b.leaf[l] = vars
			vars++
		}
	}
	b.m = bdd.New(vars, opt)
	b.memo = map[aig.Node]bdd.Ref{0: bdd.False}
	for l, v := range b.leaf {
		b.memo[l] = b.m.Protect(b.m.Var(v))
	}
	return b
}

func labels(r Relation) []aig.Lit {
	var out []aig.Lit
	for _, l := range r.Labels {
		out = append(out, l)
	}
	return out
}

func (b *relationBuilder) edge(l aig.Lit) bdd.Ref {
	for _, n := range b.r.Graph.Cone(l) {
		if _, ok := b.memo[n]; ok {
			continue
		}
		x, y := b.r.Graph.Fanins(n)
		f := b.memo[x.Node()] ^ bdd.Ref(x&1)
		if b.r.Graph.Kind(n) == aig.KindAnd {
			f = b.m.And(f, b.memo[y.Node()]^bdd.Ref(y&1))
		}
		b.memo[n] = b.m.Protect(f)
	}
	return b.memo[l.Node()] ^ bdd.Ref(l&1)
}

func (b *relationBuilder) label(name string, l aig.Lit) (bdd.Ref, error) {
	f := b.edge(l)
	state := map[int]bool{}
	for _, v := range b.now {
		state[v] = true
	}
	for _, v := range b.m.Support(f) {
		if !state[v] {
			return f, fmt.Errorf("the proposition %s is no function of the state", name)
		}
	}
	return f, b.m.Err()
}

// relations builds the transition relation over both tracks and the initial
// states over the second.
func (b *relationBuilder) relations() (trans, init bdd.Ref, err error) {
	if trans, err = b.project(b.r.Next, b.r.NextCond, b.now); err != nil {
		return trans, init, err
	}
	b.m.Protect(trans)
	init, err = b.project(b.r.Initial, b.r.InitialCond, nil)
	b.m.Protect(init)
	return trans, init, err
}

// project is the relation between the variables to keep and the second track
// that says that the second track has the values of the edges for some values
// of the other variables under a condition. Conjuncts are joined bit by bit,
// and a variable is quantified after the last conjunct that has it.
func (b *relationBuilder) project(edges []aig.Lit, cond aig.Lit, keep []int) (bdd.Ref, error) {
	m := b.m
	conjuncts := []bdd.Ref{b.edge(cond)}
	byPosition := make([]int, len(edges))
	for i, p := range b.position {
		byPosition[p] = i
	}
	for _, i := range byPosition {
		conjuncts = append(conjuncts, m.Protect(m.Iff(m.Var(b.then[i]), b.edge(edges[i]))))
		m.CollectIfLarge()
	}
	last := map[int]int{}
	for c, f := range conjuncts {
		for _, v := range m.Support(f) {
			last[v] = c
		}
	}
	for _, v := range append(append([]int(nil), b.then...), keep...) {
		delete(last, v)
	}
	result := bdd.True
	for c, f := range conjuncts {
		var vars []int
		for v, l := range last {
			if l == c {
				vars = append(vars, v)
			}
		}
		result = m.AndExists(result, f, m.Cube(vars...))
		m.CollectIfLarge(result)
		if m.Err() != nil {
			return result, fmt.Errorf("the transition relation, after %d of %d conjuncts: %w", c, len(conjuncts), m.Err())
		}
	}
	return result, nil
}
