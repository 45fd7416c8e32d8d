package evidence

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
)

// WriteOptions say what is written.
type WriteOptions struct {
	// NoMutants leaves out the files of covered mutants and of miters, which follow from
	// the design. They take the most room.
	NoMutants bool
}

// Ready reports whether evidence can be written to dir: whether it is absent or
// empty, and a directory can be made beside it. Directories above dir are made.
func Ready(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s: the directory is not empty; name a new one for the evidence", dir)
	}
	temp, err := beside(dir)
	if err != nil {
		return err
	}
	return os.Remove(temp)
}

// beside makes a temporary directory that can be renamed to dir.
func beside(dir string) (string, error) {
	dir = filepath.Clean(dir)
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return "", err
	}
	temp := fmt.Sprintf("%s.%08x.tmp", dir, rand.Uint32())
	return temp, os.Mkdir(temp, 0o777)
}

// Write writes the evidence of a run to dir, which must be absent or empty. It
// is built beside it and renamed: dir holds all of it or nothing. A record
// without the evidence that its verdict needs is an error.
func Write(ctx context.Context, dir string, run *Run, opt WriteOptions) (err error) {
	if err := Ready(dir); err != nil {
		return err
	}
	dir = filepath.Clean(dir)
	temp, err := beside(dir)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(temp)
		}
	}()
	w := &writer{ctx: ctx, dir: temp, run: run, opt: opt}
	if err := w.all(); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(temp, dir)
}

type writer struct {
	ctx   context.Context
	dir   string
	run   *Run
	opt   WriteOptions
	index Index

	design *aiger.File // as verification reads it
}

func (w *writer) all() error {
	w.index.Schema = Schema
	w.index.Properties = []IndexProperty{}
	if err := w.writeDesign(); err != nil {
		return err
	}
	if err := w.run.Scope.check(w.design); err != nil {
		return err
	}
	w.index.Scope = &w.run.Scope
	for i := range w.run.Properties {
		if err := w.property(&w.run.Properties[i]); err != nil {
			return fmt.Errorf("property %d: %w", w.run.Properties[i].Position, err)
		}
	}
	if err := w.reasons(); err != nil {
		return fmt.Errorf("reasons: %w", err)
	}
	if err := w.cells(w.run.Cells); err != nil {
		return err
	}
	missing, err := w.run.Scope.missing(&w.index, w.design)
	if err != nil {
		return err
	}
	w.index.Complete = len(missing) == 0
	w.labels()
	slices.SortFunc(w.index.Files, func(a, b IndexFile) int { return cmp.Compare(a.Path, b.Path) })
	data, err := w.index.encode()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(w.dir, IndexName), data, 0o666)
}

// writeDesign writes the copy of the design, and reads it back: all files are
// made from what verification will read. An AIGER file is stored as it was, so
// that its hash can be checked.
func (w *writer) writeDesign() error {
	f := w.run.Design
	w.index.Design = IndexDesign{Name: validUTF8(w.run.Name), SHA256: f.SHA256, File: "design.aag", Mapped: w.run.Mapped}
	if f.Binary {
		w.index.Design.File = "design.aig"
	}
	text := w.run.Source
	if sum := sha256.Sum256(text); !bytes.HasPrefix(text, []byte("a")) || hex.EncodeToString(sum[:]) != f.SHA256 {
		text = nil
	}
	var err error
	if text != nil {
		w.design, err = aiger.Read(bytes.NewReader(text), w.index.Design.File, aiger.Options{})
	}
	if text == nil || err != nil { // lost, packed, or accepted by a lenient reader only
		if text, err = w.rewrite(); err != nil {
			return err
		}
	}
	return w.put(w.index.Design.File, func(to io.Writer) error {
		_, err := to.Write(text)
		return err
	})
}

// rewrite returns the design in the writer's own form.
func (w *writer) rewrite() ([]byte, error) {
	f := w.run.Design
	write := aiger.WriteASCII
	w.index.Design.File = "design.aag"
	if f.Binary && f.AndPos == nil {
		w.index.Design.File = "design.aig"
		write = aiger.WriteBinary
	}
	var text bytes.Buffer
	err := write(&text, f)
	if err == nil {
		w.design, err = aiger.Read(bytes.NewReader(text.Bytes()), w.index.Design.File, aiger.Options{})
	}
	return text.Bytes(), err
}

// put writes one file and lists it.
func (w *writer) put(path string, write func(io.Writer) error) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	full := filepath.Join(w.dir, filepath.FromSlash(path))
	file, err := os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			return err
		}
		file, err = os.OpenFile(full, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	buffer := bufio.NewWriterSize(io.MultiWriter(file, sum), 1<<16)
	if err := write(buffer); err != nil {
		return err
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	w.index.Files = append(w.index.Files, IndexFile{path, hex.EncodeToString(sum.Sum(nil))})
	return file.Close()
}

func (w *writer) circuit(path string, f *aiger.File) error {
	return w.put(path, func(to io.Writer) error { return aiger.WriteBinary(to, f) })
}

// propertyWriter writes what belongs to one property.
type propertyWriter struct {
	*writer
	k      *certify.Checker
	single map[int]*certify.Checker // by property: of it alone
	folder string
	out    *IndexProperty
	shared map[sharedKey][]int // mutants (positions) by invariant
	traces map[string]string   // text → path
}

// sharedKey: mutants with the multiplexer at different places share no circuit.
type sharedKey struct {
	inv *cert.Invariant
	mux mutant.Mux
}

func (w *writer) property(p *Property) error {
	all := propertiesOf(w.design)
	positions := append([]int{p.Position}, p.With...)
	for _, i := range positions {
		if i < 0 || i >= len(all) {
			return fmt.Errorf("the design has %d properties", len(all))
		}
		if len(p.With) > 0 && all[i].kind == KindJustice {
			return errors.New("a justice property stands alone")
		}
	}
	if len(p.With) > 0 && p.Status != cert.Holds {
		return errors.New("properties stand together only where they hold")
	}
	q := &propertyWriter{
		writer: w, k: checkerOf(w.design, p.Rounds, positions...), single: map[int]*certify.Checker{}, folder: fmt.Sprintf("p%d", p.Position),
		out: &IndexProperty{
			Index: p.Position, With: p.With, Kind: all[p.Position].kind, Name: all[p.Position].name, Rounds: p.Rounds, Status: p.Status,
			Certificates: []IndexCertificate{}, Mutants: []IndexMutant{},
		},
		shared: map[sharedKey][]int{}, traces: map[string]string{},
	}
	if err := q.original(p); err != nil {
		return err
	}
	if len(p.Mutants) > 0 && p.Status != cert.Holds {
		return errors.New("mutants are judged only where the property holds on the design")
	}
	var order []sharedKey
	for i := range p.Mutants {
		m := &p.Mutants[i]
		if m.Verdict == mutant.NotCovered && m.Invariant != nil {
			key := sharedKey{m.Invariant, m.Mux}
			if q.shared[key] == nil {
				order = append(order, key)
			}
			q.shared[key] = append(q.shared[key], i)
		}
		e, err := q.mutant(m)
		if err != nil {
			return fmt.Errorf("%v: %w", m.Mutation, err)
		}
		q.out.Mutants = append(q.out.Mutants, e)
		q.out.Counts.add(m.Verdict)
	}
	for _, key := range order {
		if err := q.certificate(p, key); err != nil {
			return err
		}
	}
	w.index.Properties = append(w.index.Properties, *q.out)
	return nil
}

// original writes why the property holds on the design, or fails.
func (q *propertyWriter) original(p *Property) error {
	switch {
	case p.Status == cert.Holds && p.Invariant != nil:
		c, err := q.pair("original", p.Invariant, nil)
		q.out.Proof = &c
		return err
	case p.Status == cert.Fails && p.Trace != nil:
		path, err := q.trace("original", p.Trace, nil)
		q.out.Trace = path
		return err
	case p.Status == cert.Unknown:
		return nil
	}
	return fmt.Errorf("there is no evidence that it is %q", p.Status)
}

// pair writes a model and its witness circuit.
func (q *propertyWriter) pair(name string, inv *cert.Invariant, ms []certify.Mutation) (IndexCertificate, error) {
	c := IndexCertificate{Model: q.folder + "/" + name + ".model.aig", Witness: q.folder + "/" + name + ".witness.aig"}
	model, witness, err := q.k.Certificate(inv, ms)
	if err == nil {
		err = q.circuit(c.Model, model)
	}
	if err == nil {
		err = q.circuit(c.Witness, witness)
	}
	return c, err
}

// certificate writes the certificate of all mutants that share an invariant.
func (q *propertyWriter) certificate(p *Property, key sharedKey) error {
	at := len(q.out.Certificates)
	var ms []certify.Mutation
	for _, i := range q.shared[key] {
		ms = append(ms, p.Mutants[i].Mutation)
		q.out.Mutants[i].Certificate = &at
	}
	c, err := q.pair(fmt.Sprintf("c%d", at), key.inv, ms)
	q.out.Certificates = append(q.out.Certificates, c)
	return err
}

// mutant writes what belongs to one mutant alone.
func (q *propertyWriter) mutant(m *Mutant) (IndexMutant, error) {
	e := entry(m.Mutation, m.Verdict)
	switch {
	case m.Verdict == mutant.Covered && m.Trace != nil:
		if m.Property != q.out.Index && len(q.out.With) > 0 {
			if !slices.Contains(q.out.With, m.Property) {
				return e, fmt.Errorf("property %d, which is none of these, fails on it", m.Property)
			}
			e.Property = &m.Property
		}
		var err error
		if e.Trace, err = q.trace("", m.Trace, &m.Mutation); err != nil || q.opt.NoMutants {
			return e, err
		}
		model, err := q.alone(q.out.failing(&e)).Mutant(m.Mutation)
		if err != nil {
			return e, err
		}
		e.Model = fmt.Sprintf("%s/%s%d-%s-%s.aig", q.folder, e.Kind, e.Index, e.Fault, e.Mux)
		return e, q.circuit(e.Model, model)
	case m.Verdict == mutant.NotCovered && m.Invariant == nil:
		outside, err := q.k.Outside(m.Mutation)
		if err == nil && !outside {
			err = errors.New("there is no invariant, and the node is inside the cone of influence")
		}
		e.Outside = true
		return e, err
	case m.Verdict == mutant.NotCovered, m.Verdict == mutant.Unknown:
		return e, nil
	}
	return e, fmt.Errorf("there is no evidence that it is %q", m.Verdict)
}

// alone returns the checker of one property.
func (q *propertyWriter) alone(property int) *certify.Checker {
	if len(q.out.With) == 0 {
		return q.k
	}
	if q.single[property] == nil {
		q.single[property] = checkerOf(q.design, 0, property)
	}
	return q.single[property]
}

// trace writes a trace as the mutant's file takes it (nil: the design's), and
// returns its path. Equal ones are written once.
func (q *propertyWriter) trace(name string, tr *cert.Trace, m *certify.Mutation) (string, error) {
	w, err := q.k.Witness(tr)
	if err != nil {
		return "", err
	}
	if m != nil {
		w.Properties[0].Index = 0 // the mutant's file has one
	}
	inputs := len(q.design.Inputs)
	if m != nil && m.HasFree() {
		inputs++
	}
	for i, row := range w.Inputs {
		if len(row) < inputs {
			return "", errors.New("the trace has no free value for the nondet fault")
		}
		w.Inputs[i] = row[:inputs]
	}
	if m != nil {
		w.Init = append(w.Init, make([]aiger.Ternary, m.Added())...)
	}
	var text bytes.Buffer
	if err := aiger.WriteWitness(&text, w); err != nil {
		return "", err
	}
	if path, ok := q.traces[text.String()]; ok {
		return path, nil
	}
	if name == "" {
		name = fmt.Sprintf("t%d", len(q.traces))
	}
	path := q.folder + "/" + name + ".wit"
	q.traces[text.String()] = path
	return path, q.put(path, func(to io.Writer) error {
		_, err := text.WriteTo(to)
		return err
	})
}
