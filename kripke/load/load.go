// Package load opens what the commands on Kripke structures work on: a
// structure (HOA or the text form), an SMV model, an AIGER or BTOR2 file, or
// Verilog, and gives it the form that an algorithm needs, an explicit structure
// or a circuit.
package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"netcov/aiger"
	"netcov/frontend/btor2"
	"netcov/frontend/design"
	"netcov/frontend/smv"
	"netcov/frontend/verilog"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
	"netcov/netlist"
)

// Source is an opened file.
type Source struct {
	Path   string
	Format string // hoa, text, smv, aiger, btor2 or verilog
	// Specs are the specifications that stand in the file.
	Specs []design.Spec
	// Notes tell the user what was assumed, a line each.
	Notes []string

	k       *structure.Structure
	design  *design.Design
	program *smv.Program
	netlist *smv.Netlist
}

// Options say how files are read.
type Options struct {
	// Lenient is aiger.Options.Lenient.
	Lenient bool
	// Verilog holds yosys' settings; its Files are set to the path.
	Verilog verilog.Options
}

// Open reads a file. Its name's end says what it is. With another name, and on
// standard input, which is "-", the first words tell a HOA or AIGER file;
// anything else is taken for a structure in the text form.
func Open(ctx context.Context, path string, opt Options) (*Source, error) {
	s := &Source{Path: path}
	var err error
	switch s.Format = format(path); s.Format {
	case "smv":
		err = s.openSMV()
	case "verilog":
		opt.Verilog.Files = []string{path}
		s.design, err = verilog.Load(ctx, opt.Verilog)
	case "aiger":
		var f *aiger.File
		f, err = aiger.ReadFile(path, aiger.Options{Lenient: opt.Lenient})
		s.setAIGER(f)
	case "btor2":
		var m *btor2.Model
		if m, err = btor2.ReadFile(path, btor2.Options{}); err == nil {
			s.design = m.Design
		}
	case "hoa":
		s.k, err = structure.ReadFile(path)
	default:
		err = s.openUnnamed(opt)
	}
	if err != nil {
		return nil, err
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

func format(path string) string {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	switch filepath.Ext(name) {
	case ".smv":
		return "smv"
	case ".v", ".sv", ".vh", ".svh":
		return "verilog"
	case ".aag", ".aig":
		return "aiger"
	case ".btor", ".btor2":
		return "btor2"
	case ".hoa":
		return "hoa"
	}
	return ""
}

// openUnnamed opens a file whose name does not tell what it is. It reads the
// file once, since it may be a pipe.
func (s *Source) openUnnamed(opt Options) error {
	in, name := os.Stdin, "standard input"
	if s.Path != "-" {
		file, err := os.Open(s.Path)
		if err != nil {
			return err
		}
		defer file.Close()
		in, name = file, s.Path
	}
	buffered := bufio.NewReader(in)
	head, _ := buffered.Peek(64) // an error comes again below
	head = bytes.TrimLeft(head, " \t\r\n")
	starts := func(with string) bool { return bytes.HasPrefix(head, []byte(with)) }
	if starts("aag ") || starts("aig ") || starts("\x1f\x8b") { // the last is gzip
		s.Format = "aiger"
		f, err := aiger.Read(buffered, name, aiger.Options{Lenient: opt.Lenient})
		s.setAIGER(f)
		return err
	}
	if s.Format = "text"; starts("HOA:") {
		s.Format = "hoa"
	}
	data, err := io.ReadAll(buffered)
	if err != nil {
		return err
	}
	s.k, err = structure.Read(name, data)
	return err
}

func (s *Source) setAIGER(f *aiger.File) {
	if f != nil {
		s.design = &design.Design{File: s.Path, Format: "aiger", Netlist: netlist.FromAIGER(f)}
	}
}

// Circuit reports whether the file describes a circuit: any netlist, and an SMV
// model of boolean variables that are inputs or deterministic registers. Other
// SMV models and structures are Kripke structures.
func (s *Source) Circuit() bool {
	if s.program != nil {
		return s.booleanCircuit()
	}
	return s.design != nil
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
func (s *Source) names() []string {
	out := make([]string, len(s.design.Netlist.Latches))
	for i, l := range s.design.Netlist.Latches {
		out[i] = l.Name
		if i < len(s.design.Latches) && s.design.Latches[i].Register != "" {
			o := s.design.Latches[i]
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
			out[i] = s.design.Netlist.Latches[i].Name
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
	for i, name := range s.names() {
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

// netlistCircuit makes a circuit of a design.
func (s *Source) netlistCircuit(d *design.Design) (*circuit.Circuit, error) {
	c, err := circuit.FromNetlist(s.plainNames(d), strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, err)
	}
	return c, nil
}
