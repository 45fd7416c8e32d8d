// Package project reads and writes netcov.toml: what a project's runs have in common, so
// that a command without arguments runs it. Each key is a setting of the command line, by
// the same name; design has the files, and outputs the forms of the report.
//
//	design = ["rtl/fifo.sv", "rtl/top.sv"]
//	top = "top"
//	parameter = { DEPTH = 8 }
//	budget = "2x"
//	waivers = "waivers.toml"
//
//	[outputs]
//	json = "out/report.json"
//
// Paths are relative to the folder of the file.
package project

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"netcov/internal/atomicfile"
	"netcov/internal/plainfile"
)

// File is the name of a project's file.
const File = "netcov.toml"

// Project is what a file says.
type Project struct {
	Path   string
	Design []string // files, or a project of SymbiYosys and a task
	// Settings are the others, in the order of Keys.
	Settings []Setting
}

// Setting is one setting of the command line, with its values.
type Setting struct {
	Flag   string
	Values []string
}

// form is how a key's value is written.
type form uint8

const (
	text  form = iota // a text, a number or a truth value
	path              // a file or a folder
	words             // a list of words, which a comma separates on the command line
	list              // a list of texts
	paths             // a list of files or folders
	pairs             // a table: NAME = value
)

// Key is a key of the file.
type Key struct {
	Name string
	form form
	Help string
}

// Keys lists the keys, those of outputs aside.
func Keys() []Key {
	return []Key{
		{"design", paths, "the files, or a project of SymbiYosys and, perhaps, a task"},
		{"top", text, "Verilog: top module"},
		{"define", list, "Verilog: macros, NAME or NAME=VALUE"},
		{"undefine", list, "Verilog: macros that are not defined, of YOSYS and FORMAL"},
		{"parameter", pairs, "Verilog: parameters of the top module"},
		{"include", paths, "Verilog: folders for `include files"},
		{"file-list", path, "Verilog: file that lists sources"},
		{"libdir", paths, "Verilog: folders in which missing modules are looked for"},
		{"libfile", paths, "Verilog: files that are read where they have a missing module"},
		{"libext", list, "Verilog: ends of the names in libdir"},
		{"frontend", text, "Verilog: parser of the sources"},
		{"multiclock", text, "Verilog: true for several clocks"},
		{"reset", text, "Verilog: reset input"},
		{"reset-cycles", text, "Verilog: steps in which the reset is active"},
		{"memory-bits", text, "largest memory that becomes registers"},
		{"read-time", text, "Verilog: time for yosys, and for ghdl"},
		{"read-memory", text, "Verilog: memory for yosys or ghdl"},
		{"map", path, "AIGER: file of names"},
		{"property", text, "property: its number, its name, or all"},
		{"fault", words, "faults to inject"},
		{"mux", text, "place of the fault"},
		{"nodes", text, "nodes to mutate"},
		{"checkers", text, "what becomes of registers that only properties read"},
		{"sample", text, "number of nodes to draw"},
		{"seed", text, "seed of the random choices"},
		{"observe", text, "where a difference counts"},
		{"engine", text, "engine for the design itself"},
		{"timeout", text, "time limit for each property"},
		{"proof-budget", text, "time limit for all properties"},
		{"budget", text, "time for the coverage tests"},
		{"why", text, "time for the reasons"},
		{"vacuity", text, "time for the antecedents of concurrent assertions"},
		{"matrix", text, "true to find out which property fails on which mutant"},
		{"matrix-budget", text, "time for the matrix"},
		{"stop-at", text, "share of decided mutants that is enough"},
		{"jobs", text, "workers"},
		{"memory-limit", text, "limit of memory"},
		{"journal", path, "file that records every verdict"},
		{"waivers", path, "file of waivers"},
		{"baseline", path, "JSON report to compare with"},
		{"baseline-evidence", path, "evidence of an earlier run"},
		{"fail-under", text, "least coverage"},
		{"fail-on-regression", text, "fail when something got worse"},
	}
}

// outputs are the keys of the table of that name that are folders; the others are forms
// of the report.
var outputs = []string{"evidence", "vcd", "witness-dir"}

// Read reads a project's file. forms are the names of the report's forms.
func Read(file string, forms []string) (*Project, error) {
	if err := plainfile.CheckText(file); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	p, err := Parse(data, file, forms)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
}

// Parse reads the text of the file of that name.
func Parse(data []byte, file string, forms []string) (*Project, error) {
	values := map[string]any{}
	if _, err := toml.NewDecoder(bytes.NewReader(data)).Decode(&values); err != nil {
		return nil, tomlError(err)
	}
	p := &Project{Path: file}
	folder := filepath.Dir(file)
	for _, k := range Keys() {
		v, given := values[k.Name]
		delete(values, k.Name)
		if !given {
			continue
		}
		out, err := k.read(v, folder)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Name, err)
		}
		if k.Name == "design" {
			p.Design = out
			continue
		}
		p.Settings = append(p.Settings, Setting{k.Name, out})
	}
	table, given := values["outputs"]
	delete(values, "outputs")
	for _, name := range slices.Sorted(maps.Keys(values)) {
		return nil, fmt.Errorf("there is no key %q; the keys are %s, outputs", name, strings.Join(keyNames(), ", "))
	}
	if len(p.Design) == 0 {
		return nil, errors.New(`design is missing: list the files, such as design = ["top.sv"]`)
	}
	if given {
		if err := p.readOutputs(table, folder, forms); err != nil {
			return nil, fmt.Errorf("outputs: %w", err)
		}
	}
	return p, nil
}

func keyNames() []string {
	var out []string
	for _, k := range Keys() {
		out = append(out, k.Name)
	}
	return out
}

// tomlError is an error of TOML in one line, with its place.
func tomlError(err error) error {
	var p toml.ParseError
	if !errors.As(err, &p) {
		return err
	}
	return fmt.Errorf("line %d: %s", p.Position.Line, strings.TrimSpace(strings.ReplaceAll(p.Message, "\n", " ")))
}

// read turns a value into those of the setting.
func (k Key) read(v any, folder string) ([]string, error) {
	switch k.form {
	case pairs:
		table, ok := v.(map[string]any)
		if !ok {
			return nil, errors.New("give a table, such as { DEPTH = 8 }")
		}
		var out []string
		for _, name := range slices.Sorted(maps.Keys(table)) {
			s, err := scalar(table[name])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			out = append(out, name+"="+s)
		}
		return out, nil
	case list, paths, words:
		items, ok := v.([]any)
		if !ok {
			return nil, errors.New("give a list in brackets")
		}
		var out []string
		for _, item := range items {
			s, err := scalar(item)
			if err != nil {
				return nil, err
			}
			// The second word of a project of SymbiYosys is a task, no file.
			if k.form == paths && (len(out) == 0 || !strings.HasSuffix(out[0], ".sby")) {
				s = beside(folder, s)
			}
			out = append(out, s)
		}
		if k.form == words {
			out = []string{strings.Join(out, ",")}
		}
		return out, nil
	}
	s, err := scalar(v)
	if err != nil {
		return nil, err
	}
	if k.form == path {
		s = beside(folder, s)
	}
	return []string{s}, nil
}

// scalar is a text, a number or a truth value as the command line has it.
func scalar(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case bool, int64:
		return fmt.Sprint(v), nil
	case float64:
		return strings.TrimSuffix(fmt.Sprintf("%f", v), ".000000"), nil
	}
	return "", errors.New("give a text, a number, true or false")
}

// beside is a path that stands in a file of a folder.
func beside(folder, name string) string {
	if name == "-" || filepath.IsAbs(name) || folder == "." {
		return name
	}
	return filepath.Join(folder, name)
}

// readOutputs reads the table of outputs: a form of the report, or a folder. The path -
// is standard output.
func (p *Project) readOutputs(v any, folder string, forms []string) error {
	table, ok := v.(map[string]any)
	if !ok {
		return errors.New("give a table")
	}
	var formats []string
	for _, name := range slices.Sorted(maps.Keys(table)) {
		to, ok := table[name].(string)
		if !ok || to == "" {
			return fmt.Errorf("%s: give a path, or - for standard output", name)
		}
		switch {
		case slices.Contains(outputs, name):
			p.Settings = append(p.Settings, Setting{name, []string{beside(folder, to)}})
		case slices.Contains(forms, name) && to == "-":
			formats = append(formats, name)
		case slices.Contains(forms, name):
			formats = append(formats, name+"="+beside(folder, to))
		default:
			return fmt.Errorf("there is no output %q; there are %s, %s", name, strings.Join(forms, ", "), strings.Join(outputs, ", "))
		}
	}
	if len(formats) > 0 {
		p.Settings = append(p.Settings, Setting{"format", formats})
	}
	return nil
}

// Write writes a new project's file for a design.
func Write(file string, design []string, top string) error {
	return atomicfile.Write(file, func(w io.Writer) error {
		var b strings.Builder
		b.WriteString("# The project of netcov: netcov cover and netcov check run it without arguments.\n")
		b.WriteString("# Each key is a flag of netcov cover; netcov help project lists them.\n\n")
		enc := toml.NewEncoder(&b)
		if err := enc.Encode(map[string]any{"design": design}); err != nil {
			return err
		}
		if top != "" {
			if err := enc.Encode(map[string]string{"top": top}); err != nil {
				return err
			}
		}
		b.WriteString(`
# budget = "2x"               # at most twice the time of the proof; the rest is unknown
# waivers = "waivers.toml"    # netcov waive writes it
# fail-under = "80%"          # a gate for continuous integration
# baseline = "baseline.json"  # a report of an earlier run
# fail-on-regression = true

[outputs]
text = "-"
json = "netcov.json"
html = "netcov.html"
`)
		_, err := io.WriteString(w, b.String())
		return err
	})
}

// Find proposes what the design of a folder is: its project of SymbiYosys, or else its
// SystemVerilog and Verilog files. The error says why there is no proposal.
func Find(folder string) ([]string, error) {
	glob := func(pattern string) []string {
		all, _ := filepath.Glob(filepath.Join(folder, pattern))
		for i := range all {
			all[i] = filepath.Base(all[i])
		}
		return all
	}
	projects := glob("*.sby")
	switch {
	case len(projects) == 1:
		return projects, nil
	case len(projects) > 1:
		return nil, fmt.Errorf("there are several projects of SymbiYosys, %s: name one", strings.Join(projects, ", "))
	}
	sources := append(glob("*.sv"), glob("*.v")...)
	if len(sources) == 0 {
		return nil, errors.New("there is no .sby, .sv or .v file here: name the design's files")
	}
	return sources, nil
}
