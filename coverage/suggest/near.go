package suggest

import (
	"cmp"
	"slices"

	"netcov/aig"
	"netcov/netlist"
)

// neighbourhood knows which words are near to a register: those that its next value is
// computed from, and those that are computed from it.
type neighbourhood struct {
	n     *netlist.Netlist
	words []*Word
	next  map[aig.Node]aig.Lit    // latch → next
	reads map[*Word]map[*Word]int // word → words in the cone of its next value (registers) or of its value, with the distance
}

func newNeighbourhood(n *netlist.Netlist, words []*Word) *neighbourhood {
	h := &neighbourhood{n: n, words: words, next: map[aig.Node]aig.Lit{}, reads: map[*Word]map[*Word]int{}}
	for _, l := range n.Latches {
		h.next[l.Lit.Node()] = l.Next
	}
	at := map[aig.Node][]*Word{}
	for _, w := range words {
		for _, b := range w.Bits {
			if len(at[b.Node()]) == 0 || at[b.Node()][len(at[b.Node()])-1] != w {
				at[b.Node()] = append(at[b.Node()], w)
			}
		}
	}
	for _, w := range words {
		h.reads[w] = h.support(w, at)
	}
	return h
}

// support returns the words within the cone of a word's bits and, through one register,
// of their next values. A word in the cone ends the search behind it only by its
// distance.
func (h *neighbourhood) support(w *Word, at map[aig.Node][]*Word) map[*Word]int {
	found := map[*Word]int{}
	seen := map[aig.Node]bool{}
	var level []aig.Node
	push := func(l aig.Lit) {
		if n := l.Node(); n != 0 && !seen[n] {
			seen[n] = true
			level = append(level, n)
		}
	}
	for _, b := range w.Bits {
		if next, ok := h.next[b.Node()]; ok {
			push(next)
		} else if h.n.Graph.Kind(b.Node()) == aig.KindAnd {
			x, y := h.n.Graph.Fanins(b.Node())
			push(x)
			push(y)
		}
	}
	// An asynchronous reset stands between a register's latch and its readers.
	for distance := 1; len(level) > 0 && len(seen) < mostLeaves; distance++ {
		this := level
		level = nil
		for _, n := range this {
			for _, x := range at[n] {
				if x != w && found[x] == 0 {
					found[x] = distance
				}
			}
			if h.n.Graph.Kind(n) == aig.KindAnd {
				a, b := h.n.Graph.Fanins(n)
				push(a)
				push(b)
			} else if next, ok := h.next[n]; ok && slices.ContainsFunc(w.Bits, func(b aig.Lit) bool { return h.n.Graph.Kind(b.Node()) == aig.KindAnd && w.Register != "" }) {
				push(next)
			}
		}
	}
	return found
}

// of returns the words near to a register, itself first, then by distance.
func (h *neighbourhood) of(r *Word, most int) []*Word {
	distance := map[*Word]int{}
	note := func(w *Word, d int) {
		if w != r && (distance[w] == 0 || d < distance[w]) {
			distance[w] = d
		}
	}
	for w, d := range h.reads[r] {
		note(w, d)
	}
	for _, w := range h.words {
		if d := h.reads[w][r]; d > 0 {
			note(w, d+1)
		}
	}
	var all []*Word
	for w := range distance {
		all = append(all, w)
	}
	// One step further, as long as there is room.
	if len(all) < most {
		for _, w := range slices.Clone(all) {
			for x, d := range h.reads[w] {
				note(x, distance[w]+d+8)
			}
		}
	}
	all = all[:0]
	for w := range distance {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b *Word) int { return cmp.Or(distance[a]-distance[b], cmp.Compare(a.Name, b.Name)) })
	return append([]*Word{r}, all[:min(len(all), most-1)]...)
}

// covers tells whether a candidate speaks of all that the register's next value is
// computed from: then it says nearly what the next-state function says. A named net
// stands for all that it is computed from.
func (h *neighbourhood) covers(r *Word, c *candidate) bool {
	spoken := map[*Word]bool{r: true}
	for _, w := range c.words() {
		spoken[w] = true
		if w.Register == "" {
			for x := range h.reads[w] {
				spoken[x] = true
			}
		}
	}
	for w := range h.reads[r] {
		if (w.Register != "" || w.Input) && !spoken[w] {
			return false
		}
	}
	return true
}
