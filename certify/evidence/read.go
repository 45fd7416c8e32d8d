package evidence

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/mutant"
)

// Read reads back what Write has written of the safety properties, as values: for another
// run, to which they are guesses. Nothing is verified but the hashes of the files. Of a
// certificate the conjuncts over latches of the design are there.
// The error names a file that is damaged or missing.
func Read(dir string) (*Run, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("there is no evidence to read: %w", err)
	}
	defer root.Close()
	data, err := readBelow(root, IndexName, indexFile, maxIndex)
	if err != nil {
		return nil, fmt.Errorf("there is no evidence to read: %s: %w", filepath.Join(dir, IndexName), err)
	}
	v := &verifier{root: root, files: map[string]string{}, used: map[string]bool{}}
	if v.index, err = ReadIndex(data); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, IndexName), err)
	}
	for _, f := range v.index.Files {
		v.files[f.Path] = f.SHA256
	}
	run := &Run{Name: v.index.Design.Name, Mapped: v.index.Design.Mapped, Labels: v.index.Labels}
	if v.design = v.circuit(v.index.Design.File, maxFile); v.design != nil {
		run.Design = v.design
		r := &reader{verifier: v, invariants: map[string]*cert.Invariant{}, traces: map[string]*cert.Trace{}}
		for i := range v.index.Properties {
			if p := &v.index.Properties[i]; p.Kind != KindJustice {
				run.Properties = append(run.Properties, r.property(p))
			}
		}
	}
	if len(v.report.Failures) > 0 {
		f := v.report.Failures[0]
		return nil, fmt.Errorf("%s: %s", filepath.Join(dir, f.Where), f.What)
	}
	return run, nil
}

// reader turns files back into values, each file once.
type reader struct {
	*verifier
	invariants map[string]*cert.Invariant
	traces     map[string]*cert.Trace
}

func (r *reader) property(p *IndexProperty) Property {
	out := Property{Position: p.Index, With: p.With, Status: p.Status}
	if p.Proof != nil {
		out.Invariant = r.invariant(p.Proof.Witness)
	}
	for i := range p.Mutants {
		e := &p.Mutants[i]
		m := Mutant{Verdict: e.Verdict, Property: p.failing(e)}
		var err error
		if m.Mutation, err = e.Mutation(); err != nil {
			r.fail(IndexName, "%v", err)
			return out
		}
		switch {
		case e.Verdict == mutant.Covered && e.Trace != "":
			m.Trace = r.trace(e.Trace)
		case e.Verdict == mutant.NotCovered && e.Certificate != nil:
			if *e.Certificate < 0 || *e.Certificate >= len(p.Certificates) {
				r.fail(IndexName, "it has no certificate %d of property %d", *e.Certificate, p.Index)
				return out
			}
			m.Invariant = r.invariant(p.Certificates[*e.Certificate].Witness)
		}
		out.Mutants = append(out.Mutants, m)
	}
	return out
}

// invariant reads the conjuncts of a witness circuit's property that speak of latches of the
// design alone. Clauses come as clauses, all else as formulas.
func (r *reader) invariant(path string) *cert.Invariant {
	if v, known := r.invariants[path]; known {
		return v
	}
	inv := &cert.Invariant{}
	r.invariants[path] = inv
	f := r.circuit(path, maxFile)
	if f == nil || len(f.Bads) != 1 {
		return inv
	}
	latch, gate := map[aiger.Lit]int{}, map[aiger.Lit]aiger.And{}
	for i, l := range f.Latches {
		if i < len(r.design.Latches) {
			latch[l.Lit] = i
		}
	}
	for _, a := range f.Ands {
		gate[a.Lhs] = a
	}
	var rest []aiger.Lit
next:
	for _, l := range conjuncts(gate, f.Bads[0]^1) {
		var c cert.Clause
		for _, no := range conjuncts(gate, l^1) {
			at, known := latch[no&^1]
			if !known {
				rest = append(rest, l)
				continue next
			}
			c = append(c, cert.MkStateLit(at, no&1 == 0))
		}
		if len(c) > 0 {
			inv.Clauses = append(inv.Clauses, c)
		}
	}
	inv.Graph, inv.Formulas, inv.Support = formulas(f, latch, rest)
	return inv
}

// formulas are those of some literals of a file that read given latches alone.
func formulas(f *aiger.File, latch map[aiger.Lit]int, lits []aiger.Lit) (g *aig.Graph, out []aig.Lit, support []cert.SupportLatch) {
	needed := make([]bool, f.MaxVar+1)
	for _, l := range lits {
		needed[l>>1] = true
	}
	for _, a := range slices.Backward(f.Ands) {
		if needed[a.Lhs>>1] {
			needed[a.Rhs0>>1], needed[a.Rhs1>>1] = true, true
		}
	}
	g = aig.NewGraph()
	to := make([]aig.Lit, f.MaxVar+1)
	for i := range to {
		to[i] = aig.Undef
	}
	to[0] = aig.False
	for _, l := range f.Latches {
		if at, known := latch[l.Lit]; known && needed[l.Lit>>1] {
			to[l.Lit>>1] = g.Latch()
			support = append(support, cert.SupportLatch{Lit: to[l.Lit>>1], Latch: at})
		}
	}
	edge := func(l aiger.Lit) aig.Lit { return to[l>>1] ^ aig.Lit(l&1) }
	for _, a := range f.Ands {
		if needed[a.Lhs>>1] && to[a.Rhs0>>1] != aig.Undef && to[a.Rhs1>>1] != aig.Undef {
			to[a.Lhs>>1] = g.And(edge(a.Rhs0), edge(a.Rhs1))
		}
	}
	for _, l := range lits {
		if to[l>>1] != aig.Undef && !edge(l).Const() {
			out = append(out, edge(l))
		}
	}
	if len(out) == 0 {
		return nil, nil, nil
	}
	return g, out, support
}

// conjuncts are the literals whose conjunction a literal is, each once.
func conjuncts(gate map[aiger.Lit]aiger.And, l aiger.Lit) []aiger.Lit {
	var out []aiger.Lit
	seen := map[aiger.Lit]bool{}
	for stack := []aiger.Lit{l}; len(stack) > 0; {
		l := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[l] {
			continue
		}
		seen[l] = true
		if a, is := gate[l]; is {
			stack = append(stack, a.Rhs1, a.Rhs0)
			continue
		}
		out = append(out, l)
	}
	return out
}

// trace reads a trace in AIGER's witness format. What a mutant's file has beside the
// latches of the design is left out.
func (r *reader) trace(path string) *cert.Trace {
	if t, known := r.traces[path]; known {
		return t
	}
	t := &cert.Trace{}
	r.traces[path] = t
	data := r.load(path, traceFile, maxFile)
	if data == nil {
		return t
	}
	ws, err := aiger.ReadWitnesses(bytes.NewReader(data), path, nil)
	if err != nil {
		r.fail(path, "%v", err)
		return t
	}
	w := ws[0]
	if len(w.Init) < len(r.design.Latches) {
		r.fail(path, "it has %d latches, the design %d", len(w.Init), len(r.design.Latches))
		return t
	}
	for _, x := range w.Init[:len(r.design.Latches)] {
		t.Latches = append(t.Latches, x == aiger.True)
	}
	for _, row := range w.Inputs {
		if len(row) != len(r.design.Inputs) && len(row) != len(r.design.Inputs)+1 {
			r.fail(path, "a step has %d inputs, the design %d", len(row), len(r.design.Inputs))
			return t
		}
		var bits []bool
		for _, x := range row {
			bits = append(bits, x == aiger.True)
		}
		t.Inputs = append(t.Inputs, bits)
	}
	return t
}
