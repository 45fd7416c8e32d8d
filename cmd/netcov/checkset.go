package main

import (
	"io"

	"github.com/spf13/cobra"

	"netcov/cert"
	"netcov/coverage/campaign"
)

// checkSet checks safety properties together and writes each answer as it comes.
// It returns the exit code.
func (f *checkFlags) checkSet(c *cobra.Command, in *campaign.Design, properties []int, out io.Writer) (int, error) {
	answered, fails := map[int]bool{}, false
	reason, err := f.how(len(properties)).Set(c.Context(), in, properties, func(i int, t *cert.Trace) error {
		answered[i] = true
		a := campaign.Answer{Property: i, Status: cert.Holds, Trace: t}
		if t != nil {
			fails, a.Status = true, cert.Fails
		}
		return f.form.Write(in, out, a, true)
	})
	if err != nil {
		return 0, err
	}
	for _, i := range properties {
		if answered[i] {
			continue
		}
		a := campaign.Answer{Property: i, Status: cert.Unknown, Reason: reason}
		f.tell(c, in, &a)
		if err := f.form.Write(in, out, a, true); err != nil {
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
