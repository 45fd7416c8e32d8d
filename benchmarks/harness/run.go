package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"netcov/coverage"
	"netcov/coverage/report"
)

// row is what was measured of one file.
type row struct {
	file                                  string
	status                                string
	latches, ands                         int
	check, cover, recheck                 float64 // seconds
	cpu                                   float64 // seconds of the whole process
	memory                                float64 // MiB at the peak
	mutants, covered, notcovered, unknown int
	curve                                 []coverage.Point
	tests                                 []report.TestCounts
	pdr, interp                           float64 // seconds of ABC, its start-up subtracted; -1 unknown
	naive                                 float64 // seconds of ABC's pdr on all mutants, estimated; -1 unknown
}

// base is the model checking time that ratios refer to.
func (r *row) base() float64 { return max(r.check, 0.01) }

// overhead is the time of the full decision over the base; ok is false when
// mutants are left open.
func (r *row) overhead() (x float64, ok bool) { return r.cover / r.base(), r.unknown == 0 }

// accuracyAt is the accuracy reached at a multiple of the base.
func (r *row) accuracyAt(times float64) float64 { return r.accuracyAfter(times * r.base()) }

// accuracyAfter is the accuracy reached after some seconds of coverage.
func (r *row) accuracyAfter(seconds float64) float64 {
	a := 0.0
	for _, p := range r.curve {
		if p.Seconds <= seconds {
			a = p.Accuracy
		}
	}
	return a
}

// unit is the time of ABC's pdr on the design, which does not depend on netcov.
func (r *row) unit() float64 { return max(r.pdr, 0.01) }

// accuracyWithin is the accuracy reached within so many units, netcov's own proof of the
// design included.
func (r *row) accuracyWithin(units float64) float64 {
	return r.accuracyAfter(units*r.unit() - r.check)
}

// files lists the AIGER files to run, sorted by name.
func (s *settings) files() ([]string, error) {
	names, err := safeFiles(filepath.Join(s.dir, "index.tsv"))
	if errors.Is(err, os.ErrNotExist) {
		for _, pattern := range []string{"*.aig", "*.aag"} {
			found, err := filepath.Glob(filepath.Join(s.dir, pattern))
			if err != nil {
				return nil, err
			}
			names = append(names, found...)
		}
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s: no AIGER files", s.dir)
	}
	slices.Sort(names)
	if s.limit > 0 && s.limit < len(names) {
		var some []string
		for i := range s.limit {
			some = append(some, names[i*len(names)/s.limit])
		}
		names = some
	}
	return names, nil
}

func safeFiles(index string) ([]string, error) {
	f, err := os.Open(index)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = '\t', -1, true
	rows, err := r.ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("%s: %w", index, err)
	}
	column := slices.Index(rows[0], "status")
	if column < 0 {
		return nil, fmt.Errorf("%s: there is no column \"status\"", index)
	}
	var names []string
	for _, row := range rows[1:] {
		if column < len(row) && row[column] == "safe" {
			names = append(names, filepath.Join(filepath.Dir(index), row[0]))
		}
	}
	return names, nil
}

// measure runs netcov cover on a file.
func (s *settings) measure(path string) (*row, error) {
	args := []string{"cover", "--format", "json", "--timeout", s.timeout.String(), "--budget", s.budget.String()}
	args = append(args, strings.Fields(s.args)...)
	c := exec.Command(s.netcov, append(args, path)...)
	var out, errOut bytes.Buffer
	c.Stdout, c.Stderr = &out, &errOut
	err := runFor(c, s.cpu)
	r := &row{file: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), pdr: -1, interp: -1, naive: -1}
	r.cpu, r.memory = usage(c)
	var rep report.Report
	if jsonErr := json.Unmarshal(out.Bytes(), &rep); jsonErr != nil || len(rep.Properties) == 0 {
		return nil, fmt.Errorf("%s: no report: %v: %s", path, err, errOut.String())
	}
	p := rep.Properties[0]
	r.status, r.check = p.Status.String(), p.Seconds
	r.take(&rep)
	return r, nil
}

// take keeps what a report says of the design and its mutants.
func (r *row) take(rep *report.Report) {
	sum := rep.Summary
	r.latches, r.ands = rep.Design.Latches, rep.Design.Ands
	r.cover, r.recheck, r.curve, r.tests = sum.CoverageSeconds, sum.RecheckSeconds, sum.Accuracy, sum.ByTest
	r.mutants, r.covered, r.notcovered, r.unknown = sum.Mutants, sum.Covered, sum.NotCovered, sum.Unknown
}

// runFor runs a program and asks it to end, as from the keyboard, when it has used so
// much processor time, if that is not 0.
func runFor(c *exec.Cmd, cpu time.Duration) error {
	if cpu == 0 {
		return c.Run()
	}
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		select {
		case err := <-ended:
			return err
		case <-time.After(20 * time.Millisecond):
			if processTime(c.Process.Pid) > cpu {
				_ = c.Process.Signal(os.Interrupt)
				return <-ended
			}
		}
	}
}

// processTime reads the user and system time of a running process from /proc.
func processTime(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	ticks := 0
	for _, f := range fields[11:13] { // utime and stime, of 10 ms each
		n, _ := strconv.Atoi(f)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// usage returns the CPU seconds and the peak memory, in MiB, of a process that
// has ended.
func usage(c *exec.Cmd) (cpu, memory float64) {
	if c.ProcessState == nil {
		return 0, 0
	}
	cpu = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	if u, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		memory = float64(u.Maxrss) / 1024
	}
	return cpu, memory
}
