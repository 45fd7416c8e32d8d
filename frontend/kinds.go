package frontend

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// kind is a row of the table: one form of sources.
type kind struct {
	name  string // Source.Kind
	title string // as messages call it
	// extensions are the ends of names, each with or without a further .gz. Any
	// other name leaves it to the content.
	extensions []string
	// sniff reports whether a content begins as this kind does; nil: only the name
	// tells.
	sniff func(head []byte) bool
	open  func(ctx context.Context, in *input, opt Options) (*Source, error)
	// graph: it is a Kripke structure, no circuit.
	graph bool
}

var kinds = []kind{
	{"aiger", "AIGER", []string{".aag", ".aig"}, starts(`\x{FEFF}?a[ai]g `), openAIGER, false},
	{"verilog", "Verilog", []string{".v", ".sv", ".vh", ".svh"}, nil, openVerilog, false},
	{"sby", "SymbiYosys projects", []string{".sby"}, nil, openSBY, false},
	{"vhdl", "VHDL", []string{".vhd", ".vhdl"}, nil, openVHDL, false},
	{"rtlil", "RTLIL", []string{".il", ".rtlil"}, starts(`(\s|#.*\n)*(?:autoidx|attribute \\|module \\)`), openNetlist, false},
	{"json", "yosys JSON", []string{".json"}, nil, openNetlist, false},
	{"blif", "BLIF", []string{".blif"}, starts(`(\s|#.*\n)*\.model\b`), openNetlist, false},
	{"smv", "SMV", []string{".smv", ".xmv"}, starts(`(\s|--.*\n|/--(?s:.*?)--/)*MODULE\b`), openSMV, false},
	{"btor2", "BTOR2", []string{".btor", ".btor2"}, starts(`(\s|;.*\n)*\d+ +sort +(?:bitvec|array)\b`), openBTOR2, false},
	{"hoa", "HOA", []string{".hoa"}, starts(`\s*HOA:`), openGraph, true},
	{"text", "Kripke structures", []string{".kripke"}, starts(`(\s|#.*\n)*(?:structure|ap|init|state|fair)\b`), openGraph, true},
}

// starts returns a function that matches the beginning of a content.
func starts(pattern string) func([]byte) bool {
	return regexp.MustCompile(`\A(?:` + pattern + `)`).Match
}

// headSize is how much of a content is looked at.
const headSize = 1 << 14

func kindNamed(name string) *kind {
	return &kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })]
}

// ByName returns the kind that the end of a file's name tells, or "".
func ByName(path string) string {
	if k := byName(path); k != nil {
		return k.name
	}
	return ""
}

func byName(path string) *kind {
	ext := filepath.Ext(strings.TrimSuffix(strings.ToLower(path), ".gz"))
	for i := range kinds {
		if slices.Contains(kinds[i].extensions, ext) {
			return &kinds[i]
		}
	}
	return nil
}

// AreVerilog reports whether files, or a list of files, are read as Verilog: it is
// the only language of several files.
func AreVerilog(paths []string, list string) bool {
	return !IsProject(paths) && !AreVHDL(paths) && (list != "" || len(paths) != 1 || ByName(paths[0]) == "verilog")
}

// AreVHDL reports whether files are all VHDL.
func AreVHDL(paths []string) bool {
	return len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool { return ByName(p) != "vhdl" })
}

// IsProject reports whether paths are a project and, perhaps, the name of a task.
func IsProject(paths []string) bool {
	return len(paths) > 0 && len(paths) <= 2 && ByName(paths[0]) == "sby"
}

// netlists are the kinds that yosys wrote or reads.
var netlists = []string{"rtlil", "json", "blif"}

// IsNetlist reports whether a file is, by its name, a netlist that yosys reads.
func IsNetlist(path string) bool { return slices.Contains(netlists, ByName(path)) }

// needYosys reports whether yosys runs to read them.
func needYosys(paths []string, list string) bool {
	return AreVerilog(paths, list) || IsProject(paths) || AreVHDL(paths) || len(paths) == 1 && IsNetlist(paths[0])
}

// kindOf tells the kind of an input by its name, else by its content.
func kindOf(in *input, circuit bool) (*kind, error) {
	k := byName(in.path)
	if k == nil {
		head := in.head()
		for i := range kinds {
			if s := kinds[i].sniff; s != nil && s(head) {
				k = &kinds[i]
				break
			}
		}
	}
	switch {
	case k == nil:
		return nil, fmt.Errorf("%s: unknown kind of file%s; netcov reads %s", in.name, extension(in.path), readable(circuit))
	case k.graph && circuit:
		return nil, fmt.Errorf("%s: this is a Kripke structure; give a circuit: %s", in.name, readable(circuit))
	}
	return k, nil
}

// extension is the end of a name for the message, " .il", or "".
func extension(path string) string {
	if ext := filepath.Ext(strings.TrimSuffix(path, ".gz")); ext != "" && len(ext) < 20 {
		return " " + ext
	}
	return ""
}

// readable lists the kinds with their extensions.
func readable(circuit bool) string {
	var out []string
	for _, k := range kinds {
		if !circuit || !k.graph {
			out = append(out, fmt.Sprintf("%s (%s)", k.title, strings.Join(k.extensions, ", ")))
		}
	}
	last := len(out) - 1
	return strings.Join(out[:last], ", ") + " and " + out[last]
}

// head returns the beginning of the content, unpacked.
func (in *input) head() []byte {
	head, _ := in.r.Peek(headSize) // an error comes again from the reader
	z, err := gzip.NewReader(bytes.NewReader(head))
	if err != nil {
		return head
	}
	out := make([]byte, headSize)
	n, _ := io.ReadFull(bufio.NewReader(z), out)
	return out[:n]
}
