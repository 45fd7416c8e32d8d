package claims

import (
	"reflect"

	"netcov/coverage/report"
	"netcov/mutant"
)

// wrongReasons tells in what the reasons of a report contradict themselves: each mutant
// that no property notices has one, the same in all rows, and no other mutant has any.
// Their numbers and the coverage of what can matter follow.
func wrongReasons(r *report.Report) string {
	type key struct {
		node  report.Node
		fault string
	}
	verdict, reason, uncounted := map[key]mutant.Verdict{}, map[key]string{}, map[key]bool{}
	for _, m := range r.Mutants {
		k := key{m.Node, m.Fault}
		uncounted[k] = m.Waiver != nil || standsApart(r, m)
		if old, seen := verdict[k]; !seen || m.Verdict == mutant.Covered || old == mutant.NotCovered {
			verdict[k] = m.Verdict
		}
		if old, seen := reason[k]; seen && m.Verdict == mutant.NotCovered && old != m.Reason {
			return "a mutant has two reasons"
		}
		if m.Verdict == mutant.NotCovered {
			reason[k] = m.Reason
		} else if m.Reason != "" {
			return "a mutant that is not known to be uncovered has a reason"
		}
	}
	explained := r.Summary.Matters != nil
	counts := map[string]int{}
	var matters report.Counts
	for k, v := range verdict {
		why := reason[k]
		if v != mutant.NotCovered && why != "" || v == mutant.NotCovered && (why != "") != explained {
			return "some mutants that are not covered have a reason, and some have none"
		}
		if uncounted[k] {
			continue
		}
		if why != "" {
			counts[why]++
		}
		if why != "constant" && why != "equivalent" {
			count(&matters, v)
		}
	}
	fillShares(&matters)
	switch {
	case !explained && len(r.Summary.Reasons) > 0,
		explained && len(counts)+len(r.Summary.Reasons) > 0 && !reflect.DeepEqual(counts, r.Summary.Reasons):
		return "reasons is not what the mutants add up to"
	case explained && *r.Summary.Matters != matters:
		return "matters is not what the mutants add up to"
	}
	return ""
}
