// Package sides reads the implementation and the specification that the
// simulation-based commands compare, and settles the propositions that both
// speak of.
package sides

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"netcov/kripke/bdd"
	"netcov/kripke/circuit"
	"netcov/kripke/load"
	"netcov/kripke/structure"
)

// Structure lists a source's states with the given atoms and its observable
// signals as propositions.
func Structure(ctx context.Context, s *load.Source, atoms []string, limit int) (*structure.Structure, error) {
	all := slices.Clone(atoms)
	for _, name := range s.Observable() {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	k, err := s.AsStructure(ctx, all, limit)
	if errors.Is(err, circuit.ErrTooLarge) {
		err = fmt.Errorf("%w; raise --max-states", err)
	}
	if err != nil && !strings.HasPrefix(err.Error(), s.Path) {
		err = fmt.Errorf("%s: %w", s.Path, err)
	}
	return k, err
}

// Pair lists the states of both sides. The propositions are those that the
// request names, or else the specification's: all of a structure file, which the
// implementation must have; of a model those that the implementation has as
// well, while the others are its own affair and a note tells so.
func Pair(ctx context.Context, impl, spec *load.Source, ask []string, limit int) (i, s *structure.Structure, ap, notes []string, err error) {
	if s, err = Structure(ctx, spec, ask, limit); err != nil {
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
	if len(ap) == 0 {
		return nil, nil, nil, nil, fmt.Errorf("%s and %s have no signal of the same name", impl.Path, spec.Path)
	}
	if hidden != nil {
		notes = append(notes, fmt.Sprintf("not compared, since only the specification has them: %s", strings.Join(hidden, ", ")))
	}
	return i, s, ap, notes, nil
}

// implementation reads the implementation's own signals, and those of the
// wanted atoms that are none, such as comparisons of an SMV model, too.
func implementation(ctx context.Context, impl *load.Source, want []string, limit int) (*structure.Structure, error) {
	k, err := Structure(ctx, impl, nil, limit)
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
		return Structure(ctx, impl, more, limit)
	}
	return nil, fmt.Errorf("%s lacks the specification's proposition %s; it has %s", impl.Path, strings.Join(more, ", "), strings.Join(k.AP, ", "))
}

// Stopped turns the end of a context, or of the diagrams' room, into the words
// of a report, and says whether it was the cause of an error.
func Stopped(ctx context.Context, err error) (string, bool) {
	cause := context.Cause(ctx)
	var limit *bdd.LimitError
	switch {
	case err == nil:
		return "", false
	case errors.As(err, &limit):
		return fmt.Sprintf("the decision diagrams reached their limit of %d nodes: use another algorithm, or raise --memory-limit", limit.Limit), true
	case cause == nil:
		return "", false
	case errors.Is(cause, context.DeadlineExceeded):
		return "the time limit was reached", true
	}
	return cause.Error(), true
}
