package liveness

import (
	"fmt"

	"netcov/aiger"
)

// The translation of Biere, Artho and Schuppan. In some step, which the input
// save chooses, the state is copied and the search for a loop begins: flags
// remember which justice and fairness literals have held since then. The bad
// state is one that equals the copy, with all flags set. Only latches that the
// property, the fairness constraints or the invariant constraints depend on are
// copied.

// Names of what the translations add. Those of several have their number
// appended.
const (
	saveName    = "netcov_save"
	startedName = "netcov_started"
	savedName   = "netcov_saved"
	seenName    = "netcov_seen"
	copyName    = "netcov_copy"
	metName     = "netcov_met"
	countName   = "netcov_count"
)

// Safety translates a justice property of f, given by its position, to a file
// with one bad-state literal, which can be reached iff the property fails. The
// same holds of every mutant of the design and the same mutant of the
// translation. After the inputs of f comes save; after its latches come started
// (this is not step 0), saved (the loop has begun before this step), seen (one a
// literal: it has held since then, first those of the property, then the fairness
// constraints) and the copies of latches, in their order.
//
// The search begins only after the literals have all held for that many rounds: a
// round ends when each has held since the last one ended. A lasso can be run through as
// often, so nothing is lost; and where a run cannot have so many rounds, that is
// all that there is to prove (Claessen, Sörensson: A liveness checking algorithm that
// counts, FMCAD 2012). What counts are further latches, the last ones: met, of two
// literals or more each, and count. Outputs and other properties are left out.
func Safety(f *aiger.File, justice, rounds int) (*aiger.File, error) {
	if err := checkJustice(f, justice); err != nil {
		return nil, err
	}
	b := newBuilder(f)
	save := b.Input(saveName)
	due := literals(f, justice)
	started, saved := b.Latch(startedName, false), b.Latch(savedName, false)
	b.SetNext(started, 1)
	conditions := []aiger.Lit{saved}
	seen := make([]aiger.Lit, len(due))
	for i := range due {
		seen[i] = b.Latch(fmt.Sprint(seenName, i), false)
		conditions = append(conditions, seen[i])
	}
	needed := cone(f, due, f.Constraints)
	type pair struct{ latch, shadow aiger.Lit }
	var copies []pair
	for i, l := range f.Latches {
		if needed[l.Lit>>1] {
			c := pair{l.Lit, b.Latch(fmt.Sprint(copyName, i), false)}
			copies = append(copies, c)
			conditions = append(conditions, b.xnor(c.latch, c.shadow))
		}
	}
	now := b.And(b.And(b.And(save, started), saved^1), b.after(rounds, due))
	inLoop := b.or(saved, now)
	b.SetNext(saved, inLoop)
	for i, l := range due {
		b.SetNext(seen[i], b.And(inLoop, b.or(seen[i], l)))
	}
	for _, c := range copies {
		b.SetNext(c.shadow, b.mux(now, c.latch, c.shadow))
	}
	b.f.Bads = []aiger.Lit{b.all(conditions)}
	b.f.Symbols.Bads = aiger.Names{0: justiceName(f, justice)}
	b.f.Comment = fmt.Sprintf("justice property %d as a search for a lasso\n", justice)
	return b.f, nil
}

// after counts rounds, and tells that there were so many before this step.
func (b *builder) after(rounds int, due []aiger.Lit) aiger.Lit {
	if rounds == 0 {
		return 1
	}
	fire := aiger.Lit(1)
	var met, held []aiger.Lit
	for i, l := range due {
		if len(due) > 1 {
			met = append(met, b.Latch(fmt.Sprint(metName, i), false))
			l = b.or(met[i], l)
		}
		held = append(held, l)
		fire = b.And(fire, l)
	}
	for i, m := range met {
		b.SetNext(m, b.And(held[i], fire^1))
	}
	before := aiger.Lit(1)
	for i := range rounds {
		count := b.Latch(fmt.Sprint(countName, i+1), false)
		b.SetNext(count, b.or(count, b.And(before, fire)))
		before = count
	}
	return before
}

func checkJustice(f *aiger.File, justice int) error {
	if justice < 0 || justice >= len(f.Justice) {
		return fmt.Errorf("there is no justice property %d; the file has %d, numbered from 0", justice, len(f.Justice))
	}
	return nil
}

// literals are those that must hold infinitely often: the property's own, then
// the fairness constraints.
func literals(f *aiger.File, justice int) []aiger.Lit {
	return append(append([]aiger.Lit(nil), f.Justice[justice]...), f.Fairness...)
}

func justiceName(f *aiger.File, justice int) string {
	if name := f.Symbols.Justice[justice]; name != "" {
		return name
	}
	return fmt.Sprint("j", justice)
}
