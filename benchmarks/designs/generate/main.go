// Command generate writes the project's own example designs as AIGER files:
//
//	go run ./benchmarks/designs/generate benchmarks/designs
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"netcov/aiger"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: generate DIR")
		os.Exit(2)
	}
	for name, build := range designs {
		c := newCircuit()
		build(c)
		if err := aiger.WriteFile(filepath.Join(os.Args[1], name+".aag"), c.n.ToAIGER()); err != nil {
			fmt.Fprintln(os.Stderr, "generate:", err)
			os.Exit(1)
		}
	}
}
