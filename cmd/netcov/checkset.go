package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"netcov/aiger"
	"netcov/cert"
	"netcov/coverage/campaign"
)

// checkSet checks safety properties together and writes each answer as it comes.
// It returns the exit code.
func (f *checkFlags) checkSet(c *cobra.Command, in *campaign.Design, properties []int, out io.Writer) (int, error) {
	answered, fails := map[int]bool{}, false
	reason, err := f.how().Set(c.Context(), in, properties, func(i int, t *cert.Trace) error {
		answered[i] = true
		w := &aiger.Witness{Status: aiger.Holds}
		if t != nil {
			fails = true
			s, err := in.Subject(i)
			if err != nil {
				return err
			}
			if in.Design.WriteWitness != nil {
				return in.WriteWitness(out, s, t)
			}
			if w, err = s.Witness(t, false); err != nil {
				return err
			}
		}
		return writeOfSet(out, in, i, w)
	})
	if err != nil {
		return 0, err
	}
	for _, i := range properties {
		if answered[i] {
			continue
		}
		if reason != "" {
			fmt.Fprintf(c.ErrOrStderr(), "netcov: %s: property %d: %s\n", in.Path, i, reason)
		}
		if err := writeOfSet(out, in, i, &aiger.Witness{Status: aiger.Undecided}); err != nil {
			return 0, err
		}
	}
	switch {
	case fails:
		return exitFails, nil
	case len(answered) < len(properties):
		return exitUndecided, nil
	}
	return exitDone, nil
}

// writeOfSet writes the answer for one property, its name before it as a comment.
func writeOfSet(out io.Writer, in *campaign.Design, property int, w *aiger.Witness) error {
	p := in.Netlist.Properties()[property]
	w.Properties = []aiger.Property{{Kind: 'b', Index: p.Index}}
	if p.Name != "" {
		if _, err := fmt.Fprintf(out, "c %s\n", strings.ReplaceAll(p.Name, "\n", " ")); err != nil {
			return err
		}
	}
	return aiger.WriteWitness(out, w)
}
