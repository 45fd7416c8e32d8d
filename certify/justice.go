package certify

import (
	"fmt"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
)

// A justice property fails where some infinite run satisfies each of its literals
// and each fairness constraint infinitely often, and the constraints always. A
// finite design has such a run iff it has a lasso: a run that comes back to a state
// after all of these literals have held. That is a question of safety (Biere,
// Artho, Schuppan, "Liveness checking as safety checking", FMICS 2002), of a file
// that this package makes by itself from the design:
//
//	input  save         the environment says: remember this state
//	latch  later        this is not the first step
//	latch  saved        a state was remembered before this step
//	latch  seen i       since then literal i has held
//	latch  copy i       the remembered value of latch i
//
//	remember  = save & later & !saved
//	looping   = saved | remember
//	later'    = 1
//	saved'    = looping
//	seen_i'   = looping & (seen_i | literal_i)
//	copy_i'   = remember ? latch_i : copy_i
//	bad       = saved & all seen_i & all (latch_i = copy_i)
//
// The search may be put off until the literals have all held in some number of
// rounds, each of which ends when each literal has held since the last one ended:
//
//	latch  met i        literal i has held in this round (where there are two or more)
//	latch  count k      there were k rounds, k from 1 on
//
//	round     = all (met_i | literal_i)
//	met_i'    = !round & (met_i | literal_i)
//	count_1'  = count_1 | round
//	count_k'  = count_k | count_(k-1) & round
//	remember  = save & later & !saved & the last count
//
// No lasso is lost, since it can be run through as often; and a design whose runs
// do not have so many rounds has a simple invariant (Claessen, Sörensson, "A liveness
// checking algorithm that counts", FMCAD 2012).
//
// All latches begin with 0. The literals are the property's own, then the fairness
// constraints. A latch has a copy where the literals or the constraints depend on
// it, through next-state functions in any number of steps.
//
// The design's inputs, latches and gates stand first, in their order, so that a
// mutation of the design is one of this file. All that is added reads a mutated
// node as any reader does. The mutant of the file then decides the mutant of the
// design: a lasso of the mutant can be repeated until it begins and ends with the
// same free value of a nondet fault, and its loop can begin after the first step,
// which is another one where a gate is mutated from the second step on.

// liveness is what a checker of a justice property has beside its file.
type liveness struct {
	design  *Checker // of the design; it has justice in the place of bad-state literals
	justice int      // its position
}

// MostRounds is the largest number of rounds that a search for a lasso is put off.
const MostRounds = 1024

// NewJusticeChecker prepares the checks for a justice property, given by its
// position among those of the file. The search for a lasso begins after so many
// rounds, at most MostRounds. Invariants speak of the latches of the file
// above; traces are runs of that file, whose input save follows the design's
// inputs, and are replayed as lassos on the design. Another position, or number of
// rounds, makes every check fail. The file must not be changed afterwards.
func NewJusticeChecker(f *aiger.File, justice, rounds int) *Checker {
	if justice < 0 || justice >= len(f.Justice) {
		return &Checker{err: fmt.Errorf("justice property %d is none of the file's %d", justice, len(f.Justice))}
	}
	if rounds < 0 || rounds > MostRounds {
		return &Checker{err: fmt.Errorf("a search for a lasso after %d rounds; 0 to %d are possible", rounds, MostRounds)}
	}
	design := newChecker(f)
	design.what = fmt.Sprintf("justice property %d", justice)
	design.justice, design.fairness = f.Justice[justice], f.Fairness
	k := NewChecker(lassoFile(f, justice, rounds), 0)
	k.live = &liveness{design: design, justice: justice}
	return k
}

// Names of what the file has beside the design's inputs and latches.
const (
	nameSave  = "netcov_save"
	nameLater = "netcov_later"
	nameSaved = "netcov_saved"
	nameSeen  = "netcov_seen"
	nameCopy  = "netcov_copy"
	nameMet   = "netcov_met"
	nameCount = "netcov_count"
)

// lassoFile returns the file that reaches its bad state where the design has a
// lasso.
func lassoFile(f *aiger.File, justice, rounds int) *aiger.File {
	due := append(append([]aiger.Lit(nil), f.Justice[justice]...), f.Fairness...)
	copied := dependence(f, due)
	b := newBuilder()

	to := make([]aiger.Lit, f.MaxVar+1)
	edge := func(l aiger.Lit) aiger.Lit { return to[l>>1] ^ l&1 }
	for i, l := range f.Inputs {
		to[l>>1] = b.input(f.Symbols.Inputs[i])
	}
	save := b.input(nameSave)
	for i, l := range f.Latches {
		to[l.Lit>>1] = b.latch(f.Symbols.Latches[i])
	}
	at := len(f.Latches) // of the next latch that has no function yet
	later, saved := b.latch(nameLater), b.latch(nameSaved)
	seen := make([]aiger.Lit, len(due))
	for i := range due {
		seen[i] = b.latch(fmt.Sprint(nameSeen, i))
	}
	remembered := make([]aiger.Lit, len(copied))
	for i, latch := range copied {
		remembered[i] = b.latch(fmt.Sprint(nameCopy, latch))
	}
	var met, count []aiger.Lit
	if rounds > 0 && len(due) > 1 {
		for i := range due {
			met = append(met, b.latch(fmt.Sprint(nameMet, i)))
		}
	}
	for k := range rounds {
		count = append(count, b.latch(fmt.Sprint(nameCount, k+1)))
	}
	for _, a := range f.Ands {
		to[a.Lhs>>1] = b.copied(edge(a.Rhs0), edge(a.Rhs1))
	}
	for i, l := range f.Latches {
		b.Latches[i].Next, b.Latches[i].Reset = edge(l.Next), edge(l.Reset)
	}
	for i, l := range f.Constraints {
		b.Symbols.Constraints = named(b.Symbols.Constraints, i, f.Symbols.Constraints[i])
		b.Constraints = append(b.Constraints, edge(l))
	}

	next := func(l aiger.Lit) {
		b.Latches[at].Next = l
		at++
	}
	remember := b.and(b.and(save, later), saved^1)
	if rounds > 0 {
		remember = b.and(remember, count[rounds-1])
	}
	looping := b.or(saved, remember)
	next(1)
	next(looping)
	found := []aiger.Lit{saved}
	for i, l := range due {
		next(b.and(looping, b.or(seen[i], edge(l))))
		found = append(found, seen[i])
	}
	for i, latch := range copied {
		now := edge(f.Latches[latch].Lit)
		next(b.mux(remember, now, remembered[i]))
		found = append(found, b.equal(now, remembered[i]))
	}
	round := aiger.Lit(1)
	held := make([]aiger.Lit, len(met))
	for i, l := range due {
		l = edge(l)
		if met != nil {
			l = b.or(met[i], l)
			held[i] = l
		}
		round = b.and(round, l)
	}
	for _, l := range held {
		next(b.and(round^1, l))
	}
	for k, l := range count {
		if k == 0 {
			next(b.or(l, round))
		} else {
			next(b.or(l, b.and(count[k-1], round)))
		}
	}
	b.Bads = []aiger.Lit{b.all(found)}
	b.Symbols.Bads = named(nil, 0, f.Symbols.Justice[justice])

	// Gates are counted as the design's file has them, then in the order above.
	if f.AndPos != nil {
		b.AndPos = append([]uint32(nil), f.AndPos...)
		for i := len(f.Ands); i < len(b.Ands); i++ {
			b.AndPos = append(b.AndPos, uint32(i))
		}
	}
	return &b.File
}

// dependence lists the latches that the literals and the constraints depend on,
// in the order of the file.
func dependence(f *aiger.File, due []aiger.Lit) []int {
	in := make([]bool, f.MaxVar+1)
	reads := make(map[uint32][]aiger.Lit, len(f.Latches)+len(f.Ands))
	for _, l := range f.Latches {
		reads[l.Lit>>1] = []aiger.Lit{l.Next}
	}
	for _, a := range f.Ands {
		reads[a.Lhs>>1] = []aiger.Lit{a.Rhs0, a.Rhs1}
	}
	work := append(append([]aiger.Lit(nil), due...), f.Constraints...)
	for len(work) > 0 {
		v := work[len(work)-1] >> 1
		work = work[:len(work)-1]
		if !in[v] {
			in[v] = true
			work = append(work, reads[v]...)
		}
	}
	var latches []int
	for i, l := range f.Latches {
		if in[l.Lit>>1] {
			latches = append(latches, i)
		}
	}
	return latches
}

// replay checks a lasso, in AIGER's witness format, on each mutant.
func (v *liveness) replay(w *aiger.Witness, ms []Mutation) error {
	if len(ms) == 0 {
		if err := sim.Lasso(v.design.file, v.justice, w, nil); err != nil {
			return fmt.Errorf("the run is no lasso of the design itself: %w", err)
		}
		return nil
	}
	for _, m := range ms {
		fault, err := v.design.fault(m)
		if err != nil {
			return err
		}
		if err := sim.Lasso(v.design.file, v.justice, w, &fault); err != nil {
			return fmt.Errorf("the run is no lasso of %v: %w", m, err)
		}
	}
	return nil
}

// lasso returns a trace of the file with copies as a run of the design. Its last
// step only shows that the loop is closed.
func (v *liveness) lasso(tr *cert.Trace) (*cert.Trace, error) {
	f := v.design.file
	if len(tr.Inputs) < 2 || len(tr.Latches) < len(f.Latches) {
		return nil, fmt.Errorf("the trace has %d steps and %d latches: it is no lasso", len(tr.Inputs), len(tr.Latches))
	}
	out := &cert.Trace{Latches: tr.Latches[:len(f.Latches)]}
	save := len(f.Inputs)
	for i, row := range tr.Inputs[:len(tr.Inputs)-1] {
		if len(row) != save+1 && len(row) != save+2 {
			return nil, fmt.Errorf("step %d of the trace has %d inputs, the file has %d", i, len(row), save+1)
		}
		out.Inputs = append(out.Inputs, append(append([]bool(nil), row[:save]...), row[save+1:]...))
	}
	return out, nil
}
