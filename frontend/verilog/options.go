package verilog

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"netcov/frontend/verilog/preprocess"
)

// Options says what to read and how. Only Files (or List) is required.
type Options struct {
	Files    []string // Verilog and SystemVerilog sources
	List     string   // file that lists sources, +incdir+ and +define+ entries
	Include  []string // directories for `include
	Defines  []string // NAME or NAME=VALUE
	Undefine []string // of the macros that are defined before: YOSYS, FORMAL
	Top      string   // top module; "" lets yosys find it
	// Reads has, by position, what a file has of its own; it may be shorter than Files.
	Reads []Reading
	// Netlist is read in the place of Files, which then only name it.
	Netlist *Netlist
	// Written is what a program made of Files, which are in another language.
	Written *Written
	// Folder is that of a project: names in sources lead to its files. nil: the disk.
	Folder preprocess.Folder
	Params []string // parameters of the top module: NAME=VALUE, an integer or a sized constant such as 8'h1f

	// Reset names an input of one bit that is active in the first ResetCycles
	// steps and never again; the state after these steps is the initial state.
	// A leading "!" makes it active low. ResetCycles 0 stands for 1.
	Reset       string
	ResetCycles int

	// Covers asks for the cover statements in the place of the assertions: a
	// bad-state literal is true in the steps that reach one.
	Covers bool

	// Multiclock makes each step a moment at which any clock may change, for several
	// clocks, edges of both kinds, gated and divided clocks (sampling.go).
	Multiclock bool
	// EarlyAssumes has assumptions of clocked blocks hold in each step of Multiclock,
	// not at the edges alone, as a project may ask.
	EarlyAssumes bool

	// Formal has commands of yosys that change properties (chformal), run before anything
	// is counted. A selection of theirs must match something.
	Formal []string

	MemoryBits int           // limit on the bits of one memory; 0 is 16384
	Time       time.Duration // of all of yosys' work, and of ghdl's; 0 is 10 minutes
	Memory     int64         // that such a program may need, in bytes; 0 is half of the machine's
	Yosys      string        // program to run; "" is that of NETCOV_YOSYS, yosys on the PATH, or that of `make tools`
	Frontend   string        // parser of the sources; "" is FrontendAuto

	LibDirs  []string // folders in which a module that is missing is looked for, by its name
	LibFiles []string // files that are read where they have a module that is missing
	LibExts  []string // ends of the names in LibDirs; nil: .v and .sv

	lists int  // lists that were read
	named bool // Yosys was given
}

// Reading is how one file is read: what a read command of a project says of it.
type Reading struct {
	Define   []string // macros from this file on, NAME or NAME=VALUE
	Undefine []string // from this file on
	Local    []string // macros of this file alone
	// Design tells that the file is not read for formal verification: it sees the
	// macro SYNTHESIS in the place of FORMAL.
	Design bool
	// Old tells that the file is Verilog, whose names may be words of SystemVerilog.
	Old   bool
	Flags []string // of yosys' read_verilog
}

// reading returns how a file is read.
func (o Options) reading(file int) Reading {
	if file < len(o.Reads) {
		return o.Reads[file]
	}
	return Reading{}
}

// macros are those of one file as the preprocessor takes them.
func (r Reading) macros() preprocess.Macros {
	m := preprocess.Macros{Define: macroTable(r.Define), Undefine: r.Undefine, Local: macroTable(r.Local)}
	mode := "FORMAL"
	if r.Design {
		mode = "SYNTHESIS"
	}
	m.Local[mode] = "1"
	return m
}

// macroTable splits NAME=VALUE; without a value it is 1.
func macroTable(defines []string) map[string]string {
	table := map[string]string{}
	for _, d := range defines {
		name, value, given := strings.Cut(d, "=")
		if !given {
			value = "1"
		}
		table[name] = value
	}
	return table
}

const (
	defaultMemoryBits = 16384
	defaultTime       = 10 * time.Minute
)

// resolved returns the options with the list file read, defaults set, and all
// that yosys would trip over refused.
func (o Options) resolved() (Options, error) {
	o.Files = append([]string(nil), o.Files...)
	o.Include = append([]string(nil), o.Include...)
	o.Defines = append([]string(nil), o.Defines...)
	if o.List != "" {
		if err := o.readList(o.List, false, 0); err != nil {
			return o, err
		}
	}
	if o.MemoryBits <= 0 {
		o.MemoryBits = defaultMemoryBits
	}
	o = o.Bounded()
	if o.named = o.Yosys != ""; !o.named {
		o.Yosys = findYosys()
	}
	if o.ResetCycles <= 0 {
		o.ResetCycles = 1
	}
	return o, o.check()
}

func (o Options) check() error {
	if len(o.Files) == 0 {
		return &Error{What: "no Verilog file given", Cure: "name at least one"}
	}
	for _, f := range o.Files {
		if o.Netlist != nil || o.Written != nil {
			break
		}
		if o.Folder != nil {
			if _, ok := o.Folder.Text(f); ok {
				continue
			}
		}
		info, err := os.Stat(f)
		if err != nil {
			return err
		}
		if info.IsDir() {
			return &Error{File: f, What: "this is a directory", Cure: "name the files in it"}
		}
	}
	if strings.ContainsAny(o.Top, " \t\r\n\"';#") || strings.HasPrefix(o.Top, "-") {
		return &Error{What: fmt.Sprintf("%q is no name of a top module", o.Top), Cure: "give the module's name", Option: "Top"}
	}
	if len(o.Params) > 0 && o.Top == "" {
		return &Error{What: "a parameter is set of a top module that is not named", Cure: "name the top module", Option: "Top"}
	}
	for _, p := range o.Params {
		if name, value, _ := strings.Cut(p, "="); !macroName.MatchString(name) || !parameterValue.MatchString(value) {
			return &Error{What: fmt.Sprintf("%q sets no parameter", p), Cure: "give NAME=VALUE with an integer or a sized constant such as 8'h1f", Option: "Params"}
		}
	}
	for _, d := range o.Defines {
		if name, _, _ := strings.Cut(d, "="); !macroName.MatchString(name) {
			return &Error{What: fmt.Sprintf("%q is no name of a macro", name), Cure: "define NAME or NAME=VALUE", Option: "Defines"}
		}
	}
	return nil
}

// parameterValue is an integer or a sized constant.
var parameterValue = regexp.MustCompile(`^([0-9]+|[0-9]+'[sS]?[bB][01]+|[0-9]+'[sS]?[dD][0-9]+|[0-9]+'[sS]?[hH][0-9a-fA-F]+)$`)

var macroName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_$]*$`)

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
