package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"netcov/coverage/claims"
	"netcov/coverage/report"
	"netcov/coverage/waiver"
	"netcov/internal/visible"
)

// waiveFlags are the settings of netcov waive.
type waiveFlags struct {
	waiver  waiver.Waiver
	expires string
	report  string
}

func newWaiveCommand() *cobra.Command {
	var f waiveFlags
	c := &cobra.Command{
		Use:   "waive FILE NODE",
		Short: "Add a waiver to a file: a mutant that needs no property, and why",
		Long: `Adds a waiver to a TOML file, which is made where there is none. netcov cover
--waivers FILE takes what is waived out of its counts and lists it.

NODE is a name of a register or of one bit, such as fifo.count or fifo.count[3], or
latch:7; * stands for any characters and ? for one. A mutant that is covered counts as
ever. The report says which waivers are used, expired, stale (all that they speak of is
covered) or unused.`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args[0], args[1]) },
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&f.waiver.Reason, "reason", "", "why no property is needed (no default: a reason must be given)")
	c.Flags().StringVar(&f.waiver.Fault, "fault", "", "faults, separated by commas (default all)")
	c.Flags().StringVar(&f.waiver.Property, "property", "", "only in runs whose properties all match this pattern (default any run)")
	c.Flags().StringVar(&f.waiver.Owner, "owner", "", "who answers for it (default none)")
	c.Flags().StringVar(&f.expires, "expires", "", "last day, such as 2027-06-30, not before today (default never)")
	c.Flags().StringVar(&f.report, "report", "", "JSON report of a run: tell how many of its mutants the waiver takes out (default none)")
	return c
}

func (f *waiveFlags) run(c *cobra.Command, path, node string) error {
	w := f.waiver
	w.Node = node
	if f.expires != "" {
		var err error
		if w.Expires, err = waiver.ParseDate(f.expires); err != nil {
			return usagef("--expires: %v", err)
		}
		if w.Expires.Over(time.Now()) {
			return usagef("--expires %s: that day is over; give today or a later one", w.Expires)
		}
	}
	if _, err := w.Entry(); err != nil {
		return usagef("%v", err)
	}
	words := ""
	if f.report != "" {
		r, err := claims.Open(f.report)
		if err != nil {
			return err
		}
		waiver.Apply(r, []waiver.Waiver{w}, time.Now())
		words = fmt.Sprintf(": %s, %s of %s", r.Waivers[0].State, report.Plural(r.Summary.Waived, "mutant"), visible.Line(f.report))
	}
	if err := waiver.Add(path, w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.OutOrStdout(), "%s: waived %s%s\n", visible.Line(path), visible.Line(node), words)
	return err
}
