package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"netcov/cert"
	"netcov/coverage/campaign"
	"netcov/coverage/report"
	"netcov/frontend/sva"
	"netcov/internal/atomicfile"
	"netcov/internal/visible"
)

// checkCovers tells which cover statements some run reaches, and writes the
// traces to the file of -o.
func (f *checkFlags) checkCovers(c *cobra.Command, in *campaign.Design, which []int) error {
	t := report.NewTable("cover", "answer", "steps", "note")
	var answers bytes.Buffer
	code := exitDone
	for _, i := range which {
		a, err := f.check(c, in, i)
		if err != nil {
			return err
		}
		if err := interrupted(c.Context()); err != nil {
			return err
		}
		if err := f.form.Write(in, &answers, *a, false); err != nil {
			return err
		}
		name := in.Netlist.Property(i).Name
		answer, steps, note := "unknown", "", a.Reason
		switch a.Status {
		case cert.Fails:
			answer, steps = "reached", strconv.Itoa(len(a.Trace.Inputs))
		case cert.Holds:
			answer = "unreachable"
			if of, ok := strings.CutSuffix(name, sva.AntecedentSuffix); ok {
				note = of + " is vacuous: its antecedent is never met"
			}
			code = exitFails
		default:
			if note == "" && a.Bound >= 0 {
				note = "not within " + report.Plural(a.Bound+1, "step")
			}
			if code == exitDone {
				code = exitUndecided
			}
		}
		t.AppendRow(table.Row{name, answer, steps, note})
	}
	if f.output != "" {
		if err := atomicfile.Write(f.output, func(w io.Writer) error {
			_, err := answers.WriteTo(w)
			return err
		}); err != nil {
			return fmt.Errorf("writing the answers: %w", err)
		}
	}
	if _, err := io.WriteString(c.OutOrStdout(), visible.Text(t.Render()+"\n")); err != nil {
		return err
	}
	if code != exitDone {
		return &exitError{code: code}
	}
	return nil
}
