package frontend

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"

	"netcov/aiger"
	"netcov/frontend/btor2"
	"netcov/frontend/design"
	"netcov/frontend/sby"
	"netcov/frontend/smv"
	"netcov/frontend/verilog"
	"netcov/frontend/vhdl"
	"netcov/frontend/yosysmap"
	"netcov/internal/plainfile"
	"netcov/internal/slurp"
	"netcov/netlist"
)

// What the rows of the table of kinds open.

func openAIGER(_ context.Context, in *input, opt Options) (*Source, error) {
	f, err := aiger.Read(in.r, in.name, aiger.Options{Lenient: opt.Lenient, MaxBytes: opt.bytes()})
	if err != nil {
		return nil, err
	}
	s := &Source{File: f, Design: &design.Design{File: in.path, SHA256: f.SHA256, Format: "aiger", Netlist: netlist.FromAIGER(f)}}
	if opt.Names == "" {
		return s, nil
	}
	m, err := yosysmap.ReadFile(opt.Names)
	if err != nil {
		return nil, err
	}
	s.Mapped = true
	return s, m.Apply(s.Design, f)
}

func openVerilog(ctx context.Context, in *input, opt Options) (*Source, error) {
	o := opt.Verilog
	o.Files = in.paths
	for _, p := range o.Files {
		if strings.HasSuffix(strings.ToLower(p), ".gz") {
			return nil, fmt.Errorf("%s: compressed Verilog is not read; unpack it", p)
		}
	}
	d, err := verilog.Load(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Source{Design: d}, nil
}

// netcovReport is how the JSON report of a run begins.
var netcovReport = regexp.MustCompile(`^\s*\{\s*"schema": *"netcov/`)

// openNetlist opens a netlist that yosys reads; the kind is told by the name, or by the
// content.
func openNetlist(ctx context.Context, in *input, opt Options) (*Source, error) {
	text, sum, err := in.text(opt)
	if err != nil {
		return nil, err
	}
	if in.kind == "json" && netcovReport.Match(text[:min(len(text), 100)]) {
		return nil, fmt.Errorf("%s: this is a report of netcov and no design; netcov report and netcov diff read it", in.path)
	}
	o := opt.Verilog
	o.Files, o.Netlist = in.paths, &verilog.Netlist{Form: in.kind, Data: text, Sum: sum}
	d, err := verilog.Load(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Source{Design: d}, nil
}

func openVHDL(ctx context.Context, in *input, opt Options) (*Source, error) {
	d, err := vhdl.Load(ctx, in.paths, opt.Verilog)
	if err != nil {
		return nil, err
	}
	return &Source{Design: d}, nil
}

func openSBY(ctx context.Context, in *input, opt Options) (*Source, error) {
	text, _, err := in.text(opt)
	if err != nil {
		return nil, err
	}
	task := ""
	if len(in.paths) > 1 {
		task = in.paths[1]
	}
	d, err := sby.Load(ctx, in.path, text, task, opt.Verilog)
	if err != nil {
		return nil, err
	}
	return &Source{Design: d}, nil
}

func openSMV(_ context.Context, in *input, opt Options) (*Source, error) {
	text, sum, err := in.text(opt)
	if err != nil {
		return nil, err
	}
	p, err := smv.Parse(in.name, text)
	if err != nil || opt.Graph != nil {
		return &Source{Program: p, MaxGates: opt.gates()}, err
	}
	n, err := p.Compile(smv.Options{MaxGates: opt.gates()})
	if err != nil {
		return nil, err
	}
	n.Design.SHA256 = sum
	return &Source{Program: p, Design: n.Design}, nil
}

func openBTOR2(_ context.Context, in *input, opt Options) (*Source, error) {
	text, sum, err := in.text(opt)
	if err != nil {
		return nil, err
	}
	m, err := btor2.Read(bytes.NewReader(text), in.name, btor2.Options{MaxGates: opt.gates(), MemoryBits: opt.Verilog.MemoryBits, Abstract: opt.Abstract})
	if err != nil {
		return nil, err
	}
	m.Design.SHA256 = sum
	return &Source{Design: m.Design}, nil
}

func openGraph(_ context.Context, in *input, opt Options) (*Source, error) {
	text, _, err := in.text(opt)
	if err != nil {
		return nil, err
	}
	return &Source{}, opt.Graph(in.name, text)
}

// text reads an input of text, compressed or not, and the hash of the bytes.
func (in *input) text(opt Options) (text []byte, sum string, err error) {
	if err := plainfile.CheckText(in.path); err != nil {
		return nil, "", err
	}
	most := int64(plainfile.MaxText)
	if b := opt.bytes(); b > 0 {
		most = min(most, b)
	}
	return slurp.All(in.r, in.name, most, "")
}

// leastReading is what is read whatever the memory limit.
const leastReading = 64 << 20

// bytes is how large a source may be, 0 without a memory limit: reading takes some
// times that.
func (o Options) bytes() int64 {
	if o.Memory == 0 {
		return 0
	}
	return max(o.Memory/4, leastReading)
}

// reading is the memory that reading may take, 0 without a limit.
func (o Options) reading() int64 {
	if o.Memory == 0 {
		return 0
	}
	return max(o.Memory, leastReading)
}

// gateBytes is about what a gate takes until the engines begin.
const gateBytes = 500

// gates is how many gates the netlist of a design in words may have, 0 for the
// reader's own limit.
func (o Options) gates() int {
	if o.Memory == 0 {
		return 0
	}
	return int(min(10_000_000, max(100_000, o.Memory/gateBytes)))
}
