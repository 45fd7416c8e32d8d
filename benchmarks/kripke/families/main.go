// Command families measures netcov ctl and netcov ltl on families of designs of
// growing size: for each it prints the largest design that ends within a limit of CPU
// time and memory, and how the CPU time grows with the size.
//
//	go build -o out/netcov ./cmd/netcov
//	go run ./benchmarks/kripke/families -netcov out/netcov
//	go run ./benchmarks/kripke/families -netcov out/netcov -commands ltl -only ring,pairs
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"gonum.org/v1/plot/plotter"

	"netcov/benchmarks/kripke/internal/growth"
)

func main() {
	netcov := flag.String("netcov", "netcov", "program to measure")
	limit := flag.Duration("limit", time.Minute, "CPU time of a run")
	memory := flag.Uint64("memory", 2<<30, "bytes of memory that a run may take")
	sizes := flag.String("sizes", "4,8,16,32,64", "sizes of the designs")
	only := flag.String("only", "", "families to measure, all without")
	commands := flag.String("commands", "ctl,ltl", "commands to measure")
	flag.Parse()
	dir, err := os.MkdirTemp("", "families")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	t := table.NewWriter()
	t.SetStyle(table.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(table.Row{"family", "command", "largest", "CPU seconds, memory", "growth", "next"})
	for _, f := range families {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), f.name) {
			continue
		}
		for _, command := range strings.Split(*commands, ",") {
			largest, figures, next := "none", "", "not tried"
			s := growth.Series{Least: 0.02}
			for _, size := range strings.Split(*sizes, ",") {
				n, err := strconv.Atoi(size)
				if err != nil {
					log.Fatal(err)
				}
				path := filepath.Join(dir, fmt.Sprint(f.name, n, ".smv"))
				if err := os.WriteFile(path, []byte(f.model(n)), 0o644); err != nil {
					log.Fatal(err)
				}
				spec := map[string]string{"ctl": "AG good", "ltl": "G good"}[command]
				r := run(*netcov, *limit, *memory, command, path, "--spec", spec)
				fmt.Fprintf(os.Stderr, "%s %d %s: %.2f s, %s %s\n", f.name, n, command, r.seconds, humanize.IBytes(r.memory), r.failed)
				if r.failed != "" {
					next = fmt.Sprintf("%d: %s", n, r.failed)
					break
				}
				largest, figures = size, fmt.Sprintf("%.2f, %s", r.seconds, humanize.IBytes(r.memory))
				s.Points = append(s.Points, plotter.XY{X: float64(n), Y: r.seconds})
			}
			t.AppendRow(table.Row{f.name, command, largest, figures, fmt.Sprintf("n^%.1f", s.Slope()), next})
		}
	}
	fmt.Println(t.Render())
}

// result is what a run took, and why it counts as failed.
type result struct {
	seconds float64
	memory  uint64
	failed  string
}

func run(program string, limit time.Duration, memory uint64, args ...string) result {
	// The shell bounds the CPU time; the wall clock of a busy machine says little.
	shell := fmt.Sprintf("ulimit -t %d; exec \"$@\"", int(limit.Seconds()))
	cmd := exec.CommandContext(context.Background(), "sh", append([]string{"-c", shell, "sh", program}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	r := result{}
	if cmd.ProcessState == nil {
		r.failed = err.Error()
		return r
	}
	r.seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		r.memory = uint64(u.Maxrss) << 10
	}
	var exit *exec.ExitError
	switch {
	case r.seconds > 0.9*limit.Seconds(): // the shell's limit is a little early
		r.failed = "CPU time"
	case r.memory > memory:
		r.failed = "memory"
	case errors.As(err, &exit):
		r.failed = fmt.Sprintf("exit code %d", exit.ExitCode())
	}
	return r
}
