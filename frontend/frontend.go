// Package frontend opens what any command is given: a circuit in AIGER, Verilog, SMV
// or BTOR2, a project of SymbiYosys, or a Kripke structure. It is the only way in: the kind of a source
// (kinds.go), the limits of memory, compressed data, standard input, hashes and
// notes are looked after here, for all kinds and all commands alike.
//
// A new language is a package below this one that returns a *design.Design, and a
// row of the table of kinds.
package frontend

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/dustin/go-humanize"

	"netcov/aiger"
	"netcov/frontend/btor2"
	"netcov/frontend/design"
	"netcov/frontend/smv"
	"netcov/frontend/verilog"
	"netcov/internal/memlimit"
	"netcov/internal/plainfile"
)

// Options say how sources are read.
type Options struct {
	// Graph takes the text of a Kripke structure; nil: a circuit is wanted. Then
	// structures are refused, and the netlist of an SMV model is built.
	Graph func(name string, text []byte) error
	// Lenient is aiger.Options.Lenient.
	Lenient bool
	// Names is a file of names that yosys wrote beside an AIGER file; "": none.
	Names string
	// Verilog has yosys' settings; its Files are set to the paths. MemoryBits
	// bounds the memories of other languages, too.
	Verilog verilog.Options
	// Abstract says when memories of BTOR2 are taken by word: see design.Abstraction.
	Abstract btor2.Abstract
	// Memory is the limit of memory in bytes; 0: none.
	Memory int64
}

// Source is an opened source: a Design or a Program; neither, where Options.Graph has it.
type Source struct {
	Path string // "-" is standard input
	// Copy is a file with the bytes of an AIGER source; "": that is Path.
	Copy string
	Kind string // its name in the table of kinds

	// Design is a circuit's. For an SMV model it is there when a circuit was wanted.
	Design *design.Design
	// File is the circuit as an AIGER file, whose nodes have the positions of the
	// netlist's: what was read, or, when a circuit was wanted, what the netlist says.
	File *aiger.File
	// Mapped tells that Options.Names gave names.
	Mapped bool

	// Program is an SMV model, and MaxGates how many gates its netlist may have, 0 for
	// the reader's own limit.
	Program  *smv.Program
	MaxGates int
}

// MemoryError is the refusal of a source that does not fit into the memory limit.
type MemoryError struct{ Bytes int64 }

// Error names the limit.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("reading the design takes more than %s; raise the limit", humanize.IBytes(uint64(e.Bytes)))
}

// tidyTime is how long an interrupted run waits for the end of yosys. It is killed
// at once; a signal is to be answered within half a second.
const tidyTime = 400 * time.Millisecond

// Open reads a source from one file, or a circuit from several Verilog files (or
// the list of them in the options), or from a project and the name of its task. It returns when ctx ends, though a reader of
// standard input may be left waiting; the error is then the cause, or MemoryError
// for the memory limit of the options.
func Open(ctx context.Context, paths []string, opt Options) (*Source, error) {
	type outcome struct {
		source *Source
		err    error
	}
	ctx, end := memlimit.Watch(ctx, opt.reading())
	defer end()
	done := make(chan outcome, 1)
	go func() {
		s, err := open(ctx, paths, opt)
		done <- outcome{s, err}
	}()
	select {
	case o := <-done:
		return o.source, o.err
	case <-ctx.Done():
	}
	if needYosys(paths, opt.Verilog.List) {
		select {
		case <-done:
		case <-time.After(tidyTime):
		}
	}
	if memlimit.Exceeded(ctx) {
		return nil, &MemoryError{opt.reading()}
	}
	return nil, context.Cause(ctx)
}

// input is what a row of the table reads.
type input struct {
	path  string   // of the first file
	paths []string // all, for languages of several files
	name  string   // in messages
	kind  string   // its name in the table
	r     *reader  // of a language of one file
}

// reader knows how much is left, where that is known, so that it can be read with
// one allocation.
type reader struct {
	*bufio.Reader
	size int64
}

// Len returns the size, 0 where it is not known.
func (r *reader) Len() int { return int(r.size) }

func open(ctx context.Context, paths []string, opt Options) (*Source, error) {
	for _, p := range []string{opt.Names, opt.Verilog.List} {
		if err := plainfile.CheckText(p); err != nil {
			return nil, err
		}
	}
	in := &input{paths: paths}
	if len(paths) > 0 {
		in.path, in.name = paths[0], paths[0]
	}
	var k *kind
	if AreVerilog(paths, opt.Verilog.List) {
		k = kindNamed("verilog")
		for _, p := range paths {
			if err := plainfile.CheckText(p); err != nil {
				return nil, err
			}
		}
	} else {
		file, err := in.start()
		if err != nil {
			return nil, err
		}
		defer file.Close()
		if k, err = kindOf(in, opt.Graph == nil); err != nil {
			return nil, err
		}
	}
	if opt.Names != "" && k.name != "aiger" {
		return nil, errors.New(in.name + ": a file of names goes with an AIGER file")
	}
	in.kind = k.name
	s, err := k.open(ctx, in, opt)
	if err != nil {
		return nil, err
	}
	s.Kind, s.Path = k.name, in.path
	if s.Path == "" {
		s.Path = s.Design.File
	}
	if opt.Graph == nil && s.File == nil {
		s.write()
	}
	return s, nil
}

// write makes the AIGER file of a circuit's netlist.
func (s *Source) write() {
	if len(s.Design.Netlist.Gates) == 0 {
		s.Design.Netlist.ListGates()
	}
	s.File = s.Design.Netlist.ToAIGER()
	s.File.SHA256 = s.Design.SHA256
}

// Refine returns the source with a finer abstraction: see design.Abstraction.
func (s *Source) Refine() (*Source, error) {
	d, err := s.Design.Abstraction.Refine()
	if err != nil {
		return nil, err
	}
	finer := *s
	finer.Design = d
	finer.write()
	return &finer, nil
}

// start opens the one file of the input.
func (in *input) start() (*os.File, error) {
	file := os.Stdin
	if in.path == "-" {
		in.name = "standard input"
	} else {
		if err := plainfile.Check(in.path); err != nil {
			return nil, err
		}
		var err error
		if file, err = os.Open(in.path); err != nil {
			return nil, err
		}
	}
	in.r = &reader{Reader: bufio.NewReaderSize(file, headSize)}
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		in.r.size = info.Size()
	}
	return file, nil
}

// Raw returns the bytes of an AIGER file, nil where they cannot be had again: of
// standard input or a pipe. Whether they are still the same the hash tells.
func (s *Source) Raw() []byte {
	path := cmp.Or(s.Copy, s.Path)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || s.Kind != "aiger" {
		return nil
	}
	data, _ := os.ReadFile(path)
	return data
}
