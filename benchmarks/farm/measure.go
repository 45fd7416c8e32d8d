package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"netcov/coverage"
	"netcov/coverage/report"
	"netcov/mutant"
)

// What each file of the benchmark contributes: how many mutants the shared part
// decides and what that costs, and the time of each mutant that is left to workers.

// Limits of one file.
const (
	checkTime = "5s"
	coverTime = "8s"
	fileTime  = 40 * time.Second
)

// measured are the figures of all files together.
type measured struct {
	files, mutants, left int
	shared               float64   // seconds of the shared part for a mutant
	confirm              float64   // seconds of the second opinion for a mutant
	open                 float64   // share of those left that the limit left undecided
	times                []float64 // quantiles of the seconds of a mutant that is left
}

// quantiles is into how many parts the times are cut.
const quantiles = 200

// measureAll runs netcov cover on the files and pools what it says.
func measureAll(netcov, dir string, every int) (*measured, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.aig"))
	if err != nil {
		return nil, err
	}
	m := &measured{}
	var times []float64
	var shared, confirm float64
	open := 0
	for i := 0; i < len(files); i += max(1, every) {
		r, err := cover(netcov, files[i])
		if err != nil || len(r.Mutants) == 0 {
			continue // it fails, or is undecided: no mutants
		}
		m.files++
		m.mutants += len(r.Mutants)
		apartTime := 0.0
		for _, t := range r.Summary.ByTest {
			if together, _ := coverage.SplitTests([]string{t.Test}); len(together) > 0 {
				shared += t.Seconds
			} else {
				apartTime += t.Seconds
			}
		}
		confirm += r.Summary.RecheckSeconds
		var own []float64
		sum := 0.0
		for _, x := range r.Mutants {
			if together, _ := coverage.SplitTests([]string{x.Test}); x.Verdict != mutant.Unknown && len(together) > 0 {
				continue
			}
			if x.Verdict == mutant.Unknown {
				open++
			}
			own = append(own, x.Seconds)
			sum += x.Seconds
		}
		// what was done for several mutants at once is shared by them
		each := max(0, apartTime-sum) / float64(max(1, len(own)))
		for _, s := range own {
			times = append(times, s+each)
		}
		fmt.Fprintf(os.Stderr, "%s: %d mutants, %d left\n", filepath.Base(files[i]), len(r.Mutants), len(own))
	}
	if len(times) == 0 {
		return nil, fmt.Errorf("%s: no file leaves mutants to workers", dir)
	}
	m.left = len(times)
	m.shared, m.confirm = shared/float64(m.mutants), confirm/float64(m.mutants)
	m.open = float64(open) / float64(m.left)
	slices.Sort(times)
	for q := range quantiles + 1 {
		m.times = append(m.times, times[min(len(times)-1, q*len(times)/quantiles)])
	}
	return m, nil
}

// cover runs netcov on a file and returns its report.
func cover(netcov, file string) (*report.Report, error) {
	out, err := os.CreateTemp("", "farm*.json")
	if err != nil {
		return nil, err
	}
	out.Close()
	defer os.Remove(out.Name())
	c := exec.Command(netcov, "cover", file, "--timeout", checkTime, "--budget", coverTime, "--why", "none", "--quiet", "--format", "json", "-o", out.Name())
	timer := time.AfterFunc(fileTime, func() {
		if c.Process != nil {
			_ = c.Process.Kill()
		}
	})
	defer timer.Stop()
	if err := c.Run(); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		return nil, err
	}
	var r report.Report
	return &r, json.Unmarshal(text, &r)
}

// write stores the figures.
func (m *measured) write(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	w := csv.NewWriter(file)
	row := func(name string, v float64) { _ = w.Write([]string{name, strconv.FormatFloat(v, 'g', 5, 64)}) }
	_ = w.Write([]string{"what", "value"})
	row("files", float64(m.files))
	row("mutants", float64(m.mutants))
	row("left to workers", float64(m.left))
	row("undecided share of those left", m.open)
	row("shared part, seconds a mutant", m.shared)
	row("second opinion, seconds a mutant", m.confirm)
	for q, t := range m.times {
		row(fmt.Sprintf("quantile %g of the seconds of a mutant left", float64(q)/quantiles), t)
	}
	w.Flush()
	return w.Error()
}

// read returns stored figures.
func read(path string) (*measured, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, err
	}
	var v []float64
	for _, r := range rows[1:] {
		x, err := strconv.ParseFloat(r[1], 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		v = append(v, x)
	}
	if len(v) != 6+quantiles+1 {
		return nil, fmt.Errorf("%s: %d rows, want %d", path, len(v), 6+quantiles+1)
	}
	return &measured{int(v[0]), int(v[1]), int(v[2]), v[4], v[5], v[3], v[6:]}, nil
}
