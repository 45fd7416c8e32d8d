package tableau

import (
	"context"
	"slices"
	"strings"
)

// Filter leaves out entries that KGG99 section 7 calls irrelevant information.
// The zero value, and nil, keep everything.
type Filter struct {
	// Signals keeps entries in whose literals, or implementation states'
	// differences, one of them occurs: a tableau state with a literal of it.
	Signals []string
	// First keeps unimplemented states that are initial or one step away from
	// implemented ones, and drops those that only follow from them.
	First bool
	// Most keeps that many entries of each criterion.
	Most int
	// Known drops the entries that a comparison with another specification, or
	// of another implementation, shows as well: an entry of the same criterion
	// with the same literals. What remains is what a change brought.
	Known *Comparison
}

func (f *Filter) apply(ctx context.Context, c *Comparison, entries []Entry) ([]Entry, error) {
	if f == nil {
		return entries, nil
	}
	known := map[string]bool{}
	if f.Known != nil && len(entries) > 0 {
		theirs, err := f.Known.Entries(ctx, entries[0].Criterion, nil)
		if err != nil {
			return nil, err
		}
		for _, e := range theirs {
			known[f.Known.key(e)] = true
		}
	}
	var out []Entry
	for _, e := range entries {
		if f.Most > 0 && len(out) == f.Most {
			break
		}
		if f.First && e.Consequence || known[c.key(e)] {
			continue
		}
		if len(f.Signals) > 0 && !slices.ContainsFunc(e.Tableau, func(t int) bool {
			return slices.ContainsFunc(f.Signals, func(q string) bool {
				_, ok := c.Tableau.States[t].Literals[q]
				return ok
			})
		}) {
			continue
		}
		out = append(out, e)
	}
	return out, nil
}

// key identifies an entry by its literals.
func (c *Comparison) key(e Entry) string { return entryKey(e, c.StateOf, c.Impl.Label) }

func entryKey(e Entry, state func(int) *State, label func(int) []string) string {
	var parts []string
	for _, t := range e.Tableau {
		parts = append(parts, strings.Join(state(t).Text(), " "))
	}
	if e.Criterion == OneToMany {
		slices.Sort(parts)
		parts = append(parts, strings.Join(label(e.Impl[0]), " "))
	}
	return strings.Join(parts, "; ")
}
