package main

import (
	"github.com/spf13/cobra"

	"netcov/cert"
	"netcov/coverage/campaign"
)

// checkSet checks safety properties together and hands on each answer as it comes.
func (f *checkFlags) checkSet(c *cobra.Command, in *campaign.Design, properties []int, answered func(a *campaign.Answer, named bool) error) error {
	known := map[int]bool{}
	reason, err := f.how(len(properties)).Set(c.Context(), in, properties, func(i int, t *cert.Trace) error {
		known[i] = true
		a := &campaign.Answer{Property: i, Status: cert.Holds, Trace: t}
		if t != nil {
			a.Status = cert.Fails
		}
		return answered(a, true)
	})
	if err != nil {
		return err
	}
	for _, i := range properties {
		if known[i] {
			continue
		}
		if err := answered(&campaign.Answer{Property: i, Status: cert.Unknown, Reason: reason}, true); err != nil {
			return err
		}
	}
	return nil
}
