package report

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"netcov/mutant"
)

// The LCOV form, as genhtml and editors read it: each line that declares or sets a
// register has the number of its covered mutants, and each mutant is a branch of
// that line, taken where it is covered.

func init() {
	register(Format{"lcov", "source lines, for genhtml and editors", func(r *Report, w io.Writer, _ Rendering) error { return r.writeLCOV(w) }})
}

// errNoSource is why a design without source has no LCOV form.
var errNoSource = errors.New("the form lcov needs source lines, and this design has none; give the design as Verilog")

func (r *Report) writeLCOV(w io.Writer) error {
	type line struct {
		hits     int
		branches []string // taken: "1", "0", or "-" for an undecided mutant
	}
	files := map[string]map[int]*line{}
	for _, n := range r.nodeList() {
		if n.node.File == "" || n.node.Line == 0 || strings.ContainsAny(n.node.File, "\n\r") {
			continue
		}
		if files[n.node.File] == nil {
			files[n.node.File] = map[int]*line{}
		}
		l := files[n.node.File][n.node.Line]
		if l == nil {
			l = &line{}
			files[n.node.File][n.node.Line] = l
		}
		for _, f := range r.asked() {
			m, here := n.marks[f]
			switch {
			case !here || m.waived:
			case m.verdict == mutant.Covered:
				l.hits++
				l.branches = append(l.branches, "1")
			case m.verdict == mutant.Unknown:
				l.branches = append(l.branches, "-")
			default:
				l.branches = append(l.branches, "0")
			}
		}
	}
	if len(files) == 0 && len(r.nodeList()) > 0 {
		return errNoSource
	}
	out := bufio.NewWriter(w)
	for _, name := range slices.SortedFunc(maps.Keys(files), cmp.Compare[string]) {
		fmt.Fprintf(out, "TN:netcov\nSF:%s\n", name)
		hit, branches, taken := 0, 0, 0
		lines := files[name]
		for _, at := range slices.Sorted(maps.Keys(lines)) {
			l := lines[at]
			for i, b := range l.branches {
				fmt.Fprintf(out, "BRDA:%d,0,%d,%s\n", at, i, b)
				branches++
				if b == "1" {
					taken++
				}
			}
			fmt.Fprintf(out, "DA:%d,%d\n", at, l.hits)
			if l.hits > 0 {
				hit++
			}
		}
		fmt.Fprintf(out, "BRF:%d\nBRH:%d\nLF:%d\nLH:%d\nend_of_record\n", branches, taken, len(lines), hit)
	}
	return out.Flush()
}
