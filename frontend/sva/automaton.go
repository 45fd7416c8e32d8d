// From formulas to an automaton with one register a state. A state is a set of
// formulas that must all hold from here on; the empty set is the end of a run.
//
// reach follows sets as they are: it finds the finite runs, and one register a
// set is enough, since all runs may go on at the same time. Where a formula may
// also hold for ever, recurrent does the breakpoint construction: beside the set it
// keeps those formulas that are still owed, and a run that owes nothing infinitely
// often is accepted. There the checker follows a single run, which the model
// checker chooses.

package sva

import (
	"fmt"
	"slices"
)

// maxSets bounds the registers of a checker.
const maxSets = 4096

// target is where a run goes on: a state, or end.
const endState = -1

// transition leads from a state to another, or to the end.
type transition struct {
	to   int
	when cube
}

// machine is the automaton of an attempt. start holds the transitions of an attempt
// that begins, next those of each state.
type machine struct {
	start []transition
	next  [][]transition
	// accept marks the states that an accepted infinite run passes infinitely
	// often; nil when runs are accepted at their end alone.
	accept []bool
}

// reach builds the automaton of finite runs.
func (f *formulas) reach(root id) *machine {
	m := &machine{}
	at := map[string]int{}
	var queue [][]id
	from := func(set []id) []transition {
		var ts []transition
		for _, b := range f.stepSet(set) {
			if len(b.then) == 0 {
				ts = append(ts, transition{endState, b.when})
				continue
			}
			key := fmt.Sprint(b.then)
			s, ok := at[key]
			if !ok {
				s = len(queue)
				grow("registers of the checker are", s+1, maxSets)
				at[key] = s
				queue = append(queue, b.then)
			}
			ts = append(ts, transition{s, b.when})
		}
		return ts
	}
	m.start = from(f.members(nil, root))
	for i := 0; i < len(queue); i++ {
		m.next = append(m.next, from(queue[i]))
	}
	return m.trim()
}

// stepSet is the product of the steps of all formulas of a set.
func (f *formulas) stepSet(set []id) []branching {
	ways := []branching{{}}
	for _, i := range set {
		ways = f.both(ways, f.step(i))
	}
	return ways
}

// trim drops the states without a way to the end or to an accepting state.
func (m *machine) trim() *machine {
	n := len(m.next)
	back := make([][]int, n)
	var ends []int
	for q, ts := range m.next {
		good := m.accept != nil && m.accept[q]
		for _, t := range ts {
			if t.to == endState {
				good = true
			} else {
				back[t.to] = append(back[t.to], q)
			}
		}
		if good {
			ends = append(ends, q)
		}
	}
	useful := reach(n, ends, func(q int) []int { return back[q] })
	index := make([]int, n)
	c := &machine{}
	for q := range n {
		if index[q] = -1; useful[q] {
			index[q] = len(c.next)
			c.next = append(c.next, nil)
			if m.accept != nil {
				c.accept = append(c.accept, m.accept[q])
			}
		}
	}
	keep := func(ts []transition) []transition {
		var kept []transition
		for _, t := range ts {
			if t.to != endState {
				if t.to = index[t.to]; t.to < 0 {
					continue
				}
			}
			kept = append(kept, t)
		}
		return kept
	}
	c.start = keep(m.start)
	for q, ts := range m.next {
		if index[q] >= 0 {
			c.next[index[q]] = keep(ts)
		}
	}
	return c
}

// temporary reports whether no formula that may hold for ever can be met.
func (f *formulas) temporary() bool {
	for i := range f.all {
		if f.forever(id(i)) {
			return false
		}
	}
	return true
}

// owing is a state of the breakpoint construction.
type owing struct {
	set, owed []id
}

// recurrent builds the automaton of finite and infinite runs. It returns nil when
// no infinite run is accepted, so that reach tells all.
func (f *formulas) recurrent(root id) *machine {
	m := &machine{}
	at := map[string]int{}
	var queue []owing
	from := func(o owing) []transition {
		var ts []transition
		for _, w := range f.stepOwing(o) {
			if len(w.set) == 0 {
				ts = append(ts, transition{endState, w.when})
				continue
			}
			key := fmt.Sprint(w.set, w.owed)
			s, ok := at[key]
			if !ok {
				s = len(queue)
				grow("registers of the checker are", s+1, maxSets)
				at[key] = s
				queue = append(queue, w.owing)
				m.accept = append(m.accept, len(w.owed) == 0)
			}
			ts = append(ts, transition{s, w.when})
		}
		return ts
	}
	first := f.members(nil, root)
	m.start = from(owing{set: first})
	for i := 0; i < len(queue); i++ {
		m.next = append(m.next, from(queue[i]))
	}
	if !m.loops() {
		return nil
	}
	return m.trim()
}

// loops reports whether an accepting state reaches itself.
func (m *machine) loops() bool {
	n := len(m.next)
	to := func(q int) []int {
		var r []int
		for _, t := range m.next[q] {
			if t.to != endState {
				r = append(r, t.to)
			}
		}
		return r
	}
	for q := range n {
		if m.accept[q] && slices.ContainsFunc(to(q), func(r int) bool { return reach(n, []int{r}, to)[q] }) {
			return true
		}
	}
	return false
}

// way is a step of the breakpoint construction.
type way struct {
	owing
	when cube
}

// stepOwing returns the steps of a state. What the owed formulas turn into stays
// owed, unless it may hold for ever; when nothing is owed, all the rest is.
func (f *formulas) stepOwing(o owing) []way {
	type part struct {
		when      cube
		set, owed []id
	}
	owes := func(set []id) []id {
		return slices.DeleteFunc(slices.Clone(set), f.forever)
	}
	parts := []part{{}}
	for _, i := range o.set {
		_, isOwed := slices.BinarySearch(o.owed, i)
		var grown []part
		for _, p := range parts {
			for _, b := range f.step(i) {
				when := meet(p.when, b.when)
				if !when.consistent() {
					continue
				}
				q := part{when, merge(p.set, b.then), p.owed}
				if isOwed {
					q.owed = merge(p.owed, owes(b.then))
				}
				grown = append(grown, q)
			}
			f.spend(1 + len(grown))
			grow("ways to go on from a state are", len(grown), maxBranches)
		}
		parts = grown
	}
	var ws []way
	seen := map[string]bool{}
	for _, p := range parts {
		if len(o.owed) == 0 {
			p.owed = owes(p.set)
		}
		if key := fmt.Sprint(p); !seen[key] {
			seen[key] = true
			ws = append(ws, way{owing{p.set, p.owed}, p.when})
		}
	}
	return ws
}
