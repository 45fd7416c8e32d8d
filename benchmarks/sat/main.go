// Command sat measures the project's SAT solver on unrollings of circuits,
// beside MiniSat and gini.
//
//	go run ./benchmarks/sat generate -dir DIR -out CNF
//	go run ./benchmarks/sat compare CNF
//	go run ./benchmarks/sat bmc -dir DIR
//
// The first writes DIMACS files, two for each family of the directory's AIGER
// files, at the first depth that takes MiniSat a time within a window. The
// second solves each with several solvers, one process after the other, and
// prints CPU seconds and the geometric means of their ratios. The third asks
// two solvers the same incremental questions of bounded model checking. MiniSat
// is Debian's package minisat.
package main

import (
	"flag"
	"fmt"
	"os"
)

const usage = `usage: sat generate -dir DIR -out CNF [flags]   unroll AIGER files to DIMACS files
       sat compare [flags] CNF                  solve them with several solvers
       sat solve [flags] FILE.cnf               solve one file
       sat bmc -dir DIR [flags]                 incremental bounded model checking
`

func main() {
	modes := map[string]func(args []string) error{
		"generate": generateMain, "compare": compareMain, "solve": solveMain, "bmc": bmcMain,
	}
	if len(os.Args) < 2 || modes[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	if err := modes[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "sat:", err)
		os.Exit(1)
	}
}

// flags returns an empty set of flags for a mode.
func flags(mode string) *flag.FlagSet { return flag.NewFlagSet("sat "+mode, flag.ExitOnError) }
