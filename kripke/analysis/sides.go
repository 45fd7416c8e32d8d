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
// well, with the values of variables that are not boolean, and notes name the others.
func pair(ctx context.Context, impl, spec *load.Source, ask []string, limit int) (i, s *structure.Structure, ap, notes []string, err error) {
	file := spec.Format == "hoa" || spec.Format == "text"
	read := ask
	var hidden, also []string
	if len(ask) == 0 && !file {
		read, also, notes = values(impl, spec)
	}
	if s, err = list(ctx, spec, read, limit); err != nil {
		return nil, nil, nil, nil, err
	}
	want := ask
	if len(ask) == 0 && file {
		want = s.AP
	}
	if i, err = implementation(ctx, impl, with(want, read...), limit); err != nil {
		return nil, nil, nil, nil, err
	}
	if want != nil {
		return i, s, want, nil, nil
	}
	for _, name := range s.AP {
		if _, ok := i.Proposition(name); ok {
			ap = append(ap, name)
		} else {
			hidden = append(hidden, name)
		}
	}
	if len(ap) == 0 {
		return nil, nil, nil, nil, fmt.Errorf("%s and %s have no signal of the same name and values", impl.Path, spec.Path)
	}
	if hidden = append(hidden, also...); hidden != nil {
		notes = append(notes, fmt.Sprintf("not compared, since only the specification has them: %s", strings.Join(hidden, ", ")))
	}
	return i, s, ap, notes, nil
}

// values returns expressions for the values of the variables that are not boolean and
// that both models have, the variables that only the specification has, and notes on
// those that cannot be compared.
func values(impl, spec *load.Source) (read, hidden, notes []string) {
	own := map[string]smv.Observation{}
	for _, o := range impl.Observations() {
		own[o.Name] = o
	}
	for _, o := range spec.Observations() {
		i, has := own[o.Name]
		switch {
		case !has:
			hidden = append(hidden, o.Name)
		case i.Values != o.Values:
			notes = append(notes, fmt.Sprintf("not compared, since the values differ: %s", o.Name))
		case o.Expressions == nil:
			notes = append(notes, fmt.Sprintf("not compared, since it has too many values: %s", o.Name))
		default:
			read = append(read, o.Expressions...)
		}
	}
	return read, hidden, notes
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
