package certify

import (
	"fmt"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/cert"
)

// Thousands of mutants of a large design may be covered by few runs. Their traces have
// the rows of inputs of these runs, as the same memory, so that the design is
// simulated once for a run, and for each mutant only what differs.

// sharedBy is the least number of traces for each run, on average, for which that is
// done.
const sharedBy = 8

// run is what several traces begin with: the rows of the longest.
type run struct {
	longest *cert.Trace
	members []int // positions among the traces
}

// runsOf puts traces together that are the beginnings of one run. It looks at which
// memory they have; traces that are equal by chance are runs of their own.
func runsOf(trs []*cert.Trace) []*run {
	var runs []*run
	byRow := map[*bool][]*run{}
next:
	for i, tr := range trs {
		if len(tr.Inputs) == 0 || len(tr.Inputs[0]) == 0 {
			runs = append(runs, &run{tr, []int{i}})
			continue
		}
		key := &tr.Inputs[0][0]
		for _, r := range byRow[key] {
			if r.has(tr) {
				r.members = append(r.members, i)
				if len(tr.Inputs) > len(r.longest.Inputs) {
					r.longest = tr
				}
				continue next
			}
		}
		r := &run{tr, []int{i}}
		runs, byRow[key] = append(runs, r), append(byRow[key], r)
	}
	return runs
}

// has reports whether the shorter one of a trace and the run begins the other.
func (r *run) has(tr *cert.Trace) bool {
	if !same(tr.Latches, r.longest.Latches) {
		return false
	}
	for t := range min(len(tr.Inputs), len(r.longest.Inputs)) {
		if !same(tr.Inputs[t], r.longest.Inputs[t]) {
			return false
		}
	}
	return true
}

// same reports whether two lists are the same memory.
func same(a, b []bool) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// runsAtOnce bounds the runs that are there as witnesses at a time.
const runsAtOnce = 64

// shared is Traces for traces that share runs.
func (k *Checker) shared(trs []*cert.Trace, ms []Mutation, runs []*run) (failing []int, at int, err error) {
	k.replayOnce.Do(func() { k.replay = sim.NewShared(k.file, k.properties) })
	failing = make([]int, len(trs))
	for begin := 0; begin < len(runs); begin += runsAtOnce {
		var ws []*aiger.Witness
		var tries []sim.Try
		var which []int
		for _, r := range runs[begin:min(begin+runsAtOnce, len(runs))] {
			w, err := k.Witness(r.longest)
			if err != nil {
				return nil, r.members[0], err
			}
			for _, i := range r.members {
				fault, err := k.fault(ms[i])
				if err != nil {
					return nil, i, err
				}
				tries, which = append(tries, sim.Try{Run: len(ws), Steps: len(trs[i].Inputs), Fault: fault}), append(which, i)
			}
			ws = append(ws, w)
		}
		shown, err := k.replay.Replay(ws, tries)
		if err != nil {
			return nil, which[0], err
		}
		for j, i := range which {
			if shown[j].Bad < 0 {
				if err := k.Trace(trs[i], ms[i]); err != nil {
					return nil, i, err
				}
				return nil, i, fmt.Errorf("the trace fails on %v by itself, and does not beside the design", ms[i])
			}
			failing[i] = shown[j].Property
		}
	}
	return failing, 0, nil
}
