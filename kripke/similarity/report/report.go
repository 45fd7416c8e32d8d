// Package report runs the simulation coverage of an implementation and turns
// the results into what users and other programs read: text, JSON (schema
// netcov-simulate/1) and Graphviz.
package report

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"netcov/kripke/bdd"
	"netcov/kripke/internal/sides"
	"netcov/kripke/load"
	"netcov/kripke/similarity"
	"netcov/kripke/structure"
)

// Schema names the JSON form. The schema itself is schema.json beside this file.
const Schema = "netcov-simulate/1"

// JSONSchema is the JSON Schema (draft 2020-12) of a report.
//
//go:embed schema.json
var JSONSchema []byte

// Report is the JSON form of a run.
type Report struct {
	Schema         string `json:"schema"`
	Implementation string `json:"implementation"`
	Specification  string `json:"specification"`
	States         [2]int `json:"states"` // of both
	Transitions    [2]int `json:"transitions"`
	// Compared lists the propositions on which labels must agree.
	Compared []string `json:"compared"`
	// Simulated is missing when the run stopped before it was known.
	Simulated *bool       `json:"simulated,omitempty"`
	Reason    *Reason     `json:"reason,omitempty"` // why not
	Algorithm string      `json:"algorithm"`
	Signals   []Signal    `json:"signals"`
	Mutants   int         `json:"mutants,omitempty"` // size of the mutant vector
	Covered   [][2]string `json:"mutants_covered"`   // its covered mutants
	Effort    *Effort     `json:"effort,omitempty"`  // of the mutant vector
	// Unreachable lists the implementation's unreachable states.
	Unreachable []string `json:"unreachable,omitempty"`
	Notes       []string `json:"notes,omitempty"`
	// Stopped says what ended the run before everything was computed.
	Stopped string `json:"stopped,omitempty"`

	k *structure.Structure
}

// Reason is why the specification does not simulate the implementation: a path
// of the implementation whose last state nothing simulates.
type Reason struct {
	Steps []Step `json:"steps"`
	// Trace says that no path of the specification has these labels. Else it
	// has one for each path, but not one choice that fits all continuations.
	Trace bool `json:"no_path_has_these_labels"`
}

// Step is a step of a reason.
type Step struct {
	State  string   `json:"state"`
	Holds  []string `json:"holds"`
	Answer string   `json:"answer,omitempty"` // the specification's state beside it
}

// Signal is the coverage of one signal. Uncovered lists reachable states only.
type Signal struct {
	Name      string   `json:"name"`
	Covered   []string `json:"covered"`
	Uncovered []string `json:"uncovered"`
	Effort    *Effort  `json:"effort,omitempty"`
}

// Effort is what a coverage computation took.
type Effort struct {
	Calls      int64   `json:"similarity_calls,omitempty"`
	Work       int64   `json:"similarity_work,omitempty"`
	Variables  int     `json:"bdd_variables,omitempty"`
	PeakNodes  int     `json:"bdd_peak_nodes,omitempty"`
	Iterations int     `json:"iterations,omitempty"`
	Seconds    float64 `json:"seconds"`
}

// Request says what to compute.
type Request struct {
	Impl, Spec *load.Source
	// Compare lists the propositions that are compared; none are the
	// specification's.
	Compare []string
	// Signals are the signals whose coverage is wanted; none are all compared
	// ones, or no signal when there is a mutant vector.
	Signals []string
	// Mutants is the text of a mutant vector, nil without one, and MutantsFile
	// its name.
	Mutants     io.Reader
	MutantsFile string
	Algorithm   similarity.Algorithm
	Seed        uint64
	MaxStates   int // of each side; 0 is structure.MaxStates
	NodeLimit   int // of decision diagrams
	Progress    func(string)
}

// Run computes a report. When the context ends the run, the report holds what
// is known by then and says so in Stopped; other errors give no report.
func Run(ctx context.Context, q Request) (*Report, error) {
	r := &Report{
		Schema: Schema, Implementation: q.Impl.Path, Specification: q.Spec.Path, Algorithm: string(q.Algorithm),
		Compared: []string{}, Signals: []Signal{}, Covered: [][2]string{},
		Notes: append(slices.Clone(q.Impl.Notes), q.Spec.Notes...),
	}
	err := r.run(ctx, q)
	if words, ok := sides.Stopped(ctx, err); ok {
		r.Stopped, err = words, nil
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (r *Report) run(ctx context.Context, q Request) error {
	q.Progress("listing states")
	impl, spec, ap, notes, err := sides.Pair(ctx, q.Impl, q.Spec, q.Compare, q.MaxStates)
	if err != nil {
		return err
	}
	r.k = impl
	r.Compared, r.Notes = ap, append(r.Notes, notes...)
	r.States, r.Transitions = [2]int{impl.Len(), spec.Len()}, [2]int{impl.Transitions(), spec.Transitions()}
	p, err := similarity.NewProblem(impl, spec, ap...)
	if err != nil {
		return err
	}
	for _, s := range q.Signals {
		if _, ok := impl.Proposition(s); !ok {
			return fmt.Errorf("%s: there is no signal %q; there are %s", q.Impl.Path, s, strings.Join(impl.AP, ", "))
		}
	}
	var mutants []similarity.Mutant
	if q.Mutants != nil {
		file := q.Impl.Format == "hoa" || q.Impl.Format == "text"
		var unlisted []string
		if mutants, unlisted, err = p.ReadMutants(q.MutantsFile, q.Mutants, !file); err != nil {
			return err
		}
		if n := len(unlisted); n > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("%s: %d states are not among the reachable ones, so their mutants are not covered: %.200s", q.MutantsFile, n, strings.Join(unlisted, ", ")))
		}
		r.Mutants = len(mutants)
	}
	reachable := impl.Reachable()
	for s, name := range impl.States {
		if !reachable.Has(s) {
			r.Unreachable = append(r.Unreachable, name)
		}
	}
	q.Progress("simulation")
	sim, err := p.Similarity(ctx)
	if err != nil {
		return err
	}
	holds := p.Simulates(sim)
	r.Simulated = &holds
	if !holds {
		r.reason(p, p.Why(sim))
		return nil
	}
	signals := q.Signals
	if len(signals) == 0 && q.Mutants == nil {
		signals = p.Propositions()
	}
	for _, name := range signals {
		q.Progress("coverage of " + name)
		vector := p.MutantsOf(name)
		covered, effort, err := cover(ctx, p, vector, q)
		if err != nil {
			return err
		}
		s := Signal{Name: name, Covered: []string{}, Uncovered: []string{}, Effort: effort}
		for n, m := range vector {
			if covered[n] {
				s.Covered = append(s.Covered, impl.States[m.State])
			} else {
				s.Uncovered = append(s.Uncovered, impl.States[m.State])
			}
		}
		r.Signals = append(r.Signals, s)
	}
	if q.Mutants == nil {
		return nil
	}
	q.Progress("coverage of the mutants")
	covered, effort, err := cover(ctx, p, mutants, q)
	if err != nil {
		return err
	}
	r.Effort = effort
	for n, m := range mutants {
		if covered[n] {
			r.Covered = append(r.Covered, [2]string{impl.States[m.State], m.Signal})
		}
	}
	return nil
}

func cover(ctx context.Context, p *similarity.Problem, vector []similarity.Mutant, q Request) ([]bool, *Effort, error) {
	start := time.Now()
	c, err := p.Cover(ctx, vector, similarity.Options{
		Algorithm: q.Algorithm, Seed: q.Seed, Diagrams: bdd.Options{NodeLimit: q.NodeLimit},
	})
	if err != nil {
		return nil, nil, err
	}
	return c.Covered, &Effort{c.Calls, c.Work, c.Variables, c.PeakNodes, c.Iterations, time.Since(start).Seconds()}, nil
}

func (r *Report) reason(p *similarity.Problem, why *similarity.Reason) {
	r.Reason = &Reason{Trace: why.Trace}
	for n, w := range why.Path {
		s := Step{State: p.Impl.States[w], Holds: []string{}}
		for _, name := range p.Impl.Label(w) {
			if slices.Contains(r.Compared, name) {
				s.Holds = append(s.Holds, name)
			}
		}
		if n < len(why.Answer) {
			s.Answer = p.Spec.States[why.Answer[n]]
		}
		r.Reason.Steps = append(r.Reason.Steps, s)
	}
}

// WriteJSON writes the report as one indented JSON object.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// maxDrawn bounds the states of a drawing.
const maxDrawn = 2000

// WriteDot draws the implementation; a state is covered when it is for some
// signal or mutant.
func (r *Report) WriteDot(w io.Writer) error {
	if r.k == nil || r.k.Len() > maxDrawn {
		return fmt.Errorf("a drawing shows at most %d states", maxDrawn)
	}
	class := make(map[string]structure.Class, r.k.Len())
	for _, s := range r.Signals {
		for _, name := range s.Uncovered {
			if class[name] == structure.Plain {
				class[name] = structure.Uncovered
			}
		}
		for _, name := range s.Covered {
			class[name] = structure.Covered
		}
	}
	for _, m := range r.Covered {
		class[m[0]] = structure.Covered
	}
	for _, name := range r.Unreachable {
		class[name] = structure.Unreachable
	}
	return r.k.WriteDot(w, "simulation coverage of "+r.Implementation, func(s int) structure.Class { return class[r.k.States[s]] })
}
