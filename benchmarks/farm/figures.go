package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// mergeJobs are the processors that the merge is given in the figures.
const mergeJobs = 16

// figures simulates and writes what comes out.
func figures(m *measured, mutants int) string {
	var b strings.Builder
	left := int(float64(mutants) * float64(m.left) / float64(m.mutants))
	shared, confirm := m.shared*float64(mutants), m.confirm*float64(mutants)
	draw := m.sampler(rand.New(rand.NewPCG(21, 21)))
	times := make([]float64, left)
	work := 0.0
	for i := range times {
		times[i] = draw()
		work += times[i]
	}
	fmt.Fprintf(&b, `# A farm of a million mutants, simulated

Written by %[1]sgo run ./benchmarks/farm%[1]s from %[1]sfarm-times.csv%[1]s: the times of %[2]d mutants of %[3]d benchmark files,
of which %[4]d (%.1[5]f%%) were left by the tests that look at all mutants at once.

| | |
|---|---|
| shared part | %.2[6]f ms a mutant: %[7]s for %[8]d mutants |
| second opinion of the merge | %.2[9]f ms a mutant: %[10]s on one processor, %[11]s on %[12]d |
| mutants left to workers | %[13]d, of which %.1[14]f%% were undecided after %[15]g s; a tail like 1/x up to 1 h is assumed for them |
| seconds of a mutant left | median %[16]s, 90%% %[17]s, 99%% %[18]s |
| work of all workers | %[19]s |

`, "`", m.mutants, m.files, m.left, 100*float64(m.left)/float64(m.mutants), 1000*m.shared, span(shared), mutants,
		1000*m.confirm, span(confirm), span(confirm/mergeJobs), mergeJobs, left, 100*m.open, undecidedAt,
		span(m.times[quantiles/2]), span(m.times[quantiles*9/10]), span(m.times[quantiles*99/100]), span(work))
	b.WriteString("## Small batches, first come first served\n\n")
	b.WriteString("| workers | ideal | workers' part | over the ideal | work done twice | shared part and merge | share of these | in all | batches | file operations a second |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, w := range []int{10, 100, 300, 1000, 3000} {
		o := simulate(times, w, asBuilt)
		fixed := shared + confirm/mergeJobs
		fmt.Fprintf(&b, "| %d | %s | %s | %.2f | %.0f%% | %s | %.0f%% | %s | %d | %.0f |\n", w, span(o.ideal), span(o.makespan), o.makespan/o.ideal,
			100*o.wasted, span(fixed), 100*fixed/(fixed+o.makespan), span(fixed+o.makespan), o.batches, o.operations/o.makespan)
	}
	fixed := shared + confirm/mergeJobs
	fmt.Fprintf(&b, "\nWith %.0f workers, the work would take as long as the shared part and the merge; but no more of them help once the hardest mutant is all that is left.\n", work/fixed)
	b.WriteString("\nThe ideal is the work divided by the workers, or the hardest mutant, if that is longer.\n\n## Other ways\n\n| | 100 workers | over the ideal | 1,000 workers | over the ideal | work done twice |\n|---|---|---|---|---|---|\n")
	for _, x := range []struct {
		name string
		p    policy
	}{
		{"rounds that grow by 4; a mutant by itself has no limit (as built)", asBuilt},
		{"rounds that grow by 16, the same", policy{growth: 16}},
		{"rounds that grow by 4; a mutant by itself has the limit, too", policy{growth: 4, single: true}},
		{"small batches without rounds: each until all of it is decided", policy{}},
		{"a share for each worker from the beginning (array index)", policy{byIndex: true}},
	} {
		o := simulate(times, 1000, x.p)
		p100 := simulate(times, 100, x.p)
		fmt.Fprintf(&b, "| %s | %s | %.2f | %s | %.2f | %.0f%% |\n", x.name, span(p100.makespan), p100.makespan/p100.ideal, span(o.makespan), o.makespan/o.ideal, 100*o.wasted)
	}
	return b.String()
}

// span words a time.
func span(s float64) string {
	switch {
	case s < 1:
		return fmt.Sprintf("%.0f ms", 1000*s)
	case s < 120:
		return fmt.Sprintf("%.1f s", s)
	case s < 7200:
		return fmt.Sprintf("%.0f min", s/60)
	case s < 48*3600:
		return fmt.Sprintf("%.1f h", s/3600)
	}
	return fmt.Sprintf("%.0f days", s/86400)
}
