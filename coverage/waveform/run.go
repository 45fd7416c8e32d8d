package waveform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"netcov/aiger"
)

// A run of the design alone, as a table: the inputs that matter, then what the property
// depends on, the nearest first. How near a register is, is the number of steps that it
// takes at least to reach the property.

// mostWords is the number of words of a run that are shown.
const mostWords = 24

// RunTable shows what a run of the design alone does, as far as it can reach the literals
// in roots, or all of it where there are none. A row in which nothing is known is left out.
func (r *Waves) RunTable(f *aiger.File, roots []aiger.Lit) string {
	near := distances(f, roots)
	far := func(i int) int {
		if len(roots) == 0 {
			return 0
		}
		least := -1
		for _, l := range r.Words[i].Bits {
			if d, inside := near[l>>1]; inside && (least < 0 || d < least) {
				least = d
			}
		}
		return least
	}
	var rows []int
	for i := range r.Words {
		if far(i) >= 0 && slices.ContainsFunc(r.Values[0][i], func(v string) bool { return strings.ContainsAny(v, "01") }) {
			rows = append(rows, i)
		}
	}
	many := len(rows) > mostWords
	slices.SortStableFunc(rows, func(a, b int) int {
		if k := int(r.Words[a].Kind) - int(r.Words[b].Kind); k != 0 {
			return k
		}
		if x, y := r.changes(a), r.changes(b); many && x != y { // what stays as it is, is left out first
			if x {
				return -1
			}
			return 1
		}
		return far(a) - far(b)
	})
	from := max(0, r.Steps-most)
	t := newTable(from, r.Steps)
	left := max(0, len(rows)-mostWords)
	for _, i := range rows[:len(rows)-left] {
		row := table.Row{r.Words[i].Kind.String(), r.Words[i].String()}
		for step := from; step < r.Steps; step++ {
			row = append(row, r.Words[i].shown(r.Values[0][i][step]))
		}
		t.AppendRow(row)
	}
	if len(rows) == 0 {
		return fmt.Sprintf("whatever the inputs are; %d steps\n", r.Steps)
	}
	return t.Render() + "\n" + leftOut(left, "more words", from)
}

// changes reports whether a word has more than one value in the run of the design.
func (r *Waves) changes(word int) bool {
	return slices.ContainsFunc(r.Values[0][word], func(v string) bool { return v != r.Values[0][word][0] })
}

// distances gives, for each variable on which the literals depend, the least number of
// steps before its value can reach one.
func distances(f *aiger.File, roots []aiger.Lit) map[aiger.Lit]int {
	gates, latches := map[aiger.Lit]aiger.And{}, map[aiger.Lit]aiger.Latch{}
	for _, a := range f.Ands {
		gates[a.Lhs>>1] = a
	}
	for _, l := range f.Latches {
		latches[l.Lit>>1] = l
	}
	near := map[aiger.Lit]int{}
	layer := append(slices.Clone(roots), f.Constraints...)
	for d := 0; len(layer) > 0; d++ {
		var next []aiger.Lit
		for len(layer) > 0 {
			v := layer[len(layer)-1] >> 1
			layer = layer[:len(layer)-1]
			if _, seen := near[v]; seen {
				continue
			}
			near[v] = d
			if a, ok := gates[v]; ok {
				layer = append(layer, a.Rhs0, a.Rhs1)
			}
			if l, ok := latches[v]; ok {
				next = append(next, l.Next, l.Reset)
			}
		}
		layer = next
	}
	return near
}
