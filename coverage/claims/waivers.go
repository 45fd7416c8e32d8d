package claims

import (
	"netcov/coverage/report"
	"netcov/mutant"
)

// wrongWaivers tells in what the waivers of a report contradict its mutants: a mutant
// that is waived is not covered, its waiver is there and in force, and takes out as many
// as it says.
func wrongWaivers(r *report.Report) string {
	due := make([]int, len(r.Waivers))
	for _, m := range r.Mutants {
		if m.Waiver == nil {
			continue
		}
		if *m.Waiver < 0 || *m.Waiver >= len(due) {
			return "a mutant has a waiver that is not there"
		}
		if m.Verdict == mutant.Covered {
			return "a mutant that is covered is waived"
		}
		due[*m.Waiver]++
	}
	for i, w := range r.Waivers {
		if w.Mutants != due[i] || (w.State == report.WaiverUsed) != (due[i] > 0) {
			return "a waiver says something else than the mutants"
		}
	}
	return ""
}
