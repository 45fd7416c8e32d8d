package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"netcov/aig"
	"netcov/aiger"
	"netcov/coverage/campaign"
	"netcov/coverage/report"
	"netcov/internal/visible"
	"netcov/mutant"
	"netcov/netlist"
)

func newInfoCommand() *cobra.Command {
	var f netlistFlags
	c := &cobra.Command{
		Use:   "info FILE...",
		Short: "Say what a design holds: counts, properties, registers by instance",
		Long: `Reads a design and prints its counts, its properties with the size of their
cones of influence, and its registers by instance.

` + designHelp,
		Args: f.args,
		RunE: func(c *cobra.Command, args []string) error {
			if f.script {
				return f.showScript(c, args)
			}
			in, err := f.read(c.Context(), args)
			if err != nil {
				return err
			}
			return writeInfo(c.OutOrStdout(), in)
		},
	}
	f.add(c.Flags())
	return c
}

func writeInfo(w io.Writer, in *campaign.Design) error {
	n := in.Netlist
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s\n", in.Path, in.Design.Format, inventory(in.File))
	if ps := n.Properties(); len(ps) > 0 {
		t := report.NewTable("property", "kind", "name", "latches inside", "latches outside")
		for i, p := range ps {
			inside := "-"
			outside := "-"
			if p.Kind != netlist.PropertyJustice {
				k := latchesInside(n, p)
				inside, outside = fmt.Sprint(k), fmt.Sprint(len(n.Latches)-k)
			}
			t.AppendRow(table.Row{i, p.Kind, p.Name, inside, outside})
		}
		b.WriteString("\n" + t.Render() + "\n")
	}
	writeInstances(&b, in)
	for i, s := range in.Design.Specs {
		if i == 0 {
			b.WriteString("\nspecifications in temporal logic:\n")
		}
		fmt.Fprintf(&b, "%s line %d: %s\n", s.Kind, s.Line, s.Text)
	}
	if _, err := io.WriteString(w, visible.Text(b.String())); err != nil {
		return err
	}
	return writeNotes(w, in.Design.Notes)
}

func writeNotes(w io.Writer, notes []string) error {
	for _, note := range notes {
		if _, err := fmt.Fprintln(w, "note: "+visible.Line(note)); err != nil {
			return err
		}
	}
	return nil
}

// latchesInside counts the latches in a property's cone of influence.
func latchesInside(n *netlist.Netlist, p netlist.Property) int {
	roots := []aig.Lit{p.Bad}
	for _, c := range n.Constraints {
		roots = append(roots, c.Lit)
	}
	cone := n.SequentialCone(roots...)
	inside := 0
	for _, l := range n.Latches {
		if cone[l.Lit.Node()] {
			inside++
		}
	}
	return inside
}

// writeInstances counts registers and bits by instance.
func writeInstances(b *strings.Builder, in *campaign.Design) {
	type counts struct {
		module    string
		registers map[string]bool
		bits      int
	}
	byInstance := map[string]*counts{}
	var order []string
	describe := in.Describe()
	named := false
	for i := range in.Netlist.Latches {
		if in.Design.Artefact(i) {
			continue
		}
		d := describe(mutant.Target{Index: i})
		named = named || d.Register != ""
		c := byInstance[d.Instance]
		if c == nil {
			c = &counts{module: d.Module, registers: map[string]bool{}}
			byInstance[d.Instance] = c
			order = append(order, d.Instance)
		}
		c.registers[d.Register] = true
		c.bits++
	}
	if !named {
		return
	}
	slices.Sort(order)
	t := report.NewTable("instance", "module", "registers", "bits")
	for _, name := range order {
		c := byInstance[name]
		t.AppendRow(table.Row{name, c.module, len(c.registers), c.bits})
	}
	b.WriteString("\n" + t.Render() + "\n")
}

// inventory counts what a file holds.
func inventory(f *aiger.File) string {
	return fmt.Sprintf("%s, %s, %s, %s, %s, %s, %d justice, %d fairness",
		report.Plural(len(f.Inputs), "input"), report.Plural(len(f.Latches), "latch"), report.Plural(len(f.Ands), "gate"),
		report.Plural(len(f.Outputs), "output"), report.Plural(len(f.Bads), "bad-state literal"), report.Plural(len(f.Constraints), "constraint"),
		len(f.Justice), len(f.Fairness))
}
