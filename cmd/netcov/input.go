package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/aiger"
	"netcov/coverage/report"
	"netcov/coverage/subject"
	"netcov/frontend/btor2"
	"netcov/frontend/design"
	"netcov/frontend/smv"
	"netcov/frontend/verilog"
	"netcov/frontend/yosysmap"
	"netcov/internal/memlimit"
	"netcov/internal/plainfile"
	"netcov/mutant"
	"netcov/netlist"
)

// inputFlags are the flags of every command that reads a design.
type inputFlags struct {
	lenient bool
}

func (f *inputFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.lenient, "lenient", false, "AIGER: accept CRLF, a byte order mark, a missing last newline, blank lines at the end (default false)")
}

// netlistFlags are the flags of the commands that work on netlists, whatever
// language the design is written in.
type netlistFlags struct {
	inputFlags
	mapFile string
	verilog verilog.Options
	script  bool
	given   func(flag string) bool // was the flag on the command line?
	memory  int64                  // --memory-limit, 0 for none
}

func (f *netlistFlags) add(fs *pflag.FlagSet) {
	f.inputFlags.add(fs)
	fs.StringVar(&f.mapFile, "map", "", "AIGER: file of names that yosys wrote beside it (default none)")
	fs.StringArrayVarP(&f.verilog.Include, "include", "I", nil, "Verilog: directory for `include files; may be repeated (default none)")
	fs.StringArrayVarP(&f.verilog.Defines, "define", "D", nil, "Verilog: macro, NAME or NAME=VALUE; may be repeated (default none)")
	fs.StringVar(&f.verilog.Top, "top", "", "Verilog: top module (default: found)")
	fs.StringVarP(&f.verilog.List, "file-list", "f", "", "Verilog: file that lists sources, +incdir+ and +define+ (default none)")
	fs.StringVar(&f.verilog.Reset, "reset", "", "Verilog: reset input, active in the first steps; !NAME is active low (default none)")
	fs.IntVar(&f.verilog.ResetCycles, "reset-cycles", 1, "Verilog: steps in which --reset is active")
	fs.IntVar(&f.verilog.MemoryBits, "memory-bits", 16384, "Verilog, BTOR2: largest memory that becomes registers, in bits")
	fs.StringVar(&f.verilog.Yosys, "yosys", "", "Verilog: the yosys program (default: NETCOV_YOSYS, yosys on the PATH, that of make tools)")
	fs.BoolVar(&f.script, "show-script", false, "Verilog: print the script that yosys is given, and end (default false)")
	f.given = fs.Changed
}

// forVerilog returns a flag that was given and means something for Verilog only,
// "" when there is none.
func (f *netlistFlags) forVerilog() string {
	for _, name := range []string{"covers", "include", "define", "top", "reset", "reset-cycles", "yosys"} {
		if f.given(name) {
			return name
		}
	}
	return ""
}

// mostBytes is how large a design may be: reading takes some times that, and what
// is small is read whatever the limit.
func (f *netlistFlags) mostBytes() int64 {
	if f.memory == 0 {
		return 0
	}
	return max(f.memory/4, 64<<20)
}

// mostReading is the memory that reading may take, 0 without a limit.
func (f *netlistFlags) mostReading() int64 {
	if f.memory == 0 {
		return 0
	}
	return max(f.memory, 64<<20)
}

// gateBytes is about what a gate takes until the engines begin.
const gateBytes = 500

// mostGates is how many gates the netlist of a design in words may have, 0 for the
// reader's own limit.
func (f *netlistFlags) mostGates() int {
	if f.memory == 0 {
		return 0
	}
	return int(min(10_000_000, max(100_000, f.memory/gateBytes)))
}

// tidyTime is how long an interrupted run waits for its reader.
const tidyTime = 5 * time.Second

// input is a design as a command works on it. The file is what was read, or
// what the design says as an AIGER file: nodes have the same positions.
type input struct {
	path    string
	file    *aiger.File
	netlist *netlist.Netlist
	design  *design.Design
	btor2   *btor2.Model // of a BTOR2 file, else nil
	mapped  bool         // --map gave names
	// runSteps is the number of steps of the longest run, where the constraints end
	// all of them: see findLongestRun.
	runSteps *int
}

const designHelp = `FILE is an AIGER file (.aag, .aig, also .gz; - reads standard input), Verilog
(.v, .sv; several files; needs yosys), SMV (.smv) or BTOR2 (.btor, .btor2).`

// read reads a design from one file, or from several Verilog files. It returns
// when ctx ends, though standard input may keep the reader waiting.
func (f *netlistFlags) read(ctx context.Context, paths []string) (*input, error) {
	type outcome struct {
		in  *input
		err error
	}
	ctx, end := memlimit.Watch(ctx, f.mostReading())
	defer end()
	done := make(chan outcome, 1)
	go func() {
		in, err := f.readAll(ctx, paths)
		done <- outcome{in, err}
	}()
	select {
	case o := <-done:
		return o.in, o.err
	case <-ctx.Done():
		if language(paths, f.verilog.List) == "verilog" { // whose reader ends soon, and tidies up behind yosys
			select {
			case <-done:
			case <-time.After(tidyTime):
			}
		}
		if memlimit.Exceeded(ctx) {
			return nil, fmt.Errorf("reading the design takes more than %d MiB; raise --memory-limit", f.mostReading()>>20)
		}
		if err := interrupted(ctx); err != nil {
			return nil, err
		}
		return nil, ctx.Err()
	}
}

func (f *netlistFlags) readAll(ctx context.Context, paths []string) (*input, error) {
	kind := language(paths, f.verilog.List)
	for _, p := range paths {
		if k := fileLanguage(p); len(paths) > 1 && k != "" && k != "verilog" {
			return nil, usagef("%s is no Verilog: give one file, or Verilog files only", p)
		}
	}
	if len(paths) == 1 && f.verilog.List == "" {
		if err := knownKind(paths[0]); err != nil {
			return nil, err
		}
	}
	for _, p := range paths {
		check := plainfile.CheckText
		if kind == "aiger" {
			check = plainfile.Check
		}
		if err := check(p); err != nil {
			return nil, err
		}
	}
	for _, p := range []string{f.mapFile, f.verilog.List} {
		if err := plainfile.CheckText(p); err != nil {
			return nil, err
		}
	}
	if f.mapFile != "" && kind != "aiger" {
		return nil, usagef("--map goes with an AIGER file")
	}
	if flag := f.forVerilog(); flag != "" && kind != "verilog" {
		return nil, usagef("--%s goes with Verilog", flag)
	}
	switch kind {
	case "verilog":
		o := f.verilog
		o.Files = paths
		if o.ResetCycles < 1 {
			return nil, usagef("--reset-cycles %d: give 1 or more", o.ResetCycles)
		}
		if o.MemoryBits < 1 {
			return nil, usagef("--memory-bits %d: give 1 or more", o.MemoryBits)
		}
		d, err := verilog.Load(ctx, o)
		return fromDesign(d, err)
	case "smv":
		d, err := smv.Read(paths[0], smv.Options{MaxGates: f.mostGates()})
		return fromDesign(d, err)
	case "btor2":
		m, err := btor2.ReadFile(paths[0], btor2.Options{MaxGates: f.mostGates(), MemoryBits: f.verilog.MemoryBits})
		if err != nil {
			return nil, err
		}
		in, err := fromDesign(m.Design, nil)
		in.btor2 = m
		return in, err
	}
	file, err := aiger.ReadFile(paths[0], aiger.Options{Lenient: f.lenient, MaxBytes: f.mostBytes()})
	if err != nil {
		return nil, err
	}
	in := &input{path: paths[0], file: file, netlist: netlist.FromAIGER(file)}
	in.design = &design.Design{File: in.path, SHA256: file.SHA256, Format: "aiger", Netlist: in.netlist}
	if f.mapFile == "" {
		return in, nil
	}
	m, err := yosysmap.ReadFile(f.mapFile)
	if err != nil {
		return nil, err
	}
	in.mapped = true
	return in, m.Apply(in.design, file)
}

// spare refuses an output that is one of the files that are read.
func spare(output string, paths []string) error {
	to, err := os.Stat(output)
	if err != nil {
		return nil
	}
	for _, p := range paths {
		if from, err := os.Stat(p); err == nil && from.Mode().IsRegular() && os.SameFile(from, to) {
			return usagef("%s is read; name another file for the output", output)
		}
	}
	return nil
}

// sameFile tells whether two outputs would be written to one file, or two
// directories are the same; "" is none.
func sameFile(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	one, err := os.Stat(a)
	other, err2 := os.Stat(b)
	if err != nil || err2 != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	return (one.Mode().IsRegular() || one.IsDir()) && os.SameFile(one, other)
}

// args wants one file, several Verilog files, or a list of them.
func (f *netlistFlags) args(_ *cobra.Command, args []string) error {
	if len(args) == 0 && f.verilog.List == "" && !f.script {
		return errors.New("give the design's file")
	}
	return nil
}

// showScript prints what yosys is told.
func (f *netlistFlags) showScript(c *cobra.Command, paths []string) error {
	o := f.verilog
	o.Files = paths
	text, err := verilog.Script(o)
	if err != nil {
		return err
	}
	_, err = io.WriteString(c.OutOrStdout(), text)
	return err
}

// language tells what a design is written in. Several files are Verilog, and one
// whose name does not tell is AIGER.
func language(paths []string, list string) string {
	if list != "" || len(paths) > 1 {
		return "verilog"
	}
	if k := fileLanguage(paths[0]); k != "" {
		return k
	}
	return "aiger"
}

// fileLanguage tells what a file is written in by the end of its name, "" where
// that does not tell.
func fileLanguage(path string) string {
	switch filepath.Ext(strings.ToLower(path)) {
	case ".v", ".sv", ".vh", ".svh":
		return "verilog"
	case ".smv":
		return "smv"
	case ".btor", ".btor2":
		return "btor2"
	case ".aag", ".aig", ".gz":
		return "aiger"
	}
	if path == "-" {
		return "aiger"
	}
	return ""
}

// knownKind refuses a file whose name tells no language that is read, unless it
// begins as an AIGER file does.
func knownKind(path string) error {
	kind := filepath.Ext(path)
	if fileLanguage(path) != "" || plainfile.Check(path) != nil || plainfile.NoPipe(path) != nil {
		return nil // known, or refused elsewhere
	}
	in, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer in.Close()
	begin := make([]byte, 4)
	if n, err := io.ReadFull(in, begin); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil
	} else if text := string(begin[:n]); text == "aag " || text == "aig " || strings.HasPrefix(text, "\x1f\x8b") || strings.HasPrefix(text, "\xef\xbb\xbf") {
		return nil
	}
	const reads = "netcov reads AIGER (.aag, .aig), Verilog (.v, .sv), SMV (.smv) and BTOR2 (.btor, .btor2)"
	if kind == "" {
		return fmt.Errorf("%s: the name does not tell the kind of file, and it does not begin as an AIGER file; %s", path, reads)
	}
	return fmt.Errorf("%s: unknown kind of file %s; %s", path, kind, reads)
}

func fromDesign(d *design.Design, err error) (*input, error) {
	if err != nil {
		return nil, err
	}
	in := &input{path: d.File, netlist: d.Netlist, design: d}
	if len(d.Netlist.Gates) == 0 {
		d.Netlist.ListGates()
	}
	in.file = d.Netlist.ToAIGER()
	in.file.SHA256 = d.SHA256
	return in, nil
}

// choose returns the positions of the properties that a --property flag asks
// for: a number, a name, or "all".
func (in *input) choose(which string) ([]int, error) {
	ps := in.netlist.Properties()
	if len(ps) == 0 {
		return nil, fmt.Errorf("%s: there is no property: no output, no bad-state literal, no assertion; add one", in.path)
	}
	if which == "all" {
		all := make([]int, len(ps))
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	var named []int
	for i, p := range ps {
		if p.Name == which {
			named = append(named, i)
		}
	}
	if len(named) == 1 {
		return named, nil
	}
	if len(named) > 1 {
		return nil, usagef("%d properties are called %q; give the number instead", len(named), which)
	}
	i, err := strconv.Atoi(which)
	if err != nil || i < 0 || i >= len(ps) {
		return nil, usagef("%s has no property %q; it has %d, numbered from 0", in.path, which, len(ps))
	}
	return []int{i}, nil
}

// subject returns a property of the design as the engines see it.
func (in *input) subject(property int) (*subject.Subject, error) {
	return subject.New(in.file, in.netlist, property)
}

// artefact tells whether a latch was made by a tool, and is none of the
// design's registers.
func (in *input) artefact(latch int) bool {
	return latch < len(in.design.Latches) && in.design.Latches[latch].Artefact
}

// describe tells what a report says of a node.
func (in *input) describe() func(mutant.Target) report.Node {
	gates := in.file.GateLiterals()
	return func(t mutant.Target) report.Node {
		n := report.Node{Kind: "latch", Index: t.Index}
		origins := in.design.Latches
		if t.Gate {
			n.Kind, n.Literal, origins = "gate", gates[t.Index], in.design.Gates
		} else {
			n.Literal, n.Name = in.file.Latches[t.Index].Lit, in.netlist.Latches[t.Index].Name
		}
		if t.Index >= len(origins) || origins[t.Index] == (design.Origin{}) {
			if o := yosysmap.ParseSymbol(n.Name); n.Name != "" {
				n.Register, n.Instance = o.Register, o.Instance
			}
			return n
		}
		o := origins[t.Index]
		if o.Register != "" {
			n.Name = yosysmap.Name(o)
		}
		n.Register, n.Instance, n.Module, n.File, n.Line, n.Inverted = o.Register, o.Instance, o.Module, o.File, o.Line, o.Inverted
		return n
	}
}
