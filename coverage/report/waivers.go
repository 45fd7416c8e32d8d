package report

import (
	"fmt"
	"slices"

	"netcov/internal/visible"
	"netcov/mutant"
)

// Waivers: mutants that nobody needs to cover, as people have decided. They leave every
// count, and are listed.

// Waiver is a waiver and what it comes to in this run.
type Waiver struct {
	Node     string `json:"node"` // pattern
	Fault    string `json:"fault,omitempty"`
	Property string `json:"property,omitempty"` // pattern
	Reason   string `json:"reason"`
	Owner    string `json:"owner,omitempty"`
	Expires  string `json:"expires,omitempty"` // the last day, as 2026-12-31
	// State is used, or why it is not: expired, stale (all that it speaks of is covered),
	// or unused (it speaks of no mutant of this run, or of none that an earlier one does
	// not waive).
	State string `json:"state"`
	// Mutants is the number of mutants that it takes out.
	Mutants int `json:"mutants"`
}

// The states of waivers.
const (
	WaiverUsed    = "used"
	WaiverExpired = "expired"
	WaiverStale   = "stale"
	WaiverUnused  = "unused"
)

// waiverSection lists the waivers.
var waiverSection = section{
	single: func(r *Report) string {
		if len(r.Waivers) == 0 {
			return ""
		}
		return "its waivers"
	},
	afterNodes: (*Report).writeWaivers,
}

// waivedMutant names a mutant of a report.
type waivedMutant struct {
	kind  string
	index int
	fault string
}

// Waive takes mutants out of all counts. of tells the position in the list of the waiver
// of a mutant that is not covered, or -1; earlier waivers of the report are forgotten.
func (r *Report) Waive(list []Waiver, of func(Mutant) int) {
	waived := map[waivedMutant]int{}
	for m := range r.Rows() {
		if m.Verdict == mutant.Covered {
			continue
		}
		if i := of(m); i >= 0 {
			waived[waivedMutant{m.Node.Kind, m.Node.Index, m.Fault}] = i
			list[i].Mutants++
			list[i].State = WaiverUsed
		}
	}
	r.Waivers, r.waived = list, waived
	r.Count()
	if e := r.Summary.Sample; e != nil {
		r.Estimate(e.Nodes, e.Population)
	}
}

// waiverOf is the waiver of a mutant, or nil.
func (r *Report) waiverOf(m Mutant) *int {
	if i, ok := r.waived[waivedMutant{m.Node.Kind, m.Node.Index, m.Fault}]; ok {
		return &i
	}
	return nil
}

// waiverWords is one line about the waivers, "" where there are none.
func (r *Report) waiverWords() string {
	if len(r.Waivers) == 0 {
		return ""
	}
	n := map[string]int{}
	for _, w := range r.Waivers {
		n[w.State]++
	}
	out := fmt.Sprintf("waived: %s by %s, not counted", Plural(r.Summary.Waived, "mutant"), Plural(n[WaiverUsed], "waiver"))
	for _, state := range []string{WaiverExpired, WaiverStale, WaiverUnused} {
		if n[state] > 0 {
			out += fmt.Sprintf("; %d %s", n[state], state)
		}
	}
	return out
}

// writeWaivers lists the waivers, those that need a look first.
func (r *Report) writeWaivers(p *page) {
	if len(r.Waivers) == 0 {
		return
	}
	list := slices.Clone(r.Waivers)
	used := func(w Waiver) int {
		if w.State == WaiverUsed {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(list, func(a, b Waiver) int { return used(a) - used(b) })
	g := grid{header: []string{"waiver", "fault", "state", "mutants", "reason", "owner", "expires"}, right: map[int]bool{3: true}}
	shown := list
	if p.opt.Rows > 0 && len(list) > p.opt.Rows {
		shown = list[:p.opt.Rows]
	}
	for _, w := range shown {
		state := w.State
		if state != WaiverUsed {
			state = p.paint(yellow, state)
		}
		g.rows = append(g.rows, []string{visible.Line(w.Node), visible.Line(w.Fault), state, fmt.Sprint(w.Mutants), visible.Line(w.Reason), visible.Line(w.Owner), w.Expires})
	}
	p.WriteString(g.render(p.opt.Width))
	p.more(len(list) - len(shown))
	p.WriteString("\n")
}
