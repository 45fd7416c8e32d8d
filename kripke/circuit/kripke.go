package circuit

import (
	"errors"
	"fmt"
	"slices"

	"netcov/aig"
	"netcov/kripke/structure"
)

// ErrConstraint says that a circuit's invariant constraints stand in the way.
var ErrConstraint = errors.New("invariant constraints are not supported here: express them as assumptions in the specification")

// ErrNoRun says that no infinite run keeps to a circuit's invariant constraint.
var ErrNoRun = errors.New("no infinite run satisfies the invariant constraints")

// StructureOptions say how much of K_S is built.
type StructureOptions struct {
	// Limit bounds the number of states ⟨s, i⟩; 0 is structure.MaxStates.
	Limit int
	// EmptyFirst takes ⟨θ, ∅⟩, every input 0, as the only first step, as CKV01
	// does; otherwise every input is possible in the first step.
	EmptyFirst bool
	// Interrupt is asked now and then; an error from it ends the listing.
	Interrupt func() error
}

// Structure builds the reachable part of the Kripke structure K_S that the
// circuit induces (CKV01 section 2). Its states are named "s,i": the control
// state, and the inputs' bits, in the order of Inputs, when there are inputs.
// Propositions are the inputs, the control signals and the outputs. The
// fairness literals become fairness sets. With an invariant constraint, only the
// states with an infinite path through states that satisfy it are states.
func (c *Circuit) Structure(opt StructureOptions) (*structure.Structure, error) {
	var ap []string
	var atoms []aig.Lit
	for _, s := range c.Inputs {
		ap, atoms = append(ap, s.Name), append(atoms, s.Lit)
	}
	for _, s := range c.Controls {
		ap, atoms = append(ap, s.Name), append(atoms, s.Lit)
	}
	seen := map[string]bool{}
	for _, s := range c.Outputs {
		if c.kinds[s.Name] == PureOutput && !seen[s.Name] {
			seen[s.Name] = true
			ap, atoms = append(ap, s.Name), append(atoms, s.Lit)
		}
	}
	limit := opt.Limit
	if limit <= 0 {
		limit = structure.MaxStates
	}
	conditions := append(slices.Clone(atoms), c.Fairness...)
	constraint := len(conditions)
	sp, err := NewSpace(c, append(conditions, c.Constraint), limit)
	if err != nil {
		return nil, err
	}
	interrupted := func(cell int) error {
		if opt.Interrupt == nil || cell&0xff != 0 {
			return nil
		}
		return opt.Interrupt()
	}
	// The space numbers control states as they are met, so expanding them in
	// order visits the reachable part; only initial ones come unasked.
	for cell := 0; cell < sp.Len(); cell++ {
		if err := interrupted(cell); err != nil {
			return nil, fmt.Errorf("after %d control states: %w", cell, err)
		}
		if _, err := sp.Successors(cell); err != nil {
			return nil, err
		}
	}
	b := structure.NewBuilder(ap)
	b.Name = c.Name
	width := sp.Width()
	fair := make([][]int, len(c.Fairness))
	number := make([]int, sp.Len()*width) // of each ⟨s, i⟩, -1 for one that is none
	endless := sp.endless(constraint)
	for cell := range sp.Len() {
		if err := interrupted(cell); err != nil {
			return nil, fmt.Errorf("%d control states: %w", sp.Len(), err)
		}
		name := c.NameOf(sp.Bits(cell))
		next, _ := sp.Successors(cell)
		for i := range width {
			if number[cell*width+i] = -1; !sp.Holds(cell, i, constraint) || !endless[next[i]] {
				continue
			}
			full := name
			if len(c.Inputs) > 0 {
				full = fmt.Sprintf("%s,%s", name, InputString(i, len(c.Inputs)))
			}
			var holds []string
			for a := range atoms {
				if sp.Holds(cell, i, a) {
					holds = append(holds, ap[a])
				}
			}
			s := b.AddState(full, holds...)
			number[cell*width+i] = s
			for f := range fair {
				if sp.Holds(cell, i, len(atoms)+f) {
					fair[f] = append(fair[f], s)
				}
			}
		}
	}
	for cell := range sp.Len() {
		if err := interrupted(cell); err != nil {
			return nil, fmt.Errorf("%d control states: %w", sp.Len(), err)
		}
		next, _ := sp.Successors(cell)
		for i, to := range next {
			if number[cell*width+i] < 0 {
				continue
			}
			for j := range width {
				if t := number[int(to)*width+j]; t >= 0 {
					b.AddTransition(number[cell*width+i], t)
				}
			}
		}
	}
	started := false
	for _, s := range sp.Initial() {
		if n := number[s.Control*width+s.Input]; n >= 0 && (!opt.EmptyFirst || s.Input == 0) {
			b.AddInitial(n)
			started = true
		}
	}
	if !started && c.Constraint != aig.True {
		return nil, ErrNoRun
	}
	for _, f := range fair {
		b.AddFair(f...)
	}
	return b.Build()
}

// endless tells from which control states, all expanded, an infinite path starts
// on which an atom always holds.
func (s *Space) endless(atom int) []bool {
	out := make([]bool, s.Len())
	for cell := range out {
		out[cell] = true
	}
	for changed := true; changed; {
		changed = false
		for cell, v := range out {
			if !v {
				continue
			}
			next, _ := s.Successors(cell)
			stays := false
			for i, to := range next {
				stays = stays || out[to] && s.Holds(cell, i, atom)
			}
			if !stays {
				out[cell], changed = false, true
			}
		}
	}
	return out
}

// InputString writes the input valuation with number i, of n inputs, as bits.
func InputString(i, n int) string {
	bits := make([]bool, n)
	for j := range bits {
		bits[j] = i>>j&1 != 0
	}
	return BitString(bits)
}

// ControlGraph is the graph of the reachable control states, with a transition
// where some input leads from one to the other. Its propositions are the
// control signals, and the outputs that do not depend on the inputs anywhere in
// it. It is meant for drawings.
func (c *Circuit) ControlGraph(limit int) (*structure.Structure, error) {
	var names []string
	var lits []aig.Lit
	for _, s := range c.Controls {
		names, lits = append(names, s.Name), append(lits, s.Lit)
	}
	seen := map[string]bool{}
	for _, s := range c.Outputs {
		if c.kinds[s.Name] == PureOutput && !seen[s.Name] {
			seen[s.Name] = true
			names, lits = append(names, s.Name), append(lits, s.Lit)
		}
	}
	m, err := NewMoves(c, lits, nil, structure.MaxStates)
	if err != nil {
		return nil, err
	}
	constant := make([]bool, len(lits))
	for a := range constant {
		constant[a] = true
	}
	for cell := 0; cell < m.Len(); cell++ {
		if m.Len() > limit {
			return nil, fmt.Errorf("more than %d control states: %w", limit, ErrTooLarge)
		}
		moves, err := m.Expand(cell)
		if err != nil {
			return nil, err
		}
		for a := range constant {
			for i := range moves {
				constant[a] = constant[a] && m.Holds(cell, i, a) == m.Holds(cell, 0, a)
			}
		}
	}
	var ap []string
	for a, ok := range constant {
		if ok {
			ap = append(ap, names[a])
		}
	}
	b := structure.NewBuilder(ap)
	b.Name = c.Name
	for cell := range m.Len() {
		var holds []string
		for a, ok := range constant {
			if ok && m.Holds(cell, 0, a) {
				holds = append(holds, names[a])
			}
		}
		b.AddState(c.NameOf(m.Bits(cell)), holds...)
	}
	for cell := range m.Len() {
		moves, _ := m.Expand(cell)
		seen := map[int]bool{}
		for i := range moves {
			for _, to := range m.To(cell, i) {
				if !seen[int(to)] {
					seen[int(to)] = true
					b.AddTransition(cell, int(to))
				}
			}
		}
	}
	for _, s := range m.Starts() {
		b.AddInitial(s.Control)
	}
	return b.Build()
}
