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
)

// Safety translates a justice property of f, given by its position, to a file
// with one bad-state literal, which can be reached iff the property fails. The
// same holds of every mutant of the design and the same mutant of the
// translation. After the inputs of f comes save; after its latches come started
// (this is not step 0), saved (the loop has begun before this step), seen (one a
// literal: it has held since then, first those of the property, then the fairness
// constraints) and the copies of latches, in their order. Outputs and other
// properties are left out.
func Safety(f *aiger.File, justice int) (*aiger.File, error) {
	if err := checkJustice(f, justice); err != nil {
		return nil, err
	}
	b := newBuilder(f)
	save := b.Input(saveName)
	started, saved := b.Latch(startedName, false), b.Latch(savedName, false)
	b.SetNext(started, 1)
	now := b.And(b.And(save, started), saved^1)
	inLoop := b.or(saved, now)
	b.SetNext(saved, inLoop)

	conditions := []aiger.Lit{saved}
	for i, l := range literals(f, justice) {
		seen := b.Latch(fmt.Sprint(seenName, i), false)
		b.SetNext(seen, b.And(inLoop, b.or(seen, l)))
		conditions = append(conditions, seen)
	}
	needed := cone(f, literals(f, justice), f.Constraints)
	for i, l := range f.Latches {
		if !needed[l.Lit>>1] {
			continue
		}
		shadow := b.Latch(fmt.Sprint(copyName, i), false)
		b.SetNext(shadow, b.mux(now, l.Lit, shadow))
		conditions = append(conditions, b.xnor(l.Lit, shadow))
	}
	b.f.Bads = []aiger.Lit{b.all(conditions)}
	b.f.Symbols.Bads = aiger.Names{0: justiceName(f, justice)}
	b.f.Comment = fmt.Sprintf("justice property %d as a search for a lasso\n", justice)
	return b.f, nil
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
