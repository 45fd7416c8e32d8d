package journal

import (
	"fmt"

	"netcov/aig"
	"netcov/cert"
)

// Trace is the JSON form of a trace: a string of 0 and 1 a row.
type Trace struct {
	Latches string   `json:"latches"`
	Inputs  []string `json:"inputs"`
}

// NewTrace returns the JSON form.
func NewTrace(t *cert.Trace) *Trace {
	out := &Trace{Latches: bits(t.Latches), Inputs: make([]string, len(t.Inputs))}
	for i, row := range t.Inputs {
		out.Inputs[i] = bits(row)
	}
	return out
}

// Value returns the trace.
func (t *Trace) Value() (*cert.Trace, error) {
	out := &cert.Trace{Inputs: make([][]bool, len(t.Inputs))}
	var err error
	if out.Latches, err = unbits(t.Latches); err != nil {
		return nil, err
	}
	for i, row := range t.Inputs {
		if out.Inputs[i], err = unbits(row); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func bits(row []bool) string {
	text := make([]byte, len(row))
	for i, b := range row {
		text[i] = '0'
		if b {
			text[i] = '1'
		}
	}
	return string(text)
}

func unbits(text string) ([]bool, error) {
	row := make([]bool, len(text))
	for i := range text {
		switch text[i] {
		case '1':
			row[i] = true
		case '0':
		default:
			return nil, fmt.Errorf("a row of a trace has the character %q", text[i])
		}
	}
	return row, nil
}

// Invariant is the JSON form of an invariant. Nodes of its graph are numbered
// from 1 (0 is the constant false): first the latches of Support, then the gates.
// Edges are twice a node, plus one when inverted.
type Invariant struct {
	Clauses  [][]uint32  `json:"clauses,omitempty"`
	Support  []int       `json:"support,omitempty"`
	Gates    [][2]uint32 `json:"gates,omitempty"`
	Formulas []uint32    `json:"formulas,omitempty"`
}

// NewInvariant returns the JSON form: only what the formulas depend on.
func NewInvariant(v *cert.Invariant) *Invariant {
	out := &Invariant{}
	for _, c := range v.Clauses {
		clause := make([]uint32, len(c))
		for i, l := range c {
			clause[i] = uint32(l)
		}
		out.Clauses = append(out.Clauses, clause)
	}
	if v.Graph == nil || len(v.Formulas) == 0 {
		return out
	}
	number := make([]uint32, v.Graph.Size())
	edge := func(l aig.Lit) uint32 { return number[l.Node()]<<1 | uint32(l&1) }
	cone := v.Graph.Cone(v.Formulas...)
	latch := make(map[aig.Node]int, len(v.Support))
	for _, s := range v.Support {
		latch[s.Lit.Node()] = s.Latch
	}
	count := uint32(0)
	for _, n := range cone {
		if v.Graph.Kind(n) != aig.KindAnd {
			count++
			number[n] = count
			out.Support = append(out.Support, latch[n])
		}
	}
	for _, n := range cone {
		if v.Graph.Kind(n) == aig.KindAnd {
			count++
			number[n] = count
			a, b := v.Graph.Fanins(n)
			out.Gates = append(out.Gates, [2]uint32{edge(a), edge(b)})
		}
	}
	for _, f := range v.Formulas {
		out.Formulas = append(out.Formulas, edge(f))
	}
	return out
}

// Value returns the invariant. latches is the number of latches that it may
// speak of.
func (v *Invariant) Value(latches int) (*cert.Invariant, error) {
	out := &cert.Invariant{}
	for _, c := range v.Clauses {
		clause := make(cert.Clause, len(c))
		for i, l := range c {
			clause[i] = cert.StateLit(l)
			if clause[i].Latch() >= latches {
				return nil, fmt.Errorf("an invariant speaks of latch %d of %d", clause[i].Latch(), latches)
			}
		}
		out.Clauses = append(out.Clauses, clause)
	}
	if len(v.Formulas) == 0 {
		return out, nil
	}
	g := aig.NewGraph()
	lits := []aig.Lit{aig.False}
	for _, at := range v.Support {
		if at < 0 || at >= latches {
			return nil, fmt.Errorf("an invariant speaks of latch %d of %d", at, latches)
		}
		l := g.Latch()
		lits = append(lits, l)
		out.Support = append(out.Support, cert.SupportLatch{Lit: l, Latch: at})
	}
	edge := func(e uint32) (aig.Lit, error) {
		if int64(e>>1) >= int64(len(lits)) {
			return 0, fmt.Errorf("edge %d of an invariant is not defined before its use", e)
		}
		return lits[e>>1] ^ aig.Lit(e&1), nil
	}
	for _, gate := range v.Gates {
		a, err := edge(gate[0])
		if err != nil {
			return nil, err
		}
		b, err := edge(gate[1])
		if err != nil {
			return nil, err
		}
		lits = append(lits, g.And(a, b))
	}
	for _, f := range v.Formulas {
		l, err := edge(f)
		if err != nil {
			return nil, err
		}
		out.Formulas = append(out.Formulas, l)
	}
	out.Graph = g
	return out, nil
}
