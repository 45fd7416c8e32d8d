package report

import (
	"fmt"
	"path/filepath"
	"slices"

	"netcov/mutant"
)

// line is a row of the table of nodes: one node, or neighbouring bits of a
// register about which there is the same to say.
type line struct {
	node   Node // the first
	number string
	nodes  []string // numbers of all nodes, as number is for one
	name   string
	words  []string
	worst  mutant.Verdict
	why    string
	low    int // HDL indices of the bits, -1 without
	high   int
}

// source is the node's place in the user's files, "" where it is not known.
func (n Node) source() string {
	if n.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(n.File), n.Line)
}

// merge turns nodes into lines. asked are the faults, in the order of columns.
func merge(rows []*nodeRow, asked []string) []line {
	var out []line
	for _, n := range rows {
		l := line{node: n.node, number: fmt.Sprintf("%s %d", n.node.Kind, n.node.Index), name: n.node.Name, why: n.reason(), worst: n.worst(), low: bitOf(n.node)}
		l.high, l.nodes = l.low, []string{l.number}
		for _, f := range asked {
			w := ""
			if m, here := n.marks[f]; here {
				w = m.word()
			}
			l.words = append(l.words, w)
		}
		if k := len(out); k > 0 && out[k-1].takes(l) {
			out[k-1].extend(l)
			continue
		}
		out = append(out, l)
	}
	return out
}

// takes reports whether the next line is about the next bit of the same register
// and says the same.
func (l line) takes(next line) bool {
	return l.low >= 0 && next.low >= 0 && l.node.Register == next.node.Register && l.node.Kind == next.node.Kind &&
		(next.low == l.high+1 || next.low == l.low-1) && slices.Equal(l.words, next.words) && l.why == next.why
}

func (l *line) extend(next line) {
	l.nodes = append(l.nodes, next.number)
	l.low, l.high = min(l.low, next.low), max(l.high, next.high)
	l.number = fmt.Sprintf("%s %d-%d", l.node.Kind, l.node.Index, next.node.Index)
	l.name = fmt.Sprintf("%s[%d:%d]", l.node.Register, l.high, l.low)
}

// bitOf reads a bit's index off a name such as u1.count[3], -1 where it has none.
func bitOf(n Node) int {
	var bit int
	if n.Register == "" || len(n.Name) <= len(n.Register) {
		return -1
	}
	if k, err := fmt.Sscanf(n.Name[len(n.Register):], "[%d]", &bit); k != 1 || err != nil {
		return -1
	}
	return bit
}
