package report

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
)

// CTL is the CTL coverage of a model (schema netcov-ctl/1).
type CTL struct {
	Head
	// Holds says whether every specification does; missing when that is not known.
	Holds *bool     `json:"holds,omitempty"`
	Specs []CTLSpec `json:"specs"`
	// Combined is the coverage of the specifications together, when more than
	// one was asked for and all hold: a state is covered when one covers it.
	Combined []CTLSignal `json:"combined,omitempty"`
	Tail
}

// CTLSpec is the outcome for one specification.
type CTLSpec struct {
	Formula string `json:"formula"`
	Outcome
	Signals []CTLSignal `json:"signals"`
	Fixed0  []string    `json:"fixed_to_0_covered"`
	Fixed1  []string    `json:"fixed_to_1_covered"`
	// UncoveredControls lists the control signals that can be fixed unnoticed,
	// as "name=value".
	UncoveredControls []string   `json:"uncovered_controls,omitempty"`
	Nondet            *CTLNondet `json:"nondeterministic,omitempty"`
	// EmptySignals lists the signals for which no state is covered.
	EmptySignals []string `json:"empty_signals,omitempty"`
	// Existential says that the specification asks for the existence of a path or
	// for something to happen at some time.
	Existential bool `json:"-"`
	// States covered for at least one signal, and reachable states.
	CoveredStates   *big.Int     `json:"covered_states,omitempty"`
	ReachableStates *big.Int     `json:"reachable_states,omitempty"`
	Interesting     *Interesting `json:"interesting_witness,omitempty"`
	Uncovered       *Uncovered   `json:"uncovered_computation,omitempty"`
	Seconds         float64      `json:"seconds"`
}

// CTLSignal is the coverage of one signal. Uncovered lists reachable states only.
type CTLSignal struct {
	Name       string   `json:"name"`
	Kind       string   `json:"kind"`
	Source     string   `json:"source,omitempty"` // file:line of a register
	Algorithm  string   `json:"algorithm,omitempty"`
	Covered    []string `json:"covered"`
	Uncovered  []string `json:"uncovered"`
	CoveredN   *big.Int `json:"covered_count"`
	UncoveredN *big.Int `json:"uncovered_count"`
	Truncated  bool     `json:"truncated,omitempty"` // the lists are cut
	// CoveredWords and UncoveredWords describe the two sets by the values of words;
	// missing where the states have no words, or are too many.
	CoveredWords   []string `json:"covered_words,omitempty"`
	UncoveredWords []string `json:"uncovered_words,omitempty"`
	// FirstUncovered is a shortest path to a state that is not covered.
	FirstUncovered *Computation `json:"first_uncovered,omitempty"`
	// Unknown says why nothing is known of the signal; the sets are empty then.
	Unknown string `json:"unknown,omitempty"`
	// Cubes are what SAT found; Covered has a state of each, and nothing is known of the
	// number of states. When Complete, no other state is covered.
	Cubes    []Cube `json:"cubes,omitempty"`
	Complete *bool  `json:"complete,omitempty"`
	// Of the pairs algorithm.
	Variables int `json:"bdd_variables,omitempty"`
	PeakNodes int `json:"bdd_peak_nodes,omitempty"`
	// Of the halving algorithm: calls of incomplete model checking, and gates
	// evaluated in all of them.
	Calls   int64   `json:"halving_calls,omitempty"`
	Work    int64   `json:"halving_work,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
}

// Interesting is the interesting witness.
type Interesting struct {
	Computation *Computation `json:"computation,omitempty"`
	Exercised   []string     `json:"exercised"`
	Vacuous     []string     `json:"vacuous"`
}

// Uncovered is a computation of uncovered states.
type Uncovered struct {
	Computation *Computation `json:"computation"`
	Only        bool         `json:"only_uncovered"`
	Met         int          `json:"uncovered_states_met"`
}

// Verdict implements Report.
func (r *CTL) Verdict() (*bool, string) { return r.Holds, r.Stopped }

// Covered counts the pairs of a signal and a reachable state, and those that some
// specification covers; known is false where that was not found out for each.
func (r *CTL) Covered() (covered, all *big.Int, known bool) {
	signals := r.Combined
	if len(r.Specs) == 1 {
		signals = r.Specs[0].Signals
	}
	covered, all = new(big.Int), new(big.Int)
	known = len(r.Specs) == 1 || signals != nil
	for _, s := range signals {
		covered.Add(covered, s.CoveredN)
		all.Add(all, new(big.Int).Add(s.CoveredN, s.UncoveredN))
		known = known && s.Unknown == "" && s.Complete == nil
	}
	return covered, all, known
}

func (r *CTL) describe(d *document, rows int) {
	var together func(*document)
	if len(r.Combined) > 0 {
		together = func(d *document) { writeCTLSignals(d, r.Combined, rows) }
	}
	writeSpecs(d, &r.Head, &r.Tail, r.Specs, rows, together)
}

// picture shows as covered the states that are covered for some signal by some
// specification.
func (r *CTL) picture() (*picture, error) {
	var layers []layer
	for _, s := range r.Specs {
		for _, sig := range s.Signals {
			layers = append(layers, layer{sig.Name, sig.Covered, sig.Truncated})
		}
	}
	return r.draw(layers)
}

func (s CTLSpec) formula() string { return s.Formula }

func (s CTLSpec) write(d *document, rows int) {
	if !s.Outcome.write(d, s.Seconds, rows) {
		return
	}
	writeCTLSignals(d, s.Signals, rows)
	if s.ReachableStates != nil && len(s.Signals) > 0 {
		fmt.Fprintf(d, "covered for at least one signal: %s of %s states (%s)\n", s.CoveredStates, s.ReachableStates, percent(s.CoveredStates, s.ReachableStates))
	}
	if len(s.EmptySignals) > 0 {
		why := "the specification may be vacuous there"
		if s.Existential {
			why = "one state seldom decides what some path must do (E, or AF), so this need not mean vacuity"
		}
		fmt.Fprintf(d, "no state is covered for %s: %s\n", strings.Join(s.EmptySignals, ", "), why)
	}
	var paths []pathTo
	for _, sig := range s.Signals {
		paths = append(paths, pathTo{sig.Name, sig.FirstUncovered})
	}
	writeFirstUncovered(d, paths)
	if len(s.Fixed0)+len(s.Fixed1)+len(s.UncoveredControls) > 0 {
		fmt.Fprintf(d, "control signals whose fixing is noticed: to 0: %s; to 1: %s\n", orNone(s.Fixed0), orNone(s.Fixed1))
		fmt.Fprintf(d, "uncovered control signals (they can be fixed unnoticed): %s\n", orNone(s.UncoveredControls))
	}
	s.Nondet.write(d, s.Signals, rows)
	if in := s.Interesting; in != nil {
		if len(in.Vacuous) > 0 {
			fmt.Fprintf(d, "vacuous: with FALSE for %s the specification still holds\n", strings.Join(in.Vacuous, ", or for "))
		}
		if in.Computation != nil {
			in.Computation.write(d, "interesting witness, which depends on "+strings.Join(in.Exercised, ", "), rows)
		}
	}
	if u := s.Uncovered; u != nil {
		title := fmt.Sprintf("computation with %d states that are not covered", u.Met)
		if u.Met == 1 {
			title = "computation with one state that is not covered"
		}
		if u.Only {
			title = "non-interesting witness: no state of this computation is covered"
		}
		u.Computation.write(d, title, rows)
	} else if s.Interesting != nil && len(s.Signals) > 0 {
		d.WriteString("every reachable state is covered for some signal\n")
	}
}

func writeCTLSignals(d *document, signals []CTLSignal, rows int) {
	writeCTLStates(d, signals, rows, "covered: the specification fails when the signal is flipped in this state alone")
}

func writeCTLStates(d *document, signals []CTLSignal, rows int, meaning string) {
	if len(signals) == 0 {
		d.WriteString("no signal to cover\n")
		return
	}
	t := newTable(table.Row{"signal", "class", "covered", "uncovered", "coverage", uncoveredStates}, 3, 4, 5)
	for _, s := range signals {
		if s.Unknown != "" {
			t.add(table.Row{s.Name, s.Kind, "?", "?", "?", "unknown: " + s.Unknown})
			continue
		}
		if s.Complete != nil {
			n := plural(len(s.Cubes), "cube")
			if !*s.Complete {
				n = "≥ " + n
			}
			t.add(table.Row{s.Name, s.Kind, n, "?", "?", "not listed"})
			continue
		}
		total := new(big.Int).Add(s.CoveredN, s.UncoveredN)
		t.add(table.Row{s.Name, s.Kind, s.CoveredN, s.UncoveredN, percent(s.CoveredN, total), describeStates(s.Uncovered, s.UncoveredWords, rows)})
	}
	t.sources(func(i int) string { return signals[i].Source })
	d.table(t)
	d.WriteString(meaning + "\n")
	for _, s := range signals {
		writeCubes(d, s.Name, s.Cubes, s.Complete, rows)
	}
}

// pathTo is a path to the nearest state that is not covered for a signal, nil for none.
type pathTo struct {
	signal string
	path   *Computation
}

// writeFirstUncovered shows how to come to a state that is not covered, for the signals
// for which the initial states are.
func writeFirstUncovered(d *document, signals []pathTo) {
	const most = 12 // states of a path
	t := newTable(table.Row{"signal", "steps", "path to the nearest uncovered state"}, 2)
	for _, s := range signals {
		if s.path == nil || len(s.path.Steps) == 1 {
			continue
		}
		var path []string
		for _, step := range s.path.Steps {
			path = append(path, cmp.Or(step.Words, step.State))
		}
		steps := len(path) - 1
		if len(path) > most {
			path = append(append(path[:most-1:most-1], "…"), path[steps])
		}
		t.add(table.Row{s.signal, steps, strings.Join(path, " → ")})
	}
	if len(t.Rows) > 0 {
		d.table(t)
	}
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
