package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"netcov/aiger"
	"netcov/frontend"
	"netcov/frontend/yosysmap"
	"netcov/netlist"
)

func newConvertCommand() *cobra.Command {
	var f netlistFlags
	c := &cobra.Command{
		Use:   "convert IN... OUT",
		Short: "Write a design as an AIGER file, with its names",
		Long: `Reads a design in any language that netcov knows and writes it as an AIGER file
(.aag or .aig, also .gz), with symbols. Prints what was kept.

` + designHelp,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) < 2 {
				return usagef("give the design's file and the file to write; see '%s --help'", c.CommandPath())
			}
			return f.convert(c, args[:len(args)-1], args[len(args)-1])
		},
	}
	f.add(c.Flags())
	return c
}

func (f *netlistFlags) convert(c *cobra.Command, paths []string, to string) error {
	if k := frontend.ByName(to); to == "-" || k != "" && k != "aiger" {
		return usagef("%s: convert writes AIGER files; call it .aag or .aig", to)
	}
	if err := spare(to, paths); err != nil {
		return err
	}
	in, err := f.read(c.Context(), paths)
	if err != nil {
		return err
	}
	out := in.file
	if in.design.Format != "aiger" || f.mapFile != "" {
		out = in.named()
	}
	if err := aiger.WriteFile(to, out); err != nil {
		return fmt.Errorf("writing %s: %w", to, err)
	}
	w := c.OutOrStdout()
	if _, err = fmt.Fprintf(w, "%s: %s\n", to, inventory(out)); err != nil {
		return err
	}
	in.noteLosses()
	return in.writeNotes(w)
}

// noteLosses adds notes of what an AIGER file cannot say.
func (in *input) noteLosses() {
	helpers := 0
	for i := range in.netlist.Latches {
		if in.design.Artefact(i) {
			helpers++
		}
	}
	if helpers > 0 {
		in.design.Notes = append(in.design.Notes, fmt.Sprintf("%d latches are helpers and no registers; an AIGER file does not tell them apart", helpers))
	}
	if k := len(in.design.Specs); k > 0 {
		in.design.Notes = append(in.design.Notes, fmt.Sprintf("%d specifications in temporal logic are left out", k))
	}
}

// named returns the design as an AIGER file whose latches carry the registers'
// names.
func (in *input) named() *aiger.File {
	n := *in.netlist
	n.Latches = append([]netlist.Latch(nil), n.Latches...)
	for i := range n.Latches {
		if i >= len(in.design.Latches) || in.design.Latches[i].Register == "" {
			continue
		}
		name := yosysmap.Name(in.design.Latches[i])
		if in.design.Latches[i].Inverted {
			name = "!" + name
		}
		n.Latches[i].Name = name
	}
	return n.ToAIGER()
}
