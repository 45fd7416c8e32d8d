package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"netcov/internal/atomicfile"
)

// marks are the multiples of the model checking time at which accuracy is told.
var marks = []float64{0.25, 0.5, 1, 2, 5}

// writeTable writes a row a file.
func writeTable(path string, rows []*row) error {
	header := []string{
		"file", "status", "latches", "ands", "check_s", "cover_s", "recheck_s", "cpu_s", "memory_mib",
		"mutants", "covered", "notcovered", "unknown", "abc_pdr_s", "abc_int_s", "abc_naive_s",
	}
	for _, m := range marks {
		header = append(header, fmt.Sprintf("accuracy_at_%gx", m))
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		c := csv.NewWriter(w)
		if err := c.Write(header); err != nil {
			return err
		}
		for _, r := range rows {
			line := []string{
				r.file, r.status, strconv.Itoa(r.latches), strconv.Itoa(r.ands), seconds(r.check), seconds(r.cover), seconds(r.recheck),
				seconds(r.cpu), seconds(r.memory), strconv.Itoa(r.mutants), strconv.Itoa(r.covered), strconv.Itoa(r.notcovered),
				strconv.Itoa(r.unknown), seconds(r.pdr), seconds(r.interp), seconds(r.naive),
			}
			for _, m := range marks {
				line = append(line, fmt.Sprintf("%.4f", r.accuracyAt(m)))
			}
			if err := c.Write(line); err != nil {
				return err
			}
		}
		c.Flush()
		return c.Error()
	})
}

func seconds(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }

// accuracies tells the accuracy reached at each multiple of a unit of time.
func accuracies(b *strings.Builder, unit string, rows []*row, at func(*row, float64) float64) {
	for _, m := range marks {
		sum, good, held := 0.0, 0, 0
		for _, r := range rows {
			if r.status != "holds" {
				continue
			}
			held++
			a := at(r, m)
			sum += a
			if a >= 0.9 {
				good++
			}
		}
		fmt.Fprintf(b, "at %4g times %s: mean accuracy %.4f, files with at least 90%%: %.1f%%\n", m, unit, sum/float64(held), 100*float64(good)/float64(held))
	}
}

// inUnits tells the times in ABC's, where it has proved the design: a faster proof of
// netcov's own makes its multiples larger, and these smaller.
func inUnits(b *strings.Builder, rows []*row) {
	var proved []*row
	var all []float64
	for _, r := range rows {
		if r.status != "holds" || r.pdr < 0 {
			continue
		}
		proved = append(proved, r)
		x := math.Inf(1)
		if r.unknown == 0 {
			x = (r.check + r.cover) / r.unit()
		}
		all = append(all, x)
	}
	if len(proved) == 0 {
		return
	}
	fmt.Fprintf(b, "check and all mutants together over ABC's pdr on the design (%d files), quartiles: %.2f %.2f %.2f\n",
		len(proved), quantile(all, .25), quantile(all, .5), quantile(all, .75))
	accuracies(b, "ABC's pdr, the proof included", proved, (*row).accuracyWithin)
}

// summary tells the figures of all files together.
func summary(rows []*row) string {
	var b strings.Builder
	var overheads, pdr, interp, naive, memory []float64
	decided, short, held, both := 0, 0, 0, 0
	var check, cover, cpu float64
	mutants, unknown := 0, 0
	for _, r := range rows {
		if r.status != "holds" {
			continue
		}
		held++
		check, cover, cpu = check+r.check, cover+r.cover, cpu+r.cpu
		mutants, unknown = mutants+r.mutants, unknown+r.unknown
		memory = append(memory, r.memory)
		if r.check < 0.01 {
			short++
		}
		x, ok := r.overhead()
		if ok {
			decided++
		} else {
			x = math.Inf(1)
		}
		overheads = append(overheads, x)
		if r.pdr > 0 {
			pdr = append(pdr, r.check/r.pdr)
		}
		if r.interp > 0 {
			both++
			interp = append(interp, r.check/r.interp)
		}
		if r.naive > 0 {
			naive = append(naive, r.naive/(r.check+r.cover))
		}
	}
	fmt.Fprintf(&b, "\nfiles: %d, of which %d hold; %d checks are shorter than 10 ms\n", len(rows), held, short)
	if held == 0 {
		return b.String()
	}
	fmt.Fprintf(&b, "seconds in all: check %.1f, coverage %.1f, CPU %.1f; mutants %d, undecided %d\n", check, cover, cpu, mutants, unknown)
	fmt.Fprintf(&b, "files fully decided: %.1f%%\n", 100*float64(decided)/float64(held))
	fmt.Fprintf(&b, "overhead of the full decision, quartiles: %.2f %.2f %.2f\n", quantile(overheads, .25), quantile(overheads, .5), quantile(overheads, .75))
	accuracies(&b, "the proof's time", rows, (*row).accuracyAt)
	inUnits(&b, rows)
	fmt.Fprintf(&b, "peak memory, MiB: median %.0f, largest %.0f\n", quantile(memory, .5), quantile(memory, 1))
	for _, c := range []struct {
		name string
		x    []float64
	}{{"netcov's check over ABC pdr", pdr}, {"netcov's check over ABC int", interp}, {"ABC pdr mutant by mutant over netcov", naive}} {
		if len(c.x) > 0 {
			fmt.Fprintf(&b, "%s: median %.2f, geometric mean %.2f (%d files)\n", c.name, quantile(c.x, .5), geometricMean(c.x), len(c.x))
		}
	}
	return b.String()
}

func quantile(x []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[min(int(q*float64(len(s))), len(s)-1)]
}

func geometricMean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += math.Log(max(v, 1e-6))
	}
	return math.Exp(sum / float64(len(x)))
}

// compare checks a run against a stored table: no file may have another outcome or
// lose a decided mutant, where all are decided the numbers of verdicts must be the
// same, and the sum of the times may not grow by half.
func compare(path string, rows []*row) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	old, err := csv.NewReader(f).ReadAll()
	if err != nil || len(old) == 0 {
		return fmt.Errorf("%s: %w", path, err)
	}
	at := map[string]int{}
	for i, h := range old[0] {
		at[h] = i
	}
	before := map[string][]string{}
	for _, line := range old[1:] {
		before[line[at["file"]]] = line
	}
	var then, now float64
	common := 0
	var worse []string
	for _, r := range rows {
		line, ok := before[r.file]
		if !ok {
			continue
		}
		t, _ := strconv.ParseFloat(line[at["cpu_s"]], 64)
		then, now = then+t, now+r.cpu
		was := func(column string) int {
			n, _ := strconv.Atoi(line[at[column]])
			return n
		}
		unknown := was("unknown")
		switch {
		case r.status != line[at["status"]]:
			worse = append(worse, fmt.Sprintf("%s: %s, %s before", r.file, r.status, line[at["status"]]))
		case r.unknown > unknown:
			worse = append(worse, fmt.Sprintf("%s: %d undecided, %d before", r.file, r.unknown, unknown))
		case r.unknown+unknown == 0 && r.mutants == was("mutants") && r.covered != was("covered"):
			worse = append(worse, fmt.Sprintf("%s: %d covered, %d before", r.file, r.covered, was("covered")))
		}
		common++
	}
	fmt.Printf("files in both: %d, here only: %d, in %s only: %d\n", common, len(rows)-common, path, len(before)-common)
	fmt.Printf("CPU seconds: %.1f, %.1f before\n", now, then)
	if now > 1.5*then {
		worse = append(worse, "the CPU time grew by more than half")
	}
	if len(worse) > 0 {
		return fmt.Errorf("worse than %s: %s", path, strings.Join(worse, "; "))
	}
	return nil
}
