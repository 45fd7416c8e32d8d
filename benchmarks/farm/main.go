// Command farm says how long a farm of workers takes for a million mutants: from the
// times that mutants took, which it measures on benchmark files or reads from a table,
// it simulates the queue of package farm batch by batch. It writes the table and the
// figures that docs/farm.md quotes.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	netcov := flag.String("netcov", "bin/netcov", "netcov to measure with")
	dir := flag.String("dir", "", "folder of AIGER files to measure; none: read the table")
	every := flag.Int("every", 3, "measure every so manyth file")
	table := flag.String("table", "benchmarks/results/farm-times.csv", "table of the measured times")
	out := flag.String("out", "benchmarks/results/farm.md", "file for the figures")
	mutants := flag.Int("mutants", 1_000_000, "mutants of the simulated design")
	flag.Parse()
	if err := run(*netcov, *dir, *every, *table, *out, *mutants); err != nil {
		fmt.Fprintln(os.Stderr, "farm:", err)
		os.Exit(1)
	}
}

func run(netcov, dir string, every int, table, out string, mutants int) error {
	if dir != "" {
		m, err := measureAll(netcov, dir, every)
		if err != nil {
			return err
		}
		if err := m.write(table); err != nil {
			return err
		}
	}
	m, err := read(table)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return err
	}
	return os.WriteFile(out, []byte(figures(m, mutants)), 0o666)
}
