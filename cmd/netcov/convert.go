package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"netcov/aiger"
	"netcov/frontend"
)

func newConvertCommand() *cobra.Command {
	var f netlistFlags
	quiet := false
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
			return f.convert(c, args[:len(args)-1], args[len(args)-1], quiet)
		},
	}
	f.add(c.Flags())
	c.Flags().BoolVar(&quiet, "quiet", false, "no notes (default false)")
	return c
}

func (f *netlistFlags) convert(c *cobra.Command, paths []string, to string, quiet bool) error {
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
	out := in.File
	if in.Design.Format != "aiger" || f.mapFile != "" {
		out = in.Named()
	}
	if err := aiger.WriteFile(to, out); err != nil {
		return fmt.Errorf("writing %s: %w", to, err)
	}
	w := c.OutOrStdout()
	if _, err = fmt.Fprintf(w, "%s: %s\n", to, inventory(out)); err != nil || quiet {
		return err
	}
	return writeNotes(w, append(in.Design.Notes, in.Losses()...))
}
