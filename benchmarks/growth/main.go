// Command growth measures how time and memory grow with the size of a design:
//
//	go run ./benchmarks/growth -netcov bin/netcov -out docs/figures
//
// It generates designs of four families, from 100 latches on, runs netcov check and
// netcov cover with the tests before model checking on each, and writes a table of CPU
// seconds and peak memory, two figures, and the exponents that fit best: the slope of a
// straight line through the logarithms.
package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"netcov/aiger"
	"netcov/internal/atomicfile"
)

// sizes are numbers of latches.
var sizes = []int{100, 300, 1000, 3000, 10_000, 30_000, 100_000, 200_000}

// fitFrom is the number of latches from which exponents are fitted: below, most of the
// time and memory is that of starting a program.
const fitFrom = 3000

// point is one measurement.
type point struct {
	family, command string
	latches, gates  int
	seconds, mib    float64
}

type settings struct {
	netcov, out, tests string
	generate           string
	most               int
	limit              time.Duration
}

func main() {
	var s settings
	flag.StringVar(&s.netcov, "netcov", "bin/netcov", "the program to measure")
	flag.StringVar(&s.out, "out", "out/growth", "directory for the table and the figures")
	flag.StringVar(&s.tests, "tests", "CONE,SUPPORT,SIMULATION", "tests of netcov cover")
	flag.IntVar(&s.most, "most", sizes[len(sizes)-1], "latches of the largest design")
	flag.DurationVar(&s.limit, "limit", 5*time.Minute, "time for a run; a family ends with the first that takes longer")
	flag.StringVar(&s.generate, "generate", "", "write a design to this file and end; for this, the name of a family and a number of latches follow")
	flag.Parse()
	run := s.run
	if s.generate != "" {
		run = s.writeDesign
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "growth:", err)
		os.Exit(1)
	}
}

func (s *settings) run() error {
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "growth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	commands := map[string][]string{
		"check": {"check", "--quiet"},
		"cover": {"cover", "--quiet", "--why", "none", "--format", "json", "--tests", s.tests},
	}
	var points []point
	for _, f := range families {
		ended := map[string]bool{}
		for _, size := range sizes {
			if size > s.most {
				break
			}
			path := filepath.Join(dir, f.name+".aig")
			latches, gates, err := s.design(path, f.name, size)
			if err != nil {
				return err
			}
			for _, name := range []string{"check", "cover"} {
				if ended[name] {
					continue
				}
				p := point{family: f.name, command: name, latches: latches, gates: gates}
				if p.seconds, p.mib, err = s.measure(append(commands[name], path)); err != nil {
					fmt.Printf("%s of %d %s: %v\n", name, p.latches, f.name, err)
					ended[name] = true
					continue
				}
				fmt.Printf("%-9s %6d latches %7d gates  %s %8.2f s %8.1f MiB\n", f.name, p.latches, p.gates, name, p.seconds, p.mib)
				points = append(points, p)
			}
		}
		for _, name := range []string{"check", "cover"} {
			seconds, mib := exponents(points, f.name, name)
			fmt.Printf("%-9s exponents of %s: time %.2f, memory %.2f\n", f.name, name, seconds, mib)
		}
		if err := s.save(points); err != nil {
			return err
		}
	}
	return nil
}

// design has this program write a design in a process of its own: the peak memory of a
// program begins with that of the one that starts it.
func (s *settings) design(path, family string, size int) (latches, gates int, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, 0, err
	}
	out, err := exec.Command(self, "-generate", path, family, strconv.Itoa(size)).Output()
	if err != nil {
		return 0, 0, err
	}
	_, err = fmt.Sscan(string(out), &latches, &gates)
	return latches, gates, err
}

// writeDesign writes a design and tells its latches and gates.
func (s *settings) writeDesign() error {
	at := slices.IndexFunc(families, func(f family) bool { return f.name == flag.Arg(0) })
	size, err := strconv.Atoi(flag.Arg(1))
	if at < 0 || err != nil {
		return fmt.Errorf("no design %q: name a family and a number of latches", flag.Args())
	}
	file := generate(families[at], size)
	fmt.Println(len(file.Latches), len(file.Ands))
	return aiger.WriteFile(s.generate, file)
}

// save writes the table, the exponents and the figures.
func (s *settings) save(points []point) error {
	if err := atomicfile.Write(filepath.Join(s.out, "growth.csv"), func(w io.Writer) error { return write(w, points) }); err != nil {
		return err
	}
	return draw(s.out, points)
}

// measure runs netcov and returns its CPU seconds and its peak memory in MiB.
func (s *settings) measure(args []string) (seconds, mib float64, err error) {
	c := exec.Command(s.netcov, args...)
	var text strings.Builder
	c.Stderr = &text
	if err := c.Start(); err != nil {
		return 0, 0, err
	}
	timer := time.AfterFunc(s.limit, func() { _ = c.Process.Kill() })
	defer timer.Stop()
	err = c.Wait()
	state := c.ProcessState
	if state.ExitCode() < 0 {
		return 0, 0, fmt.Errorf("ended after %v", s.limit)
	}
	if err != nil && text.Len() > 0 {
		return 0, 0, fmt.Errorf("%w: %s", err, strings.TrimSpace(text.String()))
	}
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		mib = float64(u.Maxrss) / 1024
	}
	return (state.UserTime() + state.SystemTime()).Seconds(), mib, nil
}

func write(to io.Writer, points []point) error {
	w := csv.NewWriter(to)
	rows := [][]string{{"family", "command", "latches", "gates", "cpu_s", "memory_mib"}}
	for _, p := range points {
		rows = append(rows, []string{
			p.family, p.command, strconv.Itoa(p.latches), strconv.Itoa(p.gates),
			strconv.FormatFloat(p.seconds, 'f', 2, 64), strconv.FormatFloat(p.mib, 'f', 1, 64),
		})
	}
	return w.WriteAll(rows)
}

// exponents returns the slopes of time and memory of a family over its latches, both as
// logarithms, by least squares; NaN where there are fewer than two points.
func exponents(points []point, family, command string) (seconds, mib float64) {
	var x, time, memory []float64
	for _, p := range points {
		if p.family == family && p.command == command && p.latches >= fitFrom*9/10 && p.seconds > 0 {
			x = append(x, math.Log(float64(p.latches)))
			time = append(time, math.Log(p.seconds))
			memory = append(memory, math.Log(p.mib))
		}
	}
	return slope(x, time), slope(x, memory)
}

// slope returns that of the line through points that has the least squares.
func slope(x, y []float64) float64 {
	var sx, sy, sxx, sxy float64
	for i := range x {
		sx, sy, sxx, sxy = sx+x[i], sy+y[i], sxx+x[i]*x[i], sxy+x[i]*y[i]
	}
	n := float64(len(x))
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}
