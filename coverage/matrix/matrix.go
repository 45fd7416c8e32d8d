package matrix

import (
	"iter"
	"slices"
	"time"

	"netcov/cert"
	"netcov/mutant"
)

// Mutant names a mutant.
type Mutant struct {
	Target mutant.Target
	Fault  mutant.Fault
}

// Matrix tells for each property and each mutant whether the property fails there.
type Matrix struct {
	// Properties are those that hold on the design, by their positions.
	Properties []int
	// Mutants are those that some property covers, or that the set leaves unknown, in
	// the order of the report. No property fails on any other.
	Mutants []Mutant
	// Shares has for each of Properties what it adds to the set; Whole is about all of them.
	Shares []Share
	Whole  Levels
	// Smallest is a choice of properties that covers what all cover, and Order the order
	// in which properties add most.
	Smallest Subset
	Order    []Addition

	// Time is that of the whole matrix. Stopped says why cells are unknown, in the words
	// of coverage.Result.
	Time       time.Duration
	Stopped    string
	JournalErr error // why the journal is not complete, if it is not

	rows   []row
	at     map[Mutant]int // its column
	inputs int            // of the design
}

// row are the cells of a property, by mutant. In neither set: the property holds.
type row struct {
	fails, unknown set
	proofs         map[int]Proof
}

// Proof is what a cell rests on, as a run or an invariant of the design under the fault:
// a trace where the property fails, an invariant where it holds. It is zero where the node
// lies outside of the property's cone, and where the mutant has a register that the design
// does not have.
type Proof struct {
	Trace     *cert.Trace // after the design's inputs comes the free value
	Invariant *cert.Invariant
}

// Proof returns what the cell of the property at a position of Properties rests on.
func (m *Matrix) Proof(i int, x Mutant) Proof { return m.rows[i].proofs[m.at[x]] }

// newMatrix returns a matrix in which all is unknown, of a design with so many inputs.
func newMatrix(properties []int, mutants []Mutant, inputs int) *Matrix {
	m := &Matrix{Properties: properties, Mutants: mutants, rows: make([]row, len(properties)), at: map[Mutant]int{}, inputs: inputs}
	for k, x := range mutants {
		m.at[x] = k
	}
	for i := range m.rows {
		m.rows[i] = row{newSet(len(mutants)), newSet(len(mutants)), map[int]Proof{}}
		for k := range mutants {
			m.rows[i].unknown.add(k)
		}
	}
	return m
}

// Cell is what is known of the property at a position of Properties, on a mutant.
func (m *Matrix) Cell(i int, x Mutant) mutant.Verdict {
	k, known := m.at[x]
	switch {
	case !known:
		return mutant.NotCovered
	case m.rows[i].fails.has(k):
		return mutant.Covered
	case m.rows[i].unknown.has(k):
		return mutant.Unknown
	}
	return mutant.NotCovered
}

// Failing lists the properties that fail on a mutant, and those of which that is not
// known, by their positions in the design.
func (m *Matrix) Failing(x Mutant) (fail, unknown []int) {
	k, known := m.at[x]
	if !known {
		return nil, nil
	}
	for i, r := range m.rows {
		switch {
		case r.fails.has(k):
			fail = append(fail, m.Properties[i])
		case r.unknown.has(k):
			unknown = append(unknown, m.Properties[i])
		}
	}
	return fail, unknown
}

// place is the position of a property in Properties.
func (m *Matrix) place(property int) int {
	i, _ := slices.BinarySearch(m.Properties, property)
	return i
}

// Unknown is the number of cells that are not known.
func (m *Matrix) Unknown() int {
	n := 0
	for _, r := range m.rows {
		n += r.unknown.count()
	}
	return n
}

// Cells is the number of cells: of each property that holds, and each mutant.
func (m *Matrix) Cells() int { return len(m.Properties) * len(m.Mutants) }

// put writes a verdict about a cell, and what it means for the other faults of the
// node: the free value may be a stuck one. Of other faults nothing is said, as they may
// stand at another place.
func (m *Matrix) put(i int, x Mutant, v mutant.Verdict, p Proof) {
	switch {
	case v == mutant.Covered:
		m.write(i, x, v, p)
		if value, stuck := x.Fault.Stuck(); stuck {
			m.write(i, Mutant{x.Target, mutant.Nondet}, v, Proof{Trace: m.held(p.Trace, value)})
		}
	case v == mutant.NotCovered:
		m.write(i, x, v, p)
		if x.Fault == mutant.Nondet {
			for _, f := range mutant.Faults() {
				if _, stuck := f.Stuck(); stuck {
					m.write(i, Mutant{x.Target, f}, v, p)
				}
			}
		}
	}
}

// held returns a trace with a free value that is always the same.
func (m *Matrix) held(t *cert.Trace, value bool) *cert.Trace {
	if t == nil {
		return nil
	}
	out := &cert.Trace{Latches: t.Latches}
	for _, row := range t.Inputs {
		out.Inputs = append(out.Inputs, append(slices.Clone(row[:m.inputs]), value))
	}
	return out
}

func (m *Matrix) write(i int, x Mutant, v mutant.Verdict, p Proof) {
	k, known := m.at[x]
	if !known || !m.rows[i].unknown.has(k) {
		return
	}
	m.rows[i].unknown.remove(k)
	if p != (Proof{}) {
		m.rows[i].proofs[k] = p
	}
	if v == mutant.Covered {
		m.rows[i].fails.add(k)
	}
}

// open goes through the mutants on which the property at a position is not known.
func (m *Matrix) open(i int) iter.Seq[Mutant] {
	return func(yield func(Mutant) bool) {
		for k := range m.rows[i].unknown.all() {
			if !yield(m.Mutants[k]) {
				return
			}
		}
	}
}
