// Command harness measures netcov on a directory of AIGER files and draws the
// figures of DAC10, section 5: a scatter of netcov against the naive loop, the
// verdicts by test, and the accuracy reached over time.
//
//	go run ./benchmarks/harness -netcov bin/netcov -dir DIR -out out/bench
//
// Where DIR has an index.tsv with a column "status", only its safe files are
// run. Times are ratios to the model checking of the design in the same run; a
// check shorter than 10 ms counts as 10 ms. Where berkeley-abc is installed, its
// pdr and int run beside netcov, and a sample of mutants one by one.
//
// With -sets DIR has designs with many properties; each set is one question to netcov
// and, where it is installed, to berkeley-abc, and CPU times are told.
//
// With -reasons BUDGET the reasons of the mutants that no property notices are counted,
// and their time is compared with that of the coverage.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// settings are the command's flags.
type settings struct {
	netcov, dir, out, compare string
	timeout, budget, cpu      time.Duration
	limit, sample             int
	abc                       string
	args                      string
	sets                      bool
	reasons                   string
}

func main() {
	var s settings
	flag.StringVar(&s.netcov, "netcov", "bin/netcov", "the program to measure")
	flag.StringVar(&s.dir, "dir", "", "directory of AIGER files")
	flag.StringVar(&s.out, "out", "out/bench", "directory for the table and the figures")
	flag.StringVar(&s.compare, "compare", "", "table of an earlier run to compare with")
	flag.DurationVar(&s.timeout, "timeout", 60*time.Second, "time for model checking a design")
	flag.DurationVar(&s.budget, "budget", 60*time.Second, "time for the coverage of a design")
	flag.DurationVar(&s.cpu, "cpu", 0, "end a program after so much processor time (Linux), for machines with other work; 0 for no such limit")
	flag.IntVar(&s.limit, "limit", 0, "run only so many files, evenly spread; 0 runs all")
	flag.IntVar(&s.sample, "sample", 0, "mutants a file that ABC's pdr decides one by one; 0 leaves the naive loop out")
	flag.StringVar(&s.abc, "abc", "berkeley-abc", "the ABC program; empty leaves it out")
	flag.StringVar(&s.args, "args", "", "further arguments for netcov cover, separated by blanks")
	flag.BoolVar(&s.sets, "sets", false, "the files have many properties: measure each set as one question, in a table of its own")
	flag.StringVar(&s.reasons, "reasons", "", "measure the search for reasons, with this budget: a multiple of the coverage time, as 1x, or a time; in a table of its own (default none)")
	flag.Parse()
	if s.dir == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := s.run(); err != nil {
		fmt.Fprintln(os.Stderr, "harness:", err)
		os.Exit(1)
	}
}

func (s *settings) run() error {
	files, err := s.files()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	if s.sets {
		return s.runSets(files)
	}
	if s.reasons != "" {
		return s.runReasons(files)
	}
	abc := findABC(s.abc, s.cpu)
	var rows []*row
	for i, f := range files {
		r, err := s.measure(f)
		if err != nil {
			return err
		}
		if abc != nil {
			abc.beside(r, f, s.timeout, s.sample)
		}
		rows = append(rows, r)
		fmt.Printf("%3d/%d %-24s check %7.3f s  cover %7.3f s  unknown %d\n", i+1, len(files), r.file, r.check, r.cover, r.unknown)
		if err := writeTable(filepath.Join(s.out, "table.csv"), rows); err != nil {
			return err
		}
	}
	fmt.Print(summary(rows))
	if s.compare != "" {
		if err := compare(s.compare, rows); err != nil {
			return err
		}
	}
	return draw(s.out, rows)
}
