package evidence

import (
	"bytes"
	"fmt"
	"io"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
)

// Why mutants are not covered. Each such mutant has one reason, with what proves it: an
// invariant, as a circuit of its conjuncts, or a trace, as a witness of the miter of
// design and mutant.
//
//	outside     nothing
//	constant    an invariant of the design, which gives the node the fault's value
//	equivalent  an invariant of the pair, which excludes differences, those of the
//	            constraints too
//	vacuous     an invariant of the pair, which excludes differences, and a trace at whose
//	            end the constraints hold on one side only; nothing where the design has
//	            no run
//	gap         a trace at whose end an observation point differs
//	open        nothing
//
//	reasons/v2.aig             an invariant; mutants may share it
//	reasons/latch7-zero.aig    the miter of a mutant that shows a difference
//	reasons/t5.wit             a trace on which it does

// Explained is a mutant with its reason.
type Explained struct {
	certify.Mutation
	Reason    mutant.Reason
	Invariant *cert.Invariant
	// Trace is one of the design and the mutant: see certify.Comparison.Witness. An x may
	// be replaced by either value.
	Trace *aiger.Witness
}

// IndexReasons say why the mutants are not covered that no property notices.
type IndexReasons struct {
	Observe string        `json:"observe"` // where a difference counts: "outputs" or "registers"
	Mutants []IndexReason `json:"mutants"`
}

// IndexReason is one reason with the files that prove it.
type IndexReason struct {
	Kind      string        `json:"kind"`
	Index     int           `json:"index"`
	Fault     string        `json:"fault"`
	Mux       string        `json:"mux"`
	Reason    mutant.Reason `json:"reason"`
	Invariant string        `json:"invariant,omitempty"`
	Trace     string        `json:"trace,omitempty"`
	// Model is the miter on which the trace of a gap ends badly. It may be absent.
	Model string `json:"model,omitempty"`
}

// mutation is the mutant as certify names it.
func (e *IndexReason) mutation() (certify.Mutation, error) {
	return (&IndexMutant{Kind: e.Kind, Index: e.Index, Fault: e.Fault, Mux: e.Mux}).Mutation()
}

// held lists the properties of an index that hold.
func (x *Index) held() []int {
	var all []int
	for i := range x.Properties {
		if p := &x.Properties[i]; p.Status == cert.Holds {
			all = append(all, p.all()...)
		}
	}
	return all
}

// reasonWriter writes the reasons.
type reasonWriter struct {
	*writer
	c     *certify.Comparison
	files map[string]string // contents → path
	paths map[shape]string  // of invariants, as they are shared by pointer
}

// shape is an invariant, of a pair or of the design.
type shape struct {
	inv  *cert.Invariant
	pair bool
}

func (w *writer) reasons() error {
	if w.run.Observe == "" {
		return nil
	}
	points, err := certify.ParseObservation(w.run.Observe)
	if err != nil {
		return err
	}
	r := &reasonWriter{
		writer: w, c: certify.NewComparison(w.design, points, certify.Gini, w.index.held()...),
		files: map[string]string{}, paths: map[shape]string{},
	}
	w.index.Reasons = &IndexReasons{Observe: points.In(w.design).String(), Mutants: []IndexReason{}}
	for i := range w.run.Reasons {
		e, err := r.one(&w.run.Reasons[i])
		if err != nil {
			return fmt.Errorf("%v, %s: %w", w.run.Reasons[i].Mutation, w.run.Reasons[i].Reason, err)
		}
		w.index.Reasons.Mutants = append(w.index.Reasons.Mutants, e)
	}
	return nil
}

func (r *reasonWriter) one(x *Explained) (IndexReason, error) {
	m := entry(x.Mutation, mutant.NotCovered)
	e := IndexReason{Kind: m.Kind, Index: m.Index, Fault: m.Fault, Mux: m.Mux, Reason: x.Reason}
	var err error
	if x.Invariant != nil {
		if e.Invariant, err = r.invariant(shape{x.Invariant, x.Reason != mutant.Constant}); err != nil {
			return e, err
		}
	}
	if x.Trace == nil {
		return e, nil
	}
	trace, err := r.c.OnMiter(x.Trace, x.Mutation)
	if err != nil {
		return e, err
	}
	var text bytes.Buffer
	if err := aiger.WriteWitness(&text, trace); err != nil {
		return e, err
	}
	if e.Trace, err = r.once("t", ".wit", text.String()); err != nil || x.Reason != mutant.Gap || r.opt.NoMutants {
		return e, err
	}
	miter, err := r.c.Miter(x.Mutation)
	if err != nil {
		return e, err
	}
	e.Model = fmt.Sprintf("reasons/%s%d-%s.aig", e.Kind, e.Index, e.Fault)
	return e, r.circuit(e.Model, miter)
}

// invariant writes an invariant, and returns its path.
func (r *reasonWriter) invariant(s shape) (string, error) {
	if path, written := r.paths[s]; written {
		return path, nil
	}
	f, err := r.c.Circuit(s.inv, s.pair)
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	if err := aiger.WriteBinary(&text, f); err != nil {
		return "", err
	}
	r.paths[s], err = r.once("v", ".aig", text.String())
	return r.paths[s], err
}

// once writes a file of these contents unless there is one, and returns its path.
func (r *reasonWriter) once(letter, extension, text string) (string, error) {
	if path, written := r.files[text]; written {
		return path, nil
	}
	path := fmt.Sprintf("reasons/%s%d%s", letter, len(r.files), extension)
	r.files[text] = path
	return path, r.put(path, func(to io.Writer) error {
		_, err := io.WriteString(to, text)
		return err
	})
}
