// Package report holds what the analyses of Kripke structures come to, and turns
// it into what users and other programs read: text, JSON (schemas in schema/),
// HTML and Graphviz.
package report

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"netcov/kripke/structure"
)

//go:embed schema/*.json
var schemas embed.FS

// JSONSchema is the JSON Schema (draft 2020-12) of a command's report: "ctl",
// "ltl", "simulate" or "compare".
func JSONSchema(command string) []byte {
	data, err := schemas.ReadFile("schema/" + command + ".json")
	if err != nil {
		panic(err)
	}
	return data
}

// Report is the outcome of an analysis: CTL, LTL, Simulation or Comparison.
type Report interface {
	// Verdict says whether the specifications hold, nil when that is not known,
	// and what ended the run before everything was computed, "" when nothing did.
	Verdict() (holds *bool, stopped string)
	// Warnings are for standard error; the report's notes have them, too.
	Warnings() []string
	// subject says what was checked, on one line.
	subject() string
	// describe tells the report to a reader, with that many rows of each list and
	// computation; 0 tells all.
	describe(d *document, rows int)
	// picture draws the states by their coverage.
	picture() (*picture, error)
}

// WriteText writes a report for a reader at a terminal. It shows that many rows of each
// list and computation; 0 shows all.
func WriteText(w io.Writer, r Report, rows int) error {
	var d document
	r.describe(&d, rows)
	return d.writeText(w)
}

// WriteJSON writes a report as one indented JSON object.
func WriteJSON(w io.Writer, r Report) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(r)
}

// Head says what was checked.
type Head struct {
	Schema string `json:"schema"`
	File   string `json:"file"`
	Model  string `json:"model"` // what the specifications were checked on
}

// Tail is what every report ends with.
type Tail struct {
	// Unreachable lists a structure's unreachable states.
	Unreachable []string `json:"unreachable,omitempty"`
	Notes       []string `json:"notes,omitempty"`
	// Stopped says what ended the run before everything was computed.
	Stopped string `json:"stopped,omitempty"`

	warnings []string // the notes that belong on standard error, too

	// Graph is what a drawing shows; nil before the model is built.
	Graph func() (*structure.Structure, error) `json:"-"`
	// Describe says by the values of words which states of both lists are in the first;
	// nil without words.
	Describe func(in, out []string) []string `json:"-"`
}

// Note adds a note, once.
func (t *Tail) Note(text string) {
	if !slices.Contains(t.Notes, text) {
		t.Notes = append(t.Notes, text)
	}
}

// Warn adds a note that warns; a command repeats it on standard error.
func (t *Tail) Warn(text string) {
	t.Note("warning: " + text)
	t.warnings = append(t.warnings, text)
}

// Warnings are the texts given to Warn.
func (t *Tail) Warnings() []string { return t.warnings }

// Outcome is whether a specification holds; Holds is missing when the run
// stopped before it was known.
type Outcome struct {
	Holds          *bool        `json:"holds,omitempty"`
	Counterexample *Computation `json:"counterexample,omitempty"`
}

// Computation is a path; Loop is the step to which it goes back at the end, and
// missing for a finite prefix after which nothing matters.
type Computation struct {
	Steps []Step `json:"steps"`
	Loop  *int   `json:"loop,omitempty"`
	Shows string `json:"shows,omitempty"` // what holds in the last state
}

// Step is a state of a computation with what is read as true there.
type Step struct {
	State   string   `json:"state"`
	Words   string   `json:"words,omitempty"` // the words that are not 0 in a control state
	Inputs  string   `json:"inputs,omitempty"`
	Holds   []string `json:"holds"`
	Flipped bool     `json:"flipped,omitempty"`
	Answer  string   `json:"answer,omitempty"` // the specification's state beside it
}

// All is the verdict on several specifications: false as soon as one fails, true
// when all hold, nil while that is open or when there are none.
func All[S specification](specs []S) *bool {
	all := len(specs) > 0
	for _, s := range specs {
		switch h := s.outcome(); {
		case h == nil:
			all = false
		case !*h:
			return h
		}
	}
	if !all {
		return nil
	}
	return &all
}

func (h *Head) write(d *document) { fmt.Fprintf(d, "%s: %s\n", h.File, h.Model) }

func (h *Head) subject() string { return h.File }

func (t *Tail) writeNotes(d *document) {
	for _, n := range t.Notes {
		fmt.Fprintf(d, "note: %s\n", n)
	}
}

// end writes the last lines, each after a gap.
func (t *Tail) end(d *document, gap string, rows int) {
	if n := len(t.Unreachable); n > 0 {
		fmt.Fprintf(d, "%sunreachable (%d): %s\n", gap, n, list(t.Unreachable, rows))
	}
	if t.Stopped != "" {
		fmt.Fprintf(d, "%sstopped: %s\n", gap, t.Stopped)
	}
}

// write reports whether the specification's coverage is to follow.
func (o *Outcome) write(d *document, seconds float64, rows int) bool {
	switch {
	case o.Holds == nil:
		d.WriteString("not decided\n")
		return false
	case !*o.Holds:
		d.WriteString("does NOT hold, so its coverage is not defined\n")
		if o.Counterexample != nil {
			o.Counterexample.write(d, "counterexample", rows)
		}
		return false
	}
	fmt.Fprintf(d, "holds (%.2f s)\n", seconds)
	return true
}

// specification is one of several in a report.
type specification interface {
	outcome() *bool
	formula() string
	write(d *document, rows int)
}

func (o Outcome) outcome() *bool { return o.Holds }

// writeSpecs writes a report on specifications: each, and below them what writeAll
// says of all together, nil where there is nothing to say.
func writeSpecs[S specification](d *document, h *Head, t *Tail, specs []S, rows int, writeAll func(*document)) {
	h.write(d)
	t.writeNotes(d)
	for i, s := range specs {
		d.heading(1, "specification %d: %s", i+1, s.formula())
		s.write(d, rows)
	}
	if writeAll != nil {
		d.heading(1, "all specifications together")
		writeAll(d)
	}
	t.end(d, "\n", rows)
}

// uncoveredStates heads the column of a list of states.
const uncoveredStates = "uncovered states"

func percent(part, whole *big.Int) string {
	if whole.Sign() == 0 {
		return "-"
	}
	f, _ := new(big.Rat).SetFrac(new(big.Int).Mul(part, big.NewInt(100)), whole).Float64()
	return fmt.Sprintf("%.1f%%", f)
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// write writes a computation as a table. Inputs have a column where
// some step has them; ★ marks a flipped visit.
func (c *Computation) write(d *document, title string, rows int) {
	fmt.Fprintf(d, "%s:\n", title)
	inputs := slices.ContainsFunc(c.Steps, func(s Step) bool { return s.Inputs != "" })
	header := table.Row{"step", "state", "true"}
	if inputs {
		header = table.Row{"step", "state", "inputs", "true"}
	}
	t := newTable(header)
	for i, s := range c.Steps {
		if rows > 0 && i == rows {
			t.Footer = table.Row{"…", fmt.Sprintf("%d more", len(c.Steps)-i)}
			break
		}
		step := fmt.Sprint(i)
		if c.Loop != nil && *c.Loop == i {
			step += " ←"
		}
		star := ""
		if s.Flipped {
			star = " ★"
		}
		row := table.Row{step, cmp.Or(s.Words, s.State) + star}
		if inputs {
			row = append(row, s.Inputs)
		}
		t.add(append(row, strings.Join(s.Holds, ", ")))
	}
	d.table(t)
	if c.Loop != nil {
		fmt.Fprintf(d, "and again from step %d\n", *c.Loop)
	}
	if c.Shows != "" {
		fmt.Fprintf(d, "the last state satisfies %s\n", c.Shows)
	}
}
