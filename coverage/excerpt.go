package coverage

import (
	"netcov/cert"
	"netcov/netlist"
)

// excerpt says of the design what evidence says of a part of it. nil is for evidence that
// speaks of the whole design.
type excerpt struct {
	part  *netlist.Extract
	whole map[*cert.Invariant]*cert.Invariant // of the part → of the design

	// A part that some of the bad states of a property depend on: what is proved of the
	// other parts, and what is known when that is added to an invariant of this one.
	others   func() []*cert.Invariant
	complete map[*cert.Invariant]*cert.Invariant
}

// trace returns a run of the part as one of the design.
func (e *excerpt) trace(t *cert.Trace) *cert.Trace {
	if e == nil || t == nil {
		return t
	}
	return e.part.Trace(t)
}

// invariant returns an invariant of the part as one of the design; the same for the same.
func (e *excerpt) invariant(v *cert.Invariant) *cert.Invariant {
	if e == nil || v == nil {
		return v
	}
	if e.whole[v] == nil {
		if e.whole == nil {
			e.whole = map[*cert.Invariant]*cert.Invariant{}
		}
		e.whole[v] = e.part.Invariant(v)
	}
	return e.whole[v]
}

// proof returns an invariant of the design that proves the properties, where one of the
// part does so for the bad states that depend on it; the same for the same.
func (e *excerpt) proof(v *cert.Invariant) *cert.Invariant {
	if e == nil || v == nil || e.others == nil {
		return e.invariant(v)
	}
	if e.complete[v] == nil {
		if e.complete == nil {
			e.complete = map[*cert.Invariant]*cert.Invariant{}
		}
		e.complete[v] = cert.Conjunction(append(e.others(), e.invariant(v))...)
	}
	return e.complete[v]
}
