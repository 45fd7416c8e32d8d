package sby

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"netcov/frontend/design"
	"netcov/frontend/verilog"
	"netcov/frontend/vhdl"
)

// Load reads a task of a project into a design; task "" stands for the only task, or the
// only one that is marked as the default. Options of the Verilog front end that are
// set add to what the project says. Errors are *Error, *verilog.Error, or those of
// reading files and of the context.
func Load(ctx context.Context, path string, text []byte, task string, o verilog.Options) (*design.Design, error) {
	named := o.Top != ""
	o, s, err := options(path, text, task, o)
	if err != nil {
		return nil, err
	}
	load := verilog.Load
	if len(s.vhdl) > 0 {
		load = func(ctx context.Context, o verilog.Options) (*design.Design, error) { return vhdl.Load(ctx, s.vhdl, o) }
	}
	d, err := load(ctx, o)
	var wrong *verilog.Error
	if errors.As(err, &wrong) && wrong.Option == "Top" && !named && s.top.no > 0 {
		return nil, s.p.refuse(s.top, "name a module of the files that it reads", "the top module %s is in no file of the script", s.top.text)
	}
	if wrong != nil && wrong.Option == verilog.FormalOption {
		return nil, s.p.refuse(s.changed, wrong.Cure, "%s", wrong.What)
	}
	if err != nil {
		return nil, err
	}
	d.File = path
	d.SHA256 = sum(append([][]byte{text}, s.p.read...), d.SHA256)
	d.Notes = append(s.notes(), d.Notes...)
	return d, nil
}

// sum is the hash of the project's bytes and of what its blocks of Python read, followed
// by the hash of all files that it reads, in hexadecimal.
func sum(texts [][]byte, files string) string {
	h := sha256.New()
	for _, text := range texts {
		h.Write(text)
	}
	h.Write([]byte(files))
	return hex.EncodeToString(h.Sum(nil))
}

// options returns those of the Verilog front end for a task, and its script.
func options(path string, text []byte, task string, o verilog.Options) (verilog.Options, *script, error) {
	p, err := parse(path, string(text), task)
	if err != nil {
		return o, nil, err
	}
	f, err := newFolder(p)
	if err != nil {
		return o, nil, err
	}
	s := &script{p: p, folder: f, include: slices.Clone(o.Include)}
	if err := s.run(p.script); err != nil {
		return o, nil, err
	}
	switch {
	case len(s.files) == 0 && len(s.vhdl) == 0:
		return o, nil, p.refuse(line{}, "write read -formal FILE into [script]", "the script reads no file")
	case len(s.files) > 0 && len(s.vhdl) > 0:
		return o, nil, p.refuse(line{}, "give the two to netcov by themselves", "the script reads Verilog and VHDL, one design of both")
	case len(o.Files) > 0 || o.List != "":
		return o, nil, p.refuse(line{}, "list it in [files], and read it in [script]", "a project comes with a further file")
	}
	o.Multiclock = o.Multiclock || s.clocks || p.multiclock()
	o.EarlyAssumes, o.Formal = s.early, s.formal
	if s.early && o.Multiclock && len(s.formal) > 0 {
		return o, nil, p.refuse(s.changed, "leave chformal -early out", "the script changes properties, and has some hold early, with several clocks")
	}
	if len(s.files) > 0 {
		o.Files, o.Reads, o.Folder, o.Include = s.files, s.reads, f, s.include
	}
	if o.Top == "" {
		o.Top = s.top.text
	}
	o.Params = append(slices.Clone(s.params), o.Params...)
	return o, s, nil
}

// notes tell what of the project is not used.
func (s *script) notes() []string {
	p := s.p
	notes := []string{"SymbiYosys project: its engines and its depth are not used"}
	if p.task != "" {
		notes[0] = fmt.Sprintf("SymbiYosys project, task %s: its engines and its depth are not used", p.task)
	}
	switch mode := p.options["mode"].text; mode {
	case "bmc", "prove":
	default:
		notes = append(notes, fmt.Sprintf("the project's mode %s is not used: the assertions are what counts", mode))
	}
	if p.options["assume_early"].text == "off" && !p.multiclock() {
		notes = append(notes, "assume_early off is not taken: an assumption in a clocked block excludes a run in the very step that breaks it, also for assertions outside of clocked blocks")
	}
	if len(s.formal) > 0 {
		notes = append(notes, "properties are changed as the script says: "+strings.Join(s.formal, "; "))
	}
	if p.options["skip_prep"].text == "on" {
		s.left = once(s.left, "skip_prep")
	}
	if len(s.left) > 0 {
		notes = append(notes, "the front end's own flow stands in the place of the script's "+strings.Join(s.left, ", "))
	}
	if len(s.ignored) > 0 {
		notes = append(notes, "not run, since they write files: "+strings.Join(s.ignored, ", "))
	}
	return notes
}
