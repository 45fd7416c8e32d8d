// Package load opens a source (see frontend) and gives it the form that an algorithm on
// Kripke structures needs: an explicit structure or a circuit.
package load

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"netcov/frontend"
	"netcov/frontend/design"
	"netcov/frontend/smv"
	"netcov/frontend/verilog"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
	"netcov/netlist"
)

// Source is an opened source as the analyses take it.
type Source struct {
	Path   string
	Format string // as the table of frontend names it
	// Specs are the specifications that stand in the file.
	Specs []design.Spec
	// Notes tell the user what was assumed, a line each.
	Notes []string

	k          *structure.Structure
	design     *design.Design
	program    *smv.Program
	netlist    *smv.Netlist
	compassion map[string]string // expressions of Compassion's propositions
	// maxGates bounds the netlist of a program, 0 for its own limit.
	maxGates int
}

// Open opens a file: see frontend.Open. An SMV model stays a program, until an
// analysis wants its netlist.
func Open(ctx context.Context, path string, opt frontend.Options) (*Source, error) {
	s := &Source{}
	opt.Graph = func(name string, text []byte) (err error) {
		s.k, err = structure.Read(name, text)
		return err
	}
	src, err := frontend.Open(ctx, []string{path}, opt)
	if err != nil {
		return nil, err
	}
	s.Path, s.Format = src.Path, src.Kind
	s.design, s.program, s.maxGates = src.Design, src.Program, src.MaxGates
	if s.program != nil {
		s.Specs = s.program.Specs()
		s.readCompassion()
	}
	if s.design != nil {
		s.Specs = append(s.Specs, s.design.Specs...)
		for _, note := range s.design.Notes {
			if note != verilog.NoAssert { // the specifications are formulas here
				s.Notes = append(s.Notes, note)
			}
		}
	}
	return s, nil
}

// Circuit reports whether the file describes a circuit: any netlist, and an SMV
// model whose variables are inputs or deterministic registers. Other SMV models and
// structures are Kripke structures; why says what an SMV model lacks.
func (s *Source) Circuit() (circuit bool, why string) {
	if s.program == nil {
		return s.design != nil, ""
	}
	n, err := s.compiled()
	if err != nil {
		return false, ""
	}
	why = n.NoCircuit()
	return why == "", why
}

// Formulas parses the file's own specifications of a logic (CTL for ACTL too).
func (s *Source) Formulas(l formula.Logic) ([]formula.Formula, error) {
	kind := design.SpecCTL
	if l == formula.LTL {
		kind = design.SpecLTL
	}
	var out []formula.Formula
	for _, spec := range s.Specs {
		if spec.Kind != kind {
			continue
		}
		f, err := formula.Parse(spec.Text, l)
		if err != nil {
			var e *formula.SyntaxError
			if errors.As(err, &e) {
				return nil, fmt.Errorf("%s:%d: the specification %.100s: %s", s.Path, spec.Line, spec.Text, e.Msg)
			}
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// Resolve rewrites the comparisons of a formula that speak of a netlist's
// words, such as `count = 5` for the registers count[0], count[1], …, by
// formulas over their bits. Formulas over other sources stay as they are: an
// SMV model reads its own comparisons.
func (s *Source) Resolve(f formula.Formula) (formula.Formula, error) {
	if s.design == nil || s.program != nil {
		return f, nil
	}
	g, err := resolveWords(s.plainNames(s.design), f)
	if err != nil {
		err = fmt.Errorf("%s: %w", s.Path, err)
	}
	return g, err
}

// AsCircuit is the source as a circuit. Atoms are the propositions of the
// specifications; those of an SMV model that are expressions become named
// edges.
func (s *Source) AsCircuit(atoms []string) (*circuit.Circuit, error) {
	switch {
	case s.k != nil:
		return nil, fmt.Errorf("%s is a structure, not a circuit", s.Path)
	case s.program != nil:
		return s.smvCircuit(atoms)
	}
	return s.netlistCircuit(s.design)
}

// AsStructure is the source as an explicit structure of its reachable states
// (all states, when the file lists them). The atoms become propositions; limit
// bounds the number of states, 0 is structure.MaxStates.
func (s *Source) AsStructure(ctx context.Context, atoms []string, limit int) (*structure.Structure, error) {
	switch {
	case s.k != nil:
		return s.k, nil
	case s.program != nil:
		return s.smvStructure(ctx, atoms, limit)
	}
	c, err := s.netlistCircuit(s.design)
	if err != nil {
		return nil, err
	}
	return c.Structure(circuit.StructureOptions{Limit: limit, Interrupt: func() error { return context.Cause(ctx) }})
}

// names lists the user's names of a netlist's latches: the file's symbols, or
// the registers' names with their bits.
func names(d *design.Design) []string {
	out := make([]string, len(d.Netlist.Latches))
	for i, l := range d.Netlist.Latches {
		out[i] = l.Name
		if i < len(d.Latches) && d.Latches[i].Register != "" {
			o := d.Latches[i]
			if out[i] = o.Register; o.Bit >= 0 {
				out[i] = fmt.Sprintf("%s[%d]", o.Register, o.Bit)
			}
		}
	}
	// Two latches with one name, as tools make them, keep their file's names.
	count := map[string]int{}
	for _, n := range out {
		count[n]++
	}
	for i, n := range out {
		if count[n] > 1 {
			out[i] = d.Netlist.Latches[i].Name
		}
	}
	return out
}

// plainNames is a design's netlist with the user's names and polarities: output
// ports are outputs, a register that the netlist stores inverted has its own
// value, and the name of Verilog's top module, with which every name begins, is
// left out.
func (s *Source) plainNames(d *design.Design) *netlist.Netlist {
	n := *d.Netlist
	n.Inputs, n.Latches = slices.Clone(n.Inputs), slices.Clone(n.Latches)
	n.Outputs = append(slices.Clone(n.Outputs), d.Outputs...)
	for i, name := range names(d) {
		l := &n.Latches[i]
		l.Name = name
		if i < len(d.Latches) && d.Latches[i].Inverted {
			l.Lit, l.Next, l.Reset = l.Lit.Not(), l.Next.Not(), l.Reset.Not()
		}
	}
	if s.Format != "verilog" {
		return &n
	}
	short := func(name string) string {
		if _, rest, ok := strings.Cut(name, "."); ok {
			return rest
		}
		return name
	}
	for i := range n.Inputs {
		n.Inputs[i].Name = short(n.Inputs[i].Name)
	}
	for i := range n.Latches {
		n.Latches[i].Name = short(n.Latches[i].Name)
	}
	for i := range n.Outputs {
		n.Outputs[i].Name = short(n.Outputs[i].Name)
	}
	return &n
}

// Lines gives for each register, by its name in a circuit, the file and the line where
// it is declared, as far as the front end knows them.
func (s *Source) Lines() map[string]string {
	out := map[string]string{}
	if s.design == nil {
		return out
	}
	for i, l := range s.plainNames(s.design).Latches {
		if i < len(s.design.Latches) && s.design.Latches[i].Line > 0 {
			out[l.Name] = fmt.Sprintf("%s:%d", filepath.Base(s.design.Latches[i].File), s.design.Latches[i].Line)
		}
	}
	return out
}

// netlistCircuit makes a circuit of a design.
func (s *Source) netlistCircuit(d *design.Design) (*circuit.Circuit, error) {
	c, err := circuit.FromNetlist(s.plainNames(d), strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, err)
	}
	return c, nil
}
