package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"netcov/coverage/report"
	"netcov/internal/atomicfile"
	"netcov/mutant"
)

// Reasons: of the mutants that no property notices, how many have which reason, and what
// the search for reasons takes beside the coverage.

// reasonRow is what was measured of one design.
type reasonRow struct {
	file          string
	latches, ands int
	notcovered    int
	reasons       map[string]int
	cover, search float64 // seconds
	cpu           float64 // of the whole process
}

// ratio is the time of the search over that of the coverage.
func (r *reasonRow) ratio() float64 { return r.search / max(r.cover, 0.001) }

// runReasons measures all files and writes their table.
func (s *settings) runReasons(files []string) error {
	var rows []*reasonRow
	for i, f := range files {
		r, err := s.measureReasons(f)
		if err != nil {
			return err
		}
		rows = append(rows, r)
		fmt.Printf("%2d/%d %-24s cover %7.3f s  reasons %7.3f s  %v\n", i+1, len(files), r.file, r.cover, r.search, r.reasons)
		if err := writeReasons(filepath.Join(s.out, "reasons.csv"), rows); err != nil {
			return err
		}
	}
	return nil
}

// measureReasons runs netcov cover on a design.
func (s *settings) measureReasons(path string) (*reasonRow, error) {
	args := []string{"cover", "--quiet", "--format", "json", "--why", s.reasons, "--timeout", s.timeout.String(), "--budget", s.budget.String()}
	c := exec.Command(s.netcov, append(append(args, strings.Fields(s.args)...), path)...)
	var out, errOut bytes.Buffer
	c.Stdout, c.Stderr = &out, &errOut
	err := c.Run()
	var rep report.Report
	if jsonErr := json.Unmarshal(out.Bytes(), &rep); jsonErr != nil || len(rep.Properties) == 0 {
		return nil, fmt.Errorf("%s: no report: %v: %s", path, err, errOut.String())
	}
	sum := rep.Summary
	r := &reasonRow{
		file: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), latches: rep.Design.Latches, ands: rep.Design.Ands,
		notcovered: sum.NotCovered, reasons: sum.Reasons, cover: sum.CoverageSeconds, search: sum.WhySeconds,
	}
	r.cpu, _ = usage(c)
	return r, nil
}

// writeReasons writes a row a design, and one of all: in that, the time of the search over
// that of the coverage is the median.
func writeReasons(path string, rows []*reasonRow) error {
	all := reasonRow{file: "all", reasons: map[string]int{}}
	var ratios []float64
	for _, r := range rows {
		all.latches, all.ands, all.notcovered = all.latches+r.latches, all.ands+r.ands, all.notcovered+r.notcovered
		all.cover, all.search, all.cpu = all.cover+r.cover, all.search+r.search, all.cpu+r.cpu
		for word, n := range r.reasons {
			all.reasons[word] += n
		}
		if r.notcovered > 0 {
			ratios = append(ratios, r.ratio())
		}
	}
	slices.SortFunc(ratios, cmp.Compare[float64])
	median := 0.0
	if len(ratios) > 0 {
		median = ratios[len(ratios)/2]
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		c := csv.NewWriter(w)
		head := []string{"file", "latches", "ands", "notcovered"}
		for _, reason := range mutant.Reasons() {
			head = append(head, reason.String())
		}
		_ = c.Write(append(head, "cover_s", "reasons_s", "times", "cpu_s"))
		line := func(r *reasonRow, times float64) {
			out := []string{r.file, strconv.Itoa(r.latches), strconv.Itoa(r.ands), strconv.Itoa(r.notcovered)}
			for _, reason := range mutant.Reasons() {
				out = append(out, strconv.Itoa(r.reasons[reason.String()]))
			}
			_ = c.Write(append(out, seconds(r.cover), seconds(r.search), seconds(times), seconds(r.cpu)))
		}
		for _, r := range rows {
			line(r, r.ratio())
		}
		line(&all, median)
		c.Flush()
		return c.Error()
	})
}
