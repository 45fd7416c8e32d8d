package analysis

import (
	"context"
	"fmt"
	"strings"

	"netcov/frontend/smv"
	"netcov/kripke/load"
	"netcov/kripke/structure"
)

// list lists a source's states with the given atoms and its observable
// signals as propositions.
func list(ctx context.Context, s *load.Source, atoms []string, limit int) (*structure.Structure, error) {
	k, err := s.AsStructure(ctx, with(atoms, s.Observable()...), limit)
	return k, at(s.Path, err)
}

// pair lists the states of both sides. The propositions are those that the
// request names, or else the specification's: all of a structure file, which the
// implementation must have; of a model those that the implementation has as
// well, and notes name the others. Where two SMV models have no boolean signal in common,
// the values of their other variables are the propositions.
func pair(ctx context.Context, impl, spec *load.Source, ask []string, limit int) (i, s *structure.Structure, ap, notes []string, err error) {
	if s, err = list(ctx, spec, ask, limit); err != nil {
		return nil, nil, nil, nil, err
	}
	file := spec.Format == "hoa" || spec.Format == "text"
	want := ask
	if len(ask) == 0 && file {
		want = s.AP
	}
	if i, err = implementation(ctx, impl, want, limit); err != nil {
		return nil, nil, nil, nil, err
	}
	if want != nil {
		return i, s, want, nil, nil
	}
	var hidden []string
	for _, name := range s.AP {
		if _, ok := i.Proposition(name); ok {
			ap = append(ap, name)
		} else {
			hidden = append(hidden, name)
		}
	}
	expressions, others, apart := values(impl, spec)
	if len(ap) == 0 && len(expressions) > 0 {
		if apart != nil {
			notes = append(notes, fmt.Sprintf("not compared, since the values differ or are too many: %s", strings.Join(apart, ", ")))
		}
		i, s, ap, _, err = pair(ctx, impl, spec, expressions, limit)
		return i, s, ap, notes, err
	}
	if len(ap) == 0 {
		return nil, nil, nil, nil, fmt.Errorf("%s and %s have no signal of the same name and values", impl.Path, spec.Path)
	}
	if others != nil {
		notes = append(notes, fmt.Sprintf("not compared, since they are not boolean, and no values are named: %s", strings.Join(others, ", ")))
	}
	if hidden != nil {
		notes = append(notes, fmt.Sprintf("not compared, since only the specification has them: %s", strings.Join(hidden, ", ")))
	}
	return i, s, ap, notes, nil
}

// values returns expressions for the values of the variables that are not boolean and
// that both models have with the same values; the variables that are not boolean and of
// both; and those of them that have no expressions.
func values(impl, spec *load.Source) (expressions, names, apart []string) {
	own := map[string]smv.Observation{}
	for _, o := range impl.Observations() {
		own[o.Name] = o
	}
	for _, o := range spec.Observations() {
		i, has := own[o.Name]
		if !has {
			continue
		}
		names = append(names, o.Name)
		if i.Values == o.Values && o.Expressions != nil {
			expressions = append(expressions, o.Expressions...)
		} else {
			apart = append(apart, o.Name)
		}
	}
	return expressions, names, apart
}

// implementation reads the implementation's own signals, and those of the
// wanted atoms that are none, such as comparisons of an SMV model, too.
func implementation(ctx context.Context, impl *load.Source, want []string, limit int) (*structure.Structure, error) {
	k, err := list(ctx, impl, nil, limit)
	if err != nil {
		return nil, err
	}
	var more []string
	for _, name := range want {
		if _, ok := k.Proposition(name); !ok {
			more = append(more, name)
		}
	}
	if more == nil {
		return k, nil
	}
	if impl.Format == "smv" {
		return list(ctx, impl, more, limit)
	}
	return nil, fmt.Errorf("%s lacks the specification's proposition %s; it has %s", impl.Path, strings.Join(more, ", "), strings.Join(k.AP, ", "))
}
