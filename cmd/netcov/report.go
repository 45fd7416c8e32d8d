package main

import (
	"strings"

	"github.com/spf13/cobra"

	"netcov/coverage/claims"
	"netcov/coverage/report"
	"netcov/coverage/report/merge"
)

func newReportCommand() *cobra.Command {
	var f reportFlags
	var sources []string
	c := &cobra.Command{
		Use:   "report REPORT.json",
		Short: "Write a report in other forms, later, without computing anything",
		Long: `Reads the JSON report of a run of netcov cover and writes it in any form, judged by
waivers and a baseline as cover would judge it. A report that contradicts itself is
refused. The page shows the lines of the --source files.

Exit codes: 0 done; 1 bad input; 2 usage; 5 coverage below --fail-under; 7 worse than
the baseline, with --fail-on-regression.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.parse(); err != nil {
				return err
			}
			if err := f.spare(append(sources, args...)...); err != nil {
				return err
			}
			r, err := claims.Open(args[0])
			if err != nil {
				return err
			}
			return f.show(c, r, sources)
		},
	}
	outputs := newTopic("Outputs")
	f.addReport(outputs)
	outputs.flags.StringArrayVar(&sources, "source", nil, "source file that forms may show; may be repeated (default none)")
	groupFlags(c, outputs)
	completeFormat(c)
	return c
}

func newMergeCommand() *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "merge REPORT.json REPORT.json...",
		Short: "Join reports over different properties, nodes or faults of one design",
		Long: `Joins the JSON reports of runs over one design. The set of the joined report is all
properties that hold in some run. A mutant is covered where some run covers it; it is
not covered where the runs that say so have, together, all properties of the set; else
it is unknown. What belongs to one run is left out, with a note: its waivers (give
--waivers for the whole), its matrix, its suggestions.

Reports of different designs, or that contradict themselves or each other, are refused,
and so are reports of a sample.

Exit codes: those of netcov report.`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.parse(); err != nil {
				return err
			}
			if err := f.spare(args...); err != nil {
				return err
			}
			var list []*report.Report
			for _, path := range args {
				r, err := claims.Open(path)
				if err != nil {
					return err
				}
				list = append(list, r)
			}
			r, err := merge.Reports(args, list)
			if err != nil {
				return err
			}
			var notes []string
			for i, x := range list {
				if parts := x.Single(); len(parts) > 0 {
					notes = append(notes, args[i]+": "+strings.Join(parts, " and ")+": left out of the joined report")
				}
			}
			if err := writeNotes(c.ErrOrStderr(), notes); err != nil {
				return err
			}
			return f.show(c, r, nil)
		},
	}
	outputs := newTopic("Outputs")
	f.addReport(outputs)
	groupFlags(c, outputs)
	completeFormat(c)
	return c
}

// show writes a report that is not of a run of this process, and judges it.
func (f *reportFlags) show(c *cobra.Command, r *report.Report, sources []string) error {
	if err := f.readBeside(); err != nil {
		return err
	}
	if err := f.probe(); err != nil {
		return err
	}
	f.waive(r)
	if err := f.write(c.OutOrStdout(), r, report.Rendering{Source: sourcesAmong(sources)}); err != nil {
		return err
	}
	d, err := f.compare(c.OutOrStdout(), r)
	if err != nil {
		return err
	}
	return f.judge(r, d)
}
