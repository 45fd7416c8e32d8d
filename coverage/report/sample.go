package report

import "math"

// Sample says that the report is an estimate from some of the nodes.
type Sample struct {
	Nodes      int     `json:"nodes"`
	Population int     `json:"population"`
	Low        float64 `json:"low"` // the 95% interval of the coverage of all nodes
	High       float64 `json:"high"`
}

// Estimate marks the report as one of a sample of nodes, drawn at random, and
// computes the 95% interval of the whole population's coverage: Wilson's score
// interval (Wilson 1927) over nodes, which is on the safe side for the mean of
// several faults a node. Unknown mutants widen it.
func (r *Report) Estimate(nodes, population int) {
	c := r.Summary.Counts
	low, _ := wilson(c.Low, nodes)
	_, high := wilson(c.High, nodes)
	r.Summary.Sample = &Sample{nodes, population, low, high}
}

// wilson returns the 95% score interval of a share p of n draws.
func wilson(p float64, n int) (low, high float64) {
	const z = 1.959964
	if n == 0 {
		return 0, 1
	}
	m := float64(n)
	centre := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return math.Max(0, centre-half), math.Min(1, centre+half)
}
