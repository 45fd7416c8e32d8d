package verilog

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"

	"netcov/frontend/design"
	"netcov/internal/scratch"
)

// scratchPrefix starts the name of the folder in which yosys works.
const scratchPrefix = "netcov-yosys-"

// Load reads Verilog sources into a design. Its errors are *Error, or those of
// reading files and of the context.
func Load(ctx context.Context, o Options) (*design.Design, error) {
	b, err := load(ctx, o)
	if err != nil {
		return nil, err
	}
	d, cells := b.d, len(b.net.Cells)
	collect(cells) // the builder is of no more use
	return d, nil
}

// collect frees what is no longer needed, where a netlist is large: its garbage may not
// add to what is needed next.
func collect(cells int) {
	if cells > 1<<15 {
		runtime.GC()
	}
}

// load does the work of Load. The error of an interrupted run is that of the context:
// its folder may be gone under its hands.
func load(ctx context.Context, o Options) (*builder, error) {
	b, err := read(ctx, o)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return b, err
}

func read(ctx context.Context, o Options) (*builder, error) {
	o, err := o.resolved()
	if err != nil {
		return nil, err
	}
	src, err := takeSources(&o)
	if err != nil {
		return nil, err
	}
	dir, remove, err := scratch.Dir(scratchPrefix)
	if err != nil {
		return nil, err
	}
	defer remove()
	defer context.AfterFunc(ctx, remove)() // an interrupted run may not wait for this one
	if o.Netlist != nil {
		if err := os.WriteFile(dir+"/coarse.v", []byte(coarseMap()), 0o600); err != nil {
			return nil, err
		}
	}
	for _, m := range techMaps {
		if err := os.WriteFile(dir+"/"+m.name, []byte(m.text), 0o600); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, o.Time)
	defer cancel()
	r := &run{opt: o, dir: dir, src: src}
	if err := r.choose(ctx); err != nil {
		return nil, err
	}
	lowered, err := src.lower()
	if err != nil {
		return nil, err
	}
	if err := src.write(r.path(sourceFolder)); err != nil {
		return nil, err
	}
	read, err := r.readSources(ctx)
	if err != nil {
		return nil, r.placeInstance(ctx, err)
	}
	if err := o.refuseUnselected(r.warnings); err != nil {
		return nil, err
	}
	if err := refuseInterfaces(read.hier); err != nil {
		return nil, err
	}
	if err := refuseReferences(r.warnings, read.hier); err != nil {
		return nil, err
	}
	if err := checkReferences(src.bound, read.hier, r.warnings); err != nil {
		return nil, err
	}
	shared, err := r.separateShared(ctx, &read)
	if err != nil {
		return nil, err
	}
	hier, top, flat := read.hier, read.top, read.flat
	b := &builder{
		h:       newHierarchy(hier, top, src.lines),
		lowered: lowered, enumerations: &src.enums,
		d: &design.Design{File: strings.Join(o.Files, " "), SHA256: src.sum, Format: "verilog"},
	}
	b.h.warnings = r.warnings
	b.h.bind(src.bound)
	b.d.Notes = append(append(b.d.Notes, src.notes...), src.notBelow(b.h)...)
	if len(shared) > 0 {
		b.note("several blocks assign %s, each before it reads it: a variable of each block, no register", strings.Join(shortList(shared), ", "))
	}
	if text := untested(read.creator); text != "" {
		b.note("%s", text)
	}
	if r.slang != withoutSlang {
		b.note("read by slang (%s)", r.opt.Yosys)
	}
	if o.Top == "" && len(hier) > 1 {
		b.note("top module: %s", top)
	}
	before := func() (*module, error) {
		_, m, err := r.onlyModule("triggers.json")
		return m, err
	}
	if b.inv, err = takeInventory(flat, before, b.h, lowered, o); err != nil {
		return nil, err
	}
	if err := b.inv.refuseHalves(o); err != nil {
		return nil, err
	}
	if err := amend(r.path("inv.il"), flat, b.inv); err != nil {
		return nil, err
	}
	split := b.inv.resets+b.inv.latches > 0 && !o.Multiclock
	if err := r.script(ctx, "map.ys", o.mapPart(dir+"/", split)); err != nil {
		return nil, err
	}
	if _, b.net, err = r.onlyModule("net.json"); err != nil {
		return nil, err
	}
	b.pre = b.net
	if o.Multiclock {
		if b.net, err = sampled(b.net); err != nil {
			return nil, err
		}
		b.note("several clocks: a step is a moment at which any input may change, clocks too; at an edge a register takes over what its data input was in the step before")
	}
	if split {
		if _, b.pre, err = r.onlyModule("pre.json"); err != nil {
			return nil, err
		}
	}
	if err := b.checkProperties(); err != nil {
		return nil, err
	}
	if err := b.build(); err != nil {
		return nil, err
	}
	if err := src.refuseUndeclared(r.warnings, b.undriven); err != nil {
		return nil, err
	}
	if o.Written != nil {
		b.d.Format = o.Written.Format
	}
	if o.Netlist != nil {
		b.d.Format = o.Netlist.Form
		b.splitNames()
	}
	if o.Reset != "" {
		if err := b.runReset(o.Reset, o.ResetCycles); err != nil {
			return nil, err
		}
	}
	b.d.Antecedents = b.inv.antecedents
	b.finalNotes(r.warnings, o.Covers)
	return b, nil
}

// part1 is what yosys makes of the sources.
type part1 struct {
	creator string
	hier    map[string]*module // before flattening
	top     string
	flat    *module
}

// read runs part 1 of the script, which begins with the given command.
func (r *run) read(ctx context.Context, command string) (part1, error) {
	var p part1
	if err := r.script(ctx, "read.ys", r.opt.readPart(command, r.dir+"/")); err != nil {
		return p, err
	}
	f, err := r.readJSON("hier.json")
	if err != nil {
		return p, err
	}
	p.creator, p.hier = f.Creator, f.Modules
	p.top, p.flat, err = r.onlyModule("inv.json")
	return p, err
}

// checkProperties compares the asserts and assumes with the inventory.
func (b *builder) checkProperties() error {
	for _, name := range slices.Concat(b.inv.asserts, b.inv.assumes, b.inv.lives, b.inv.fairs, b.inv.covers) {
		if c := b.net.Cells[name]; c == nil || !isProperty(c) {
			return &Error{What: fmt.Sprintf("the assertion %s is missing in the netlist", name), Cure: "report this with the source and the yosys version"}
		}
	}
	found := 0
	for _, c := range b.net.Cells {
		if isProperty(c) {
			found++
		}
	}
	if want := len(b.inv.asserts) + len(b.inv.assumes) + len(b.inv.lives) + len(b.inv.fairs) + len(b.inv.covers); found != want {
		return &Error{What: fmt.Sprintf("the netlist has %d assertions and assumptions, the source %d", found, want), Cure: "report this with the source and the yosys version"}
	}
	return nil
}

// isProperty reports whether a cell is a property that the netlist keeps.
func isProperty(c *cell) bool {
	switch c.Type {
	case "$assert", "$assume", "$live", "$fair", "$cover":
		return true
	}
	return false
}

// NoAssert is the note for a source that brings no property of its own.
const NoAssert = "the source has no assert: nothing can be checked"

// finalNotes tells the user what the netlist does not show.
func (b *builder) finalNotes(warnings []string, covers bool) {
	b.d.Notes = append(b.d.Notes, b.inv.notes...)
	switch {
	case len(b.n.Bads)+len(b.n.Justice) > 0 || covers:
	case b.d.Format == "blif":
		b.outputsAsProperties()
	default:
		b.note(NoAssert)
	}
	if b.inv.resets > 0 {
		b.note("%d register bits have an asynchronous reset or set: it acts in the very step, and a fault is seen by all readers, in reset, too", b.inv.resets)
	}
	if b.inv.latches > 0 {
		b.note("%d register bits are level-sensitive latches: they are transparent within a step, and a fault is seen by all readers", b.inv.latches)
	}
	if len(b.undriven) > 0 {
		b.note("%d bits that nothing drives are free inputs: %s", len(b.undriven), strings.Join(shortList(b.undriven), ", "))
	}
	if b.unnamed > 0 {
		b.note("%d bits without a value (x, such as a branch that assigns none) are free inputs", b.unnamed)
	}
	var free []string
	for i, l := range b.n.Latches {
		if l.Reset == l.Lit && !b.d.Latches[i].Artefact {
			free = append(free, l.Name)
		}
	}
	if len(free) > 0 {
		b.note("%d register bits have no initial value and start with any: %s", len(free), strings.Join(shortList(free), ", "))
	}
	for _, w := range shortList(warnings) {
		b.note("yosys: %s", w)
	}
}
