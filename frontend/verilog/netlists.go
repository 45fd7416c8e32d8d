// Netlists that yosys wrote or reads: its own text format RTLIL, its JSON, and BLIF. They
// come instead of sources, and go the same way: through yosys in its folder, with the
// same inventory. Places are those that the netlist gives.

package verilog

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"netcov/frontend/design"
	"netcov/frontend/verilog/preprocess"
)

// Netlist is a design in another form than Verilog.
type Netlist struct {
	Form string // "rtlil", "json" or "blif"
	Data []byte
	Sum  string // SHA-256 of the file
}

// Written is Verilog that another program wrote, without directives. Names of nets that
// begin with sva.Prefix are those of checkers.
type Written struct {
	Format string // the language of the files
	Texts  []preprocess.Text
	Sum    string // SHA-256 of the files
	Notes  []string
}

// netlistFile is the netlist's name in the folder in which yosys runs.
const netlistFile = "netcov.netlist"

// takeNetlist is takeSources for the netlist of a file of that name.
func takeNetlist(n *Netlist, file string) *sources {
	return &sources{
		netlist:  file,
		lines:    map[string][]string{},
		memories: []memoryFile{{name: netlistFile, data: n.Data}},
		sum:      n.Sum,
		command: "read_" + n.Form + " " + netlistFile + "\n" +
			"setattr -unset yreg -unset " + temporaryAttribute + " w:*\n" + // they are netcov's own
			"techmap -map ../coarse.v " + strings.Join(fineCells(), " "),
	}
}

// fineCells selects the flip-flops and latches of one bit that technology mapping makes.
func fineCells() []string {
	var list []string
	for _, f := range fineFamilies {
		list = append(list, "t:$_"+f.name+"_*")
	}
	return list
}

// fineFamilies are the families of these cells. The letters after the name say, for
// each of the controls in turn, at which level it acts; v is a reset value.
var fineFamilies = []struct {
	name, controls, cell string
}{
	{"DFF", "c", "dff"},
	{"DFF", "crv", "adff"},
	{"DFFE", "ce", "dffe"},
	{"DFFE", "crve", "adffe"},
	{"SDFF", "cyw", "sdff"},
	{"SDFFE", "cywe", "sdffe"},
	{"SDFFCE", "cywe", "sdffce"},
	{"DFFSR", "cst", "dffsr"},
	{"DFFSRE", "cste", "dffsre"},
	{"ALDFF", "cl", "aldff"},
	{"ALDFFE", "cle", "aldffe"},
	{"DLATCH", "e", "dlatch"},
	{"DLATCH", "erv", "adlatch"},
	{"DLATCHSR", "est", "dlatchsr"},
	{"SR", "st", "sr"},
	{"FF", "", "ff"},
}

// controls are the pins of the cell of one bit and of the wide cell, and the parameter.
var controls = map[byte][3]string{
	'c': {"C", "CLK", "CLK_POLARITY"}, 'r': {"R", "ARST", "ARST_POLARITY"}, 'v': {"", "", "ARST_VALUE"}, 'e': {"E", "EN", "EN_POLARITY"},
	'y': {"R", "SRST", "SRST_POLARITY"}, 'w': {"", "", "SRST_VALUE"}, 's': {"S", "SET", "SET_POLARITY"}, 't': {"R", "CLR", "CLR_POLARITY"},
	'l': {"L", "ALOAD", "ALOAD_POLARITY"},
}

// coarseMap is a technology map from the cells of one bit to wide ones of width 1, as
// the sources of Verilog become, so that there is one kind to look at.
func coarseMap() string {
	var b strings.Builder
	for _, f := range fineFamilies {
		for code := range 1 << len(f.controls) {
			letters, ports, parameters, pins := "", []string{"Q"}, []string{".WIDTH(1)"}, []string{".Q(Q)"}
			if f.cell != "sr" {
				ports, pins = append(ports, "D"), append(pins, ".D(D)")
			}
			if f.controls != "" && f.controls[len(f.controls)-1] == 'l' || strings.HasPrefix(f.cell, "aldff") {
				ports, pins = append(ports, "AD"), append(pins, ".AD(AD)")
			}
			for i := range len(f.controls) {
				set := code>>i&1 == 1
				c := controls[f.controls[i]]
				letters += map[bool]string{true: "P", false: "N"}[set]
				if c[0] == "" {
					letters = letters[:len(letters)-1] + map[bool]string{true: "1", false: "0"}[set]
				} else {
					ports, pins = append(ports, c[0]), append(pins, fmt.Sprintf(".%s(%s)", c[1], c[0]))
				}
				parameters = append(parameters, fmt.Sprintf(".%s(1'b%d)", c[2], btoi(set)))
			}
			kind := "$_" + f.name + "_"
			if letters != "" {
				kind += letters + "_"
			}
			fmt.Fprintf(&b, "(* techmap_celltype = \"%s\" *)\nmodule netcov_%s_%s (%s);\n  output Q;\n  input %s;\n  \\$%s #(%s) _TECHMAP_REPLACE_ (%s);\nendmodule\n",
				kind, f.cell, letters, strings.Join(ports, ", "), strings.Join(ports[1:], ", "), f.cell, strings.Join(parameters, ", "), strings.Join(pins, ", "))
		}
	}
	return b.String()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

var bitOfName = regexp.MustCompile(`^(.+)\[(\d+)\]$`)

// splitNames makes bits of registers of nets with an index in their name, as BLIF and
// netlists after technology mapping have them.
func (b *builder) splitNames() {
	for i := range b.d.Latches {
		o := &b.d.Latches[i]
		if m := bitOfName.FindStringSubmatch(o.Register); m != nil && o.Bit < 0 {
			o.Register = m[1]
			o.Bit, _ = strconv.Atoi(m[2])
		}
	}
}

// OutputsAsProperties is the note for BLIF, which has no assertions.
const OutputsAsProperties = "the netlist has no assertions: each output is a property, whose value 1 is bad"

// outputsAsProperties does as AIGER does for files without bad-state literals.
func (b *builder) outputsAsProperties() {
	b.n.Outputs, b.d.Outputs = b.outputs, nil
	for _, s := range b.outputs {
		b.d.Properties = append(b.d.Properties, design.Origin{Register: s.Name, Bit: -1, Instance: b.h.top, Module: b.h.modules[""]})
	}
	b.note(OutputsAsProperties)
}
