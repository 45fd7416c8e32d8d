package tableau

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"netcov/kripke/formula"
)

// State is a tableau state: what it demands of an implementation state.
type State struct {
	Literals map[string]bool   // the propositions that have to hold, or not
	Next     []formula.Formula // what has to hold in all successors
	Name     string            // of a structure's state, "" in the tableau of a formula
}

// Text lists the literals in the order of the propositions' names: "p", "!q".
func (s *State) Text() []string {
	out := make([]string, 0, len(s.Literals))
	for name, v := range s.Literals {
		if !v {
			name = "!" + name
		}
		out = append(out, name)
	}
	slices.SortFunc(out, func(a, b string) int {
		return strings.Compare(strings.TrimPrefix(a, "!"), strings.TrimPrefix(b, "!"))
	})
	return out
}

// Tableau is a transition graph whose labels have three values: a proposition
// holds, does not, or does not matter. Every state is reachable and has an
// infinite path. It implements similarity.Graph.
type Tableau struct {
	AP      []string // propositions that occur, sorted
	States  []State
	Initial []int

	succ, pred [][]int32
}

// Len is the number of states.
func (t *Tableau) Len() int { return len(t.States) }

// Transitions is the number of transitions.
func (t *Tableau) Transitions() int {
	n := 0
	for _, s := range t.succ {
		n += len(s)
	}
	return n
}

// Successors lists the successors of a state, increasing.
func (t *Tableau) Successors(s int) []int32 { return t.succ[s] }

// Predecessors lists the predecessors of a state, increasing.
func (t *Tableau) Predecessors(s int) []int32 { return t.pred[s] }

// New builds the reduced tableau of the conjunction of ACTL safety formulas
// (KGG99 section 6). A tableau without initial state belongs to a specification
// that no structure satisfies.
func New(ctx context.Context, specs ...formula.Formula) (*Tableau, error) {
	return NewWithin(ctx, MaxSets, MaxTransitions, specs...)
}

// NewWithin is New with bounds on the states and the transitions, beyond which the
// error wraps ErrTooLarge.
func NewWithin(ctx context.Context, states, transitions int, specs ...formula.Formula) (*Tableau, error) {
	for i, f := range specs {
		specs = slices.Clone(specs)
		specs[i] = formula.Simplify(formula.NNF(f))
		if err := supported(specs[i]); err != nil {
			return nil, err
		}
	}
	o := newObligations(ctx)
	o.most = states
	t := &Tableau{AP: formula.Atoms(specs...)}
	number := map[string]int32{}
	var sets []set
	add := func(s set) (int32, error) {
		key := make([]byte, 0, 4*len(s))
		for _, x := range s {
			key = binary.LittleEndian.AppendUint32(key, uint32(x))
		}
		n, ok := number[string(key)]
		if !ok {
			if len(sets) >= states {
				return 0, fmt.Errorf("%w: more than %d states", ErrTooLarge, states)
			}
			n = int32(len(sets))
			number[string(key)] = n
			sets = append(sets, s)
		}
		return n, nil
	}
	start, err := o.expandAll(specs)
	if err != nil {
		return nil, err
	}
	for _, s := range start {
		n, err := add(s)
		if err != nil {
			return nil, err
		}
		t.Initial = append(t.Initial, int(n))
	}
	successors := map[string][]int32{} // by the next-formulas
	for n := 0; n < len(sets); n++ {
		if err := o.stopped(); err != nil {
			return nil, err
		}
		s := State{Literals: map[string]bool{}}
		var next set
		for _, x := range sets[n] {
			f := o.formula[x]
			switch {
			case o.isNext[x]:
				s.Next, next = append(s.Next, f), append(next, x)
			case f.Op() == formula.OpNot:
				s.Literals[f.Left().Name()] = false
			default:
				s.Literals[f.Name()] = true
			}
		}
		t.States = append(t.States, s)
		key := fmt.Sprint(next)
		to, ok := successors[key]
		if !ok {
			family, err := o.expandAll(s.Next)
			if err != nil {
				return nil, err
			}
			for _, x := range family {
				m, err := add(x)
				if err != nil {
					return nil, err
				}
				to = append(to, m)
			}
			slices.Sort(to)
			successors[key] = to
		}
		if transitions -= len(to); transitions < 0 {
			return nil, fmt.Errorf("%w: too many transitions", ErrTooLarge)
		}
		t.succ = append(t.succ, to)
	}
	return t.trim(), nil
}

// trim removes the states without infinite path, and then the unreachable ones.
func (t *Tableau) trim() *Tableau {
	n := len(t.States)
	pred := make([][]int32, n)
	left := make([]int, n)
	var dead []int32
	for s, to := range t.succ {
		for _, u := range to {
			pred[u] = append(pred[u], int32(s))
		}
		if left[s] = len(to); left[s] == 0 {
			dead = append(dead, int32(s))
		}
	}
	gone := make([]bool, n)
	for len(dead) > 0 {
		s := dead[len(dead)-1]
		dead = dead[:len(dead)-1]
		gone[s] = true
		for _, p := range pred[s] {
			if left[p]--; left[p] == 0 {
				dead = append(dead, p)
			}
		}
	}
	// Breadth first from the initial states.
	out := &Tableau{AP: t.AP}
	renumber := make([]int32, n)
	for i := range renumber {
		renumber[i] = -1
	}
	var order []int
	visit := func(s int) int32 {
		if renumber[s] < 0 {
			renumber[s] = int32(len(order))
			order = append(order, s)
		}
		return renumber[s]
	}
	for _, s := range t.Initial {
		if !gone[s] {
			out.Initial = append(out.Initial, int(visit(s)))
		}
	}
	for i := 0; i < len(order); i++ {
		var to []int32
		for _, u := range t.succ[order[i]] {
			if !gone[u] {
				to = append(to, visit(int(u)))
			}
		}
		slices.Sort(to)
		out.succ = append(out.succ, slices.Compact(to))
	}
	for _, s := range order {
		out.States = append(out.States, t.States[s])
	}
	slices.Sort(out.Initial)
	out.Initial = slices.Compact(out.Initial)
	out.pred = make([][]int32, len(order))
	for s, to := range out.succ {
		for _, u := range to {
			out.pred[u] = append(out.pred[u], int32(s))
		}
	}
	return out
}
