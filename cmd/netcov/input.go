package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/coverage/campaign"
	"netcov/frontend"
	"netcov/frontend/btor2"
	"netcov/frontend/verilog"
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
	limits  readLimits
	// abstract says when arrays of BTOR2 are taken by word.
	abstract btor2.Abstract
}

func (f *netlistFlags) add(fs *pflag.FlagSet) {
	f.inputFlags.add(fs)
	fs.StringVar(&f.mapFile, "map", "", "AIGER: file of names that yosys wrote beside it (default none)")
	fs.StringArrayVarP(&f.verilog.Include, "include", "I", nil, "Verilog: directory for `include files; may be repeated (default none)")
	fs.StringArrayVarP(&f.verilog.Defines, "define", "D", nil, "Verilog: macro, NAME or NAME=VALUE; may be repeated (default none)")
	fs.StringArrayVarP(&f.verilog.Undefine, "undefine", "U", nil, "Verilog: macro that is not defined, of YOSYS and FORMAL, which else are; may be repeated (default none)")
	fs.StringVar(&f.verilog.Top, "top", "", "Verilog: top module (default: found)")
	fs.StringArrayVarP(&f.verilog.Params, "parameter", "P", nil, "Verilog: parameter of the top module, NAME=VALUE; may be repeated (default none)")
	fs.StringVarP(&f.verilog.List, "file-list", "f", "", "Verilog: list of sources, as simulators read it (default none)")
	fs.StringArrayVarP(&f.verilog.LibDirs, "libdir", "y", nil, "Verilog: folder in which missing modules are looked for by name; may be repeated (default none)")
	fs.StringArrayVar(&f.verilog.LibFiles, "libfile", nil, "Verilog: file that is read where it has a missing module; may be repeated (default none)")
	fs.StringArrayVar(&f.verilog.LibExts, "libext", nil, "Verilog: end of the names in --libdir; may be repeated (default .v and .sv)")
	fs.StringVar(&f.verilog.Reset, "reset", "", "Verilog: reset input, active in the first steps; !NAME is active low (default none)")
	fs.IntVar(&f.verilog.ResetCycles, "reset-cycles", 1, "Verilog: steps in which --reset is active")
	fs.BoolVar(&f.verilog.Multiclock, "multiclock", false, "Verilog: several clocks: any clock may change in a step; for both edges, gated and divided clocks, too (default false; a SymbiYosys project says it)")
	fs.IntVar(&f.verilog.MemoryBits, "memory-bits", 0, "Verilog, BTOR2: largest memory that becomes registers, in bits (default 16384 for Verilog, 131072 for BTOR2; check and cover take larger arrays of BTOR2 by word, check by default those above 4096)")
	fs.StringVar(&f.verilog.Yosys, "yosys", "", "Verilog: the yosys program (default: NETCOV_YOSYS, yosys on the PATH, that of make tools)")
	fs.StringVar(&f.verilog.Frontend, "frontend", verilog.FrontendAuto, "Verilog: parser of the sources, yosys (its own) or slang; auto takes slang where the sources need it")
	f.limits.add(fs)
	fs.BoolVar(&f.script, "show-script", false, "Verilog: print the script that yosys is given, and end (default false)")
	f.given = fs.Changed
}

// sourceFlags mean something for sources in Verilog only, and yosysFlags for all that
// yosys reads.
var (
	sourceFlags = []string{"include", "define", "undefine", "parameter", "frontend", "libdir", "libfile", "libext"}
	yosysFlags  = []string{"covers", "top", "reset", "reset-cycles", "multiclock", "yosys", "read-time", "read-memory"}
)

// misplaced returns a flag of a list that was given, "" when there is none.
func (f *netlistFlags) misplaced(flags []string) string {
	if i := slices.IndexFunc(flags, f.given); i >= 0 {
		return flags[i]
	}
	return ""
}

const designHelp = `FILE is an AIGER file (.aag, .aig), Verilog (.v, .sv; several files; needs yosys),
a SymbiYosys project (.sby) with the name of a TASK if it has several, VHDL with PSL
(.vhd, .vhdl; several files; needs ghdl and yosys), a netlist of
yosys (.il, .rtlil, .json) or BLIF (.blif), SMV (.smv, .xmv) or BTOR2 (.btor,
.btor2); all but sources and projects also compressed (.gz), and from standard input
(-).`

// read reads a design from one file, or from several Verilog files. It returns
// when ctx ends.
func (f *netlistFlags) read(ctx context.Context, paths []string) (*campaign.Design, error) {
	if err := f.check(paths); err != nil {
		return nil, err
	}
	if err := f.limits.set(&f.verilog, f.memory); err != nil {
		return nil, err
	}
	src, err := frontend.Open(ctx, paths, frontend.Options{
		Lenient: f.lenient, Names: f.mapFile, Verilog: f.verilog, Abstract: f.abstract, Memory: f.memory,
	})
	if stopped := interrupted(ctx); err != nil && stopped != nil {
		return nil, stopped
	}
	if err != nil {
		return nil, err
	}
	return campaign.New(src), nil
}

// check refuses files and flags that do not go together.
func (f *netlistFlags) check(paths []string) error {
	project := frontend.IsProject(paths)
	for _, p := range paths {
		if k := frontend.ByName(p); len(paths) > 1 && k != "" && k != "verilog" && !project && !frontend.AreVHDL(paths) {
			return usagef("%s is no Verilog: give one file, or Verilog files only", p)
		}
	}
	kind := "verilog"
	if !frontend.AreVerilog(paths, f.verilog.List) && !project {
		kind = frontend.ByName(paths[0]) // "" where the content tells
	}
	if project && f.verilog.List != "" {
		return usagef("-f does not go with a SymbiYosys project: list the files in its [files]")
	}
	if f.mapFile != "" && kind != "aiger" && kind != "" {
		return usagef("--map goes with an AIGER file")
	}
	netlist := len(paths) == 1 && frontend.IsNetlist(paths[0]) || frontend.AreVHDL(paths)
	if flag := f.misplaced(sourceFlags); flag != "" && kind != "verilog" && !(flag == "parameter" && kind == "vhdl") {
		return usagef("--%s goes with Verilog", flag)
	}
	if flag := f.misplaced(yosysFlags); flag != "" && kind != "verilog" && !netlist {
		return usagef("--%s goes with Verilog", flag)
	}
	if f.given("memory-bits") && kind != "verilog" && kind != "btor2" && kind != "" && !netlist {
		return usagef("--memory-bits goes with Verilog and BTOR2")
	}
	if f.given("reset-cycles") && f.verilog.ResetCycles < 1 {
		return usagef("--reset-cycles %d: give 1 or more", f.verilog.ResetCycles)
	}
	if f.verilog.Frontend != "" && !slices.Contains(verilog.Frontends, f.verilog.Frontend) {
		return usagef("--frontend %q: it is %s", f.verilog.Frontend, strings.Join(verilog.Frontends, ", "))
	}
	if f.given("memory-bits") && f.verilog.MemoryBits < 1 {
		return usagef("--memory-bits %d: give 1 or more", f.verilog.MemoryBits)
	}
	return nil
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

// sameFile reports whether two outputs would be written to one file, or two
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
	if frontend.IsProject(paths) {
		return usagef("--show-script goes with Verilog: the script of %s stands there", paths[0])
	}
	o := f.verilog
	o.Files = paths
	text, err := verilog.Script(o)
	if err != nil {
		return err
	}
	_, err = io.WriteString(c.OutOrStdout(), text)
	return err
}
