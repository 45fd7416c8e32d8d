// Command kgg99 repeats the seven experiments of KGG99 (sections 4 and 6.4) on
// the arbiter and its variations, with lists and with decision diagrams, and
// prints one table: sizes, the number of entries of each criterion, and the
// evidence that the paper shows. It fails when a number differs from the paper's
// (sizes of tableaux that the paper does not give are checked against an
// independent program's).
//
//	go run ./benchmarks/kripke/kgg99
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"netcov/frontend"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"netcov/kripke/analysis"
	"netcov/kripke/formula"
	"netcov/kripke/load"
	"netcov/kripke/report"
	"netcov/kripke/tableau"
)

// experiment is a row of the table.
type experiment struct {
	section, design, spec string      // spec is a file of formulas, "" the design's own
	states                json.Number // of the implementation
	size                  report.Size
	violated              []tableau.Criterion // that must have entries
	met                   []tableau.Criterion // that must have none
	evidence              string              // of the first violated criterion; see shows
}

const (
	start = tableau.UnImplementedStartState
	state = tableau.UnImplementedState
	step  = tableau.UnImplementedTransition
	many  = tableau.ManyToOne
	one   = tableau.OneToMany
)

var experiments = []experiment{
	{"4", "arbiter", "", "24", report.Size{States: "20", Transitions: "66", Initial: "4"}, nil, tableau.Criteria, ""},
	{
		"4.1", "trans", "", "24",
		report.Size{States: "24", Transitions: "106", Initial: "4"},
		[]tableau.Criterion{step},
		nil,
		"!ack0 ack1 req0 req1 → !ack0 ack1 req0 req1",
	},
	{
		"4.2", "unimp", "", "32",
		report.Size{States: "69", Transitions: "371", Initial: "4"},
		[]tableau.Criterion{state},
		nil,
		"ack0 ack1 req0 !req1",
	},
	{
		"4.3", "m2o", "", "96",
		report.Size{States: "20", Transitions: "66", Initial: "4"},
		[]tableau.Criterion{many},
		[]tableau.Criterion{start, state, step, one},
		"",
	},
	{
		"4.4", "arbiter", "start", "24",
		report.Size{States: "46", Transitions: "172", Initial: "11"},
		[]tableau.Criterion{start},
		nil,
		"ack0 !ack1 req1",
	},
	{
		"6.4", "arbiter", "one2many", "24",
		report.Size{States: "26", Transitions: "113", Initial: "4"},
		[]tableau.Criterion{one},
		[]tableau.Criterion{start, state, step, many},
		"!ack0 ack1 req0 req1: !ack0 ack1 req0 req1, !ack0 ack1 req1",
	},
	{"6.4", "arbiter", "one2many-less", "24", report.Size{States: "24", Transitions: "96", Initial: "4"}, nil, tableau.Criteria, ""},
}

func main() {
	dir := flag.String("designs", "benchmarks/designs/smv/kgg99", "folder of the designs")
	flag.Parse()
	wrong, err := run(*dir)
	if err != nil {
		log.Fatal(err)
	}
	if wrong > 0 {
		log.Fatalf("%d of %d experiments differ from the paper", wrong, len(experiments))
	}
	fmt.Println("every number is the paper's")
}

func run(dir string) (wrong int, err error) {
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{
		"section", "design", "specification", "states", "tableau", "transitions", "initial",
		"StartState", "State", "Transition", "ManyToOne", "OneToMany", "variables", "evidence", "",
	})
	for _, x := range experiments {
		explicit, err := x.run(dir, string(tableau.Explicit))
		if err != nil {
			return 0, err
		}
		symbolic, err := x.run(dir, string(tableau.Symbolic))
		if err != nil {
			return 0, err
		}
		row := table.Row{x.section, x.design, x.spec, explicit.States, explicit.Tableau.States, explicit.Tableau.Transitions, explicit.Tableau.Initial}
		for _, k := range tableau.Criteria {
			row = append(row, explicit.Totals[string(k)])
		}
		verdict := x.check(explicit)
		if verdict == "" {
			verdict = x.check(symbolic)
		}
		for k, n := range explicit.Totals {
			if symbolic.Totals[k] != n {
				verdict = "the algorithms differ"
			}
		}
		if verdict == "" {
			verdict = "as in the paper"
		} else {
			wrong++
		}
		t.AppendRow(append(row, fmt.Sprintf("%d = 2·%d", symbolic.Variables, symbolic.Variables/2), x.evidence, verdict))
	}
	fmt.Println(t.Render())
	return wrong, nil
}

// run compares the design with its specification.
func (x experiment) run(dir string, algorithm string) (*report.Comparison, error) {
	ctx := context.Background()
	src, err := load.Open(ctx, filepath.Join(dir, x.design+".smv"), frontend.Options{})
	if err != nil {
		return nil, err
	}
	q := analysis.Comparison{Impl: src, Algorithm: algorithm, Room: analysis.Room{Progress: func(string) {}}}
	if x.spec != "" {
		path := filepath.Join(dir, x.spec+".ctl")
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if q.Specs, err = formula.ParseFile(path, string(data), formula.ACTL); err != nil {
			return nil, err
		}
	}
	return q.Run(ctx)
}

// check says what differs, "" for nothing.
func (x experiment) check(r *report.Comparison) string {
	switch {
	case r.Holds == nil || !*r.Holds:
		return "does not hold"
	case r.States != x.states:
		return fmt.Sprintf("%s states", r.States)
	case r.Tableau != x.size:
		return fmt.Sprintf("tableau of %v", r.Tableau)
	case r.Algorithm == string(tableau.Symbolic) && r.Variables != 2*max(bits(x.states), bits(x.size.States)):
		return fmt.Sprintf("%d variables", r.Variables)
	}
	for _, k := range x.violated {
		if r.Totals[string(k)] == "0" {
			return string(k) + " is empty"
		}
	}
	for _, k := range x.met {
		if r.Totals[string(k)] != "0" {
			return string(k) + " is not empty"
		}
	}
	if x.evidence != "" && !slices.ContainsFunc(r.Criteria[string(x.violated[0])], func(e *report.Entry) bool {
		return shows(x.violated[0], e) == x.evidence
	}) {
		return "the evidence is missing"
	}
	return ""
}

// shows is an entry as the table of experiments writes it.
func shows(k tableau.Criterion, e *report.Entry) string {
	out := strings.Join(e.Literals, " ")
	switch k {
	case step:
		out += " → " + strings.Join(*e.ToLiterals, " ")
	case one:
		var states []string
		for _, t := range e.Tableau {
			states = append(states, strings.Join(t.Literals, " "))
		}
		slices.Sort(states)
		out += ": " + strings.Join(states, ", ")
	}
	return out
}

// bits is the number of bits that number n states.
func bits(n json.Number) int {
	most, _ := n.Int64()
	b := 1
	for int64(1)<<b < most {
		b++
	}
	return b
}
