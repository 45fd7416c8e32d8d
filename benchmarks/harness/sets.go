package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"netcov/aiger"
	"netcov/coverage/report"
	"netcov/internal/atomicfile"
)

// Sets of properties: designs with many assertions, each set as one question. Beside
// netcov runs ABC, on one property that says that some assertion fails, with pdr and
// with k-induction.

// setRow is what was measured of one design. Beside the times of the report it has the
// CPU seconds of the commands.
type setRow struct {
	row
	properties, held int
	checkCPU         float64
	ind              float64 // CPU seconds of ABC's k-induction; -1: undecided
}

// runSets measures all files, writes their table and draws the figures.
func (s *settings) runSets(files []string) error {
	abc := findABC(s.abc, s.cpu)
	var rows []*setRow
	var plain []*row
	for i, f := range files {
		r, err := s.measureSet(f)
		if err != nil {
			return err
		}
		if abc != nil {
			if err := abc.besideSet(r, f, s); err != nil {
				return err
			}
		}
		rows, plain = append(rows, r), append(plain, &r.row)
		fmt.Printf("%2d/%d %-16s check %6.2f s, %d of %d hold  cover %6.2f s, %d of %d unknown  ABC pdr %.2f, ind %.2f\n",
			i+1, len(files), r.file, r.checkCPU, r.held, r.properties, r.cpu, r.unknown, r.mutants, r.pdr, r.ind)
		if err := writeSets(filepath.Join(s.out, "sets.csv"), rows); err != nil {
			return err
		}
	}
	fmt.Print(summary(plain))
	if err := draw(s.out, plain); err != nil {
		return err
	}
	return drawSets(s.out, rows)
}

// measureSet runs netcov check and netcov cover on a design.
func (s *settings) measureSet(path string) (*setRow, error) {
	r := &setRow{row: row{file: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), pdr: -1, interp: -1, naive: -1}, ind: -1}
	check := exec.Command(s.netcov, "check", "--quiet", "--timeout", s.timeout.String(), path)
	_ = runFor(check, s.cpu) // what holds is counted in the report of cover
	r.checkCPU, _ = usage(check)
	args := []string{"cover", "--quiet", "--why", "none", "--format", "json", "--timeout", s.timeout.String(), "--budget", s.budget.String()}
	c := exec.Command(s.netcov, append(append(args, strings.Fields(s.args)...), path)...)
	var out, errOut bytes.Buffer
	c.Stdout, c.Stderr = &out, &errOut
	err := runFor(c, s.cpu)
	r.cpu, r.memory = usage(c)
	var rep report.Report
	if jsonErr := json.Unmarshal(out.Bytes(), &rep); jsonErr != nil || len(rep.Properties) == 0 {
		return nil, fmt.Errorf("%s: no report: %v: %s", path, err, errOut.String())
	}
	r.take(&rep)
	r.check, r.properties = rep.Summary.CheckSeconds, len(rep.Properties)
	for _, p := range rep.Properties {
		if p.Status.String() == "holds" {
			r.held++
			r.status = "holds"
		}
	}
	return r, nil
}

// besideSet fills in ABC's figures, and those of the naive loop over the mutants of the
// set's one question.
func (a *abcProgram) besideSet(r *setRow, path string, s *settings) error {
	f, err := aiger.ReadFile(path, aiger.Options{})
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "harness")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	name, one := filepath.Join(dir, "one.aig"), asOne(f)
	if err := aiger.WriteFile(name, one); err != nil {
		return err
	}
	r.pdr = a.solve(name, "pdr", s.timeout)
	r.ind = a.solve(name, "ind -F 8 -u", s.timeout)
	if s.sample > 0 {
		a.loop(&r.row, one, len(f.Latches), s.timeout, s.sample)
	}
	return nil
}

// asOne returns a plain design with one output: some property fails while the
// constraints have held all the time.
func asOne(f *aiger.File) *aiger.File {
	g := &aiger.File{MaxVar: f.MaxVar, Binary: true, Inputs: f.Inputs, Latches: append([]aiger.Latch(nil), f.Latches...), Ands: append([]aiger.And(nil), f.Ands...)}
	variable := func() aiger.Lit {
		g.MaxVar++
		return 2 * g.MaxVar
	}
	and := func(a, b aiger.Lit) aiger.Lit {
		l := variable()
		g.Ands = append(g.Ands, aiger.And{Lhs: l, Rhs0: max(a, b), Rhs1: min(a, b)})
		return l
	}
	legal, holds := aiger.Lit(1), aiger.Lit(1)
	broken := variable()
	for _, c := range f.Constraints {
		legal = and(legal, c)
	}
	legal = and(legal, broken^1)
	bads, _, _ := f.Properties()
	for _, b := range bads {
		holds = and(holds, b^1)
	}
	g.Latches = append(g.Latches, aiger.Latch{Lit: broken, Next: legal ^ 1})
	g.Outputs = []aiger.Lit{and(legal, holds^1)}
	return g
}

// writeSets writes a row a design.
func writeSets(path string, rows []*setRow) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		c := csv.NewWriter(w)
		_ = c.Write([]string{
			"file", "properties", "hold", "latches", "ands", "check_cpu_s", "cover_cpu_s", "memory_mib",
			"mutants", "covered", "notcovered", "unknown", "abc_pdr_s", "abc_ind_s", "abc_naive_s",
		})
		for _, r := range rows {
			_ = c.Write([]string{
				r.file, strconv.Itoa(r.properties), strconv.Itoa(r.held), strconv.Itoa(r.latches), strconv.Itoa(r.ands),
				seconds(r.checkCPU), seconds(r.cpu), seconds(r.memory), strconv.Itoa(r.mutants), strconv.Itoa(r.covered),
				strconv.Itoa(r.notcovered), strconv.Itoa(r.unknown), seconds(r.pdr), seconds(r.ind), seconds(r.naive),
			})
		}
		c.Flush()
		return c.Error()
	})
}
