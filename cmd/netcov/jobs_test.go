package main

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/coverage/report"
)

// TestJobs: whatever the number of workers, the report says the same of the same mutants,
// in the same order. What settled a mutant, the depth of its trace, and times, may differ.
func TestJobs(t *testing.T) {
	designs, err := filepath.Glob("../../benchmarks/designs/*.aag")
	if err != nil || len(designs) == 0 {
		t.Fatal(err, designs)
	}
	r := rand.New(rand.NewPCG(19, 4))
	dir := t.TempDir()
	for i := 0; i < 60; i++ {
		shape := randaig.Everything()
		shape.Ands, shape.Latches, shape.Bads = 10+r.IntN(40), 3+r.IntN(8), 1+r.IntN(4)
		path := filepath.Join(dir, string(rune('a'+i))+".aag")
		if err := aiger.WriteFile(path, randaig.New(r, shape)); err != nil {
			t.Fatal(err)
		}
		designs = append(designs, path)
	}
	mutants, covered, reasons := 0, 0, map[string]int{}
	for i, path := range designs {
		args := []string{"cover", "--quiet", "--format", "json", "--why", "5m", path}
		if i%3 == 0 {
			args = append(args, "--nodes", "all")
		}
		first := said(t, args, "1")
		for _, jobs := range []string{"2", "8"} {
			if other := said(t, args, jobs); !reflect.DeepEqual(first, other) {
				t.Errorf("%v says with %s jobs\n%+v\nand with one\n%+v", args, jobs, other, first)
			}
		}
		for _, m := range first.Mutants {
			mutants++
			if m.Verdict == "covered" {
				covered++
			}
			reasons[m.Reason]++
		}
	}
	t.Log(len(designs), mutants, covered, reasons)
	if covered < 100 || len(reasons) < 5 || reasons["open"] > 0 {
		t.Error("the test says little")
	}
}

// statements are what a report says of a design, whatever the number of workers.
type statements struct {
	Code       int
	Properties []struct {
		Index  int
		Status string
	}
	Summary struct {
		report.Counts
		Reasons map[string]int
		Matters *report.Counts
	}
	Mutants []struct {
		Node    report.Node
		Fault   string
		Verdict string
		Reason  string
	}
}

func said(t *testing.T, args []string, jobs string) statements {
	t.Helper()
	code, out, errOut := capture(t, append(args[:len(args):len(args)], "--jobs", jobs)...)
	s := statements{Code: code}
	if out != "" {
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatalf("%v: %v: %s", args, err, errOut)
		}
	}
	return s
}
