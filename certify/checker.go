package certify

import (
	"errors"
	"fmt"
	"sync"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/mutant"
)

// Checker checks evidence about safety properties of one file: several are one,
// which fails where one of them does. Or it checks evidence about one justice
// property. It may be used by several goroutines at a time, as long as Solver is not
// changed.
type Checker struct {
	// Solver decides the queries about invariants.
	Solver Solver

	file       *aiger.File
	properties []int
	bads       []aiger.Lit // of the properties
	err        error       // why the properties cannot be checked
	what       string      // the properties in words
	live       *liveness   // of a justice property, else nil
	// Of the design of a justice property.
	justice, fairness []aiger.Lit

	kind  []kind  // by variable
	at    []int32 // by variable: position of the latch, or index into file.Ands
	gates []int32 // position of a gate in the file → index into file.Ands

	scratch sync.Pool // *scratch

	coneOnce sync.Once
	cone     []bool // by variable: in the cone of influence

	replayOnce sync.Once
	replay     *sim.Shared // of traces that mutants share
}

type kind uint8

const (
	constant kind = iota
	input
	latch
	gate
)

// NewChecker prepares the checks for properties: positions among the bad-state
// literals, or among the outputs of a file without any. Another position, or none
// at all, makes every check fail. The file must not be changed afterwards.
func NewChecker(f *aiger.File, properties ...int) *Checker {
	k := newChecker(f)
	k.properties = properties
	bads, _, _ := f.Properties()
	if len(properties) == 0 {
		k.err = errors.New("there is no property to check")
		return k
	}
	for _, p := range properties {
		if p < 0 || p >= len(bads) {
			k.err = fmt.Errorf("property %d is none of the file's %d safety properties", p, len(bads))
			return k
		}
		k.bads = append(k.bads, bads[p])
		k.what += fmt.Sprintf(" %d", p)
	}
	k.what = "property" + k.what
	return k
}

// newChecker returns a checker without properties.
func newChecker(f *aiger.File) *Checker {
	k := &Checker{file: f}
	k.kind = make([]kind, f.MaxVar+1)
	k.at = make([]int32, f.MaxVar+1)
	for _, l := range f.Inputs {
		k.kind[l>>1] = input
	}
	for i, l := range f.Latches {
		k.kind[l.Lit>>1], k.at[l.Lit>>1] = latch, int32(i)
	}
	k.gates = make([]int32, len(f.Ands))
	for i, a := range f.Ands {
		k.kind[a.Lhs>>1], k.at[a.Lhs>>1] = gate, int32(i)
		k.gates[f.AndPosition(i)] = int32(i)
	}
	return k
}

// variable returns the variable of the node that a mutation speaks of.
func (k *Checker) variable(m Mutation) (uint32, error) {
	if m.Fault.Remembers() && k.live != nil {
		return 0, fmt.Errorf("%v: the fault is not defined for liveness properties", m)
	}
	if m.Gate {
		if m.Index < 0 || m.Index >= len(k.gates) {
			return 0, fmt.Errorf("%v: the file has %d gates", m, len(k.gates))
		}
		if !Has(k.file, m) {
			return 0, fmt.Errorf("%v: the fault is not defined at this gate", m)
		}
		return k.file.Ands[k.gates[m.Index]].Lhs >> 1, nil
	}
	if m.Index < 0 || m.Index >= len(k.file.Latches) {
		return 0, fmt.Errorf("%v: the file has %d latches", m, len(k.file.Latches))
	}
	if !Has(k.file, m) {
		return 0, fmt.Errorf("%v: the fault is not defined at this latch", m)
	}
	return k.file.Latches[m.Index].Lit >> 1, nil
}

// Has reports whether a design has a mutant: not every fault is defined at every node.
func Has(f *aiger.File, m Mutation) bool {
	return sim.Has(f, mutant.Target{Gate: m.Gate, Index: m.Index}, m.Fault)
}

// scratch is memory that one check after the other uses.
type scratch struct {
	cnf    cnf
	frames [2]frame
	cuts   cuts
}

func (k *Checker) getScratch() *scratch {
	s, ok := k.scratch.Get().(*scratch)
	if !ok {
		s = &scratch{}
		for i := range s.frames {
			f := &s.frames[i]
			f.k, f.c, f.cuts = k, &s.cnf, &s.cuts
			f.seen = make([]lit, len(k.kind))
			f.state = make([]lit, len(k.file.Latches))
			f.after = make([]lit, len(k.file.Latches))
		}
		s.cuts.mark = make([]cutMark, len(k.kind))
	}
	return s
}

// restart makes the scratch ready for a new query.
func (s *scratch) restart() {
	s.cnf = cnf{vars: 1, flat: s.cnf.flat[:0], definitions: s.cnf.definitions[:0]}
	for i := range s.frames {
		f := &s.frames[i]
		clear(f.seen)
		clear(f.state)
		clear(f.after)
		clear(f.atZero)
		f.seen[0] = no
		f.first, f.missed, f.initial, f.before = 0, 0, false, nil
		clear(f.free)
	}
	for _, c := range s.cuts.list {
		c.sel, c.which = 0, nil
	}
}
