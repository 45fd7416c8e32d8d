package similarity

import (
	"context"
	"fmt"
	"strings"

	"netcov/kripke/structure"
)

// MaxPairs bounds |W|·|W'|: the simulation sets take an eighth of it in bytes. With
// fairness sets of the specification some ten such sets are held at a time, and
// MaxFairPairs is the bound.
const (
	MaxPairs     = 1 << 36
	MaxFairPairs = 1 << 30
)

// Problem asks how a specification simulates an implementation. The labels are
// compared on the given propositions, or else the specification's, which the
// implementation must have as well; it may have more (CK02, footnote 5).
//
// With fairness sets the question is fair simulation as a game (Henzinger, Kupferman
// and Rajamani 1997): the specification answers each step of the implementation so
// that, if the implementation's path is fair, the labels always agree and its own
// path is fair too. Impl and Spec are then the parts with fair paths.
type Problem struct {
	Impl, Spec *structure.Structure

	// assume and goals are the fairness sets of the two that matter. Without goals
	// plain simulation of the fair part is fair simulation.
	assume, goals []structure.Set

	ap     []prop
	number map[string]int // in ap
}

// prop is a proposition of the specification, by its numbers in both.
type prop struct {
	name       string
	impl, spec int
	with       [2]structure.Set // specification states where it is false, true
}

// NewProblem pairs an implementation with a specification. No propositions are
// all of the specification.
func NewProblem(impl, spec *structure.Structure, ap ...string) (*Problem, error) {
	if len(ap) == 0 {
		ap = spec.AP
	}
	p := &Problem{Impl: impl, Spec: spec, number: map[string]int{}}
	p.Impl, p.Spec = impl.FairPart(), spec.FairPart()
	if p.goals = selective(p.Spec); p.goals != nil {
		p.assume = selective(p.Impl)
		if int64(impl.Len())*int64(spec.Len()) > MaxFairPairs {
			return nil, fmt.Errorf("%d and %d states make more than 2^30 pairs: too many for the fairness sets of the specification", impl.Len(), spec.Len())
		}
	}
	if int64(impl.Len())*int64(spec.Len()) > MaxPairs {
		return nil, fmt.Errorf("%d and %d states make more than 2^36 pairs: too many to list", impl.Len(), spec.Len())
	}
	var missing []string
	for _, name := range ap {
		j, ok := spec.Proposition(name)
		if !ok {
			return nil, fmt.Errorf("the specification has no proposition %q; it has %s", name, strings.Join(spec.AP, ", "))
		}
		i, ok := impl.Proposition(name)
		if !ok {
			missing = append(missing, name)
			continue
		}
		not := structure.FullSet(spec.Len())
		not.Subtract(spec.Where(j))
		p.number[name] = len(p.ap)
		p.ap = append(p.ap, prop{name, i, j, [2]structure.Set{not, spec.Where(j)}})
	}
	if missing != nil {
		return nil, fmt.Errorf("the implementation lacks the specification's proposition %s; it has %s",
			strings.Join(missing, ", "), strings.Join(impl.AP, ", "))
	}
	return p, nil
}

// selective lists the fairness sets that leave some state out.
func selective(k *structure.Structure) (out []structure.Set) {
	all := structure.FullSet(k.Len())
	for _, f := range k.Fair {
		if !all.SubsetOf(f) {
			out = append(out, f)
		}
	}
	return out
}

// Propositions lists the propositions on which labels are compared.
func (p *Problem) Propositions() []string {
	var out []string
	for i := range p.ap {
		out = append(out, p.ap[i].name)
	}
	return out
}

// classes groups the implementation's states by label. Where free(w, a) is
// true, the value of the proposition ap[a] in w is a variable that fits both
// (CK02's incomplete labeling); nil leaves none free.
func (p *Problem) classes(free func(w, a int) bool) (class []int32, fits []structure.Set) {
	class = make([]int32, p.Impl.Len())
	numbers := map[string]int32{}
	key := make([]byte, len(p.ap))
	for w := range class {
		for a := range p.ap {
			switch {
			case free != nil && free(w, a):
				key[a] = '-'
			case p.Impl.Holds(w, p.ap[a].impl):
				key[a] = '1'
			default:
				key[a] = '0'
			}
		}
		c, ok := numbers[string(key)]
		if !ok {
			c = int32(len(fits))
			numbers[string(key)] = c
			f := structure.FullSet(p.Spec.Len())
			for a := range p.ap {
				if key[a] != '-' {
					f.Intersect(p.ap[a].with[key[a]-'0'])
				}
			}
			fits = append(fits, f)
		}
		class[w] = c
	}
	return class, fits
}

// Similarity computes the greatest simulation of the implementation by the
// specification, over all states.
func (p *Problem) Similarity(ctx context.Context) (*Relation, error) {
	class, fits := p.classes(nil)
	r, err := Greatest(ctx, p.Impl, p.Spec, class, fits)
	if err != nil || len(p.goals) == 0 {
		return r, err
	}
	sim, err := p.game(ctx).solve(r.Sim, nil)
	if err != nil {
		return nil, err
	}
	return &Relation{Sim: sim}, nil
}

// Simulates reports whether the relation relates every initial state of the
// implementation to an initial state of the specification.
func (p *Problem) Simulates(r *Relation) bool {
	return unmatched(r.Sim, p.Impl.Initial, p.Spec.InitialSet()) < 0
}

// unmatched is the first of the initial states that no state of the set
// simulates, -1 when there is none.
func unmatched(sim []structure.Set, initial []int, of structure.Set) int {
	for _, w := range initial {
		if !meets(sim[w], of) {
			return w
		}
	}
	return -1
}

func meets(a, b structure.Set) bool {
	for i, x := range a {
		if x&b[i] != 0 {
			return true
		}
	}
	return false
}
