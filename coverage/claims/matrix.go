package claims

import (
	"slices"

	"netcov/cert"
	"netcov/coverage/matrix"
	"netcov/coverage/report"
	"netcov/mutant"
)

// The matrix of a report says of its properties what follows from the lists of the
// mutants. Here that is counted anew. Why a property covers nothing, and what its proof
// uses, the lists do not tell.

// wrongMatrix says in what the matrix contradicts the mutants, "" where it does not.
func wrongMatrix(r *report.Report) string {
	m := r.Matrix
	listed := slices.ContainsFunc(r.Mutants, func(x report.Mutant) bool { return x.Properties != nil })
	if m == nil {
		if listed {
			return "mutants list properties without a matrix"
		}
		return ""
	}
	at := map[int]int{} // property → its place
	for k, p := range m.Properties {
		at[p.Index] = k
	}
	held := 0
	for _, p := range r.Properties {
		if p.Status == cert.Holds {
			held++
			if _, known := at[p.Index]; !known {
				return "the matrix leaves out a property that holds"
			}
		}
	}
	if held != len(m.Properties) || len(at) != held {
		return "the properties of the matrix are not those that hold"
	}
	due := make([]report.MatrixProperty, held)
	sure := make([]bool, held) // a mutant that it alone covers, for certain
	maybe := make([]bool, held)
	unknown, noted, covered := 0, 0, 0
	for _, x := range r.Mutants {
		if x.Properties == nil {
			return "a mutant does not list its properties"
		}
		fail, open := x.Properties.Fail, x.Properties.Unknown
		for _, list := range [][]int{fail, open} {
			for k, p := range list {
				if _, known := at[p]; !known || k > 0 && list[k-1] >= p || slices.Contains(fail, p) && slices.Contains(open, p) {
					return "a mutant lists a property that is not of the matrix, or lists one twice"
				}
			}
		}
		switch x.Verdict {
		case mutant.Covered:
			if x.Property == nil || !slices.Contains(fail, *x.Property) {
				return "a covered mutant does not list the property that covers it"
			}
			covered++
			noted++
		case mutant.Unknown:
			noted++
			if len(fail) > 0 {
				return "a property fails on a mutant that is unknown"
			}
		default:
			if len(fail)+len(open) > 0 {
				return "a mutant that is not covered lists properties"
			}
		}
		unknown += len(open)
		for _, p := range fail {
			d := &due[at[p]]
			d.CoveredLow++
			d.CoveredHigh++
			if len(fail) == 1 {
				d.AloneHigh++
				maybe[at[p]] = true
				if len(open) == 0 {
					d.AloneLow++
					sure[at[p]] = true
				}
			}
		}
		for _, p := range open {
			d := &due[at[p]]
			d.CoveredHigh++
			if len(fail) == 0 {
				d.AloneHigh++
				maybe[at[p]] = true
			}
		}
	}
	for k, p := range m.Properties {
		d := due[k]
		redundant := matrix.Maybe
		switch {
		case !maybe[k]:
			redundant = matrix.Yes
		case sure[k]:
			redundant = matrix.No
		}
		if p.CoveredLow != d.CoveredLow || p.CoveredHigh != d.CoveredHigh || p.AloneLow != d.AloneLow || p.AloneHigh != d.AloneHigh ||
			p.Redundant != redundant || (p.Idle != "") != (d.CoveredHigh == 0) || p.CoveredHigh > p.Cone ||
			p.Used != nil && (*p.Used > p.Cone || p.CoveredLow > *p.Used) {
			return "what the matrix says of a property is not what the mutants add up to"
		}
	}
	if m.Unknown != unknown || m.Cells != held*noted || (m.Stopped == "") != (unknown == 0) ||
		m.Set.CoveredLow != covered || m.Set.CoveredHigh != noted {
		return "the matrix is not what the mutants add up to"
	}
	return wrongChoice(r)
}

// wrongChoice says what is wrong with the choice of properties and with their order.
func wrongChoice(r *report.Report) string {
	s := r.Matrix.Smallest
	if s.AtLeast > len(s.Properties) || s.Optimal && s.AtLeast != len(s.Properties) {
		return "the bound on the smallest choice is not one"
	}
	adds := make([]int, len(r.Matrix.Order))
	for _, x := range r.Mutants {
		fails := func(p int) bool { return slices.Contains(x.Properties.Fail, p) }
		if len(x.Properties.Fail) > 0 && !slices.ContainsFunc(s.Properties, fails) {
			return "the smallest choice leaves out a covered mutant"
		}
		if k := slices.IndexFunc(r.Matrix.Order, func(a report.Addition) bool { return fails(a.Index) }); k >= 0 {
			adds[k]++
		} else if len(x.Properties.Fail) > 0 {
			return "the order of the properties leaves out a covered mutant"
		}
	}
	all := 0
	for k, a := range r.Matrix.Order {
		if all += adds[k]; a.Adds != adds[k] || a.Covered != all {
			return "what the properties add in their order is not what the mutants add up to"
		}
	}
	return ""
}
