// The named signals of the source, for assertions about them.

package verilog

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"netcov/aig"
	"netcov/frontend/design"
)

// plainName is a name of a signal that a connection of a bind can have: identifiers,
// and the index of a word of a memory or of a generate block.
var plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\[[0-9]+\])?(\.[A-Za-z_][A-Za-z0-9_]*(\[[0-9]+\])?)*$`)

// words lists the signals that have a value in the netlist. Of several with one value
// that stays which lies highest. Left out are vectors that are numbered upwards, and
// what no assertion of the top module can name.
func (b *builder) words() {
	registers := map[string]bool{}
	for _, o := range b.d.Latches {
		registers[o.Register] = !o.Artefact
	}
	at := map[string]int{}
	names := sortedKeys(b.net.Netnames)
	slices.SortStableFunc(names, func(x, y string) int {
		return cmp.Or(strings.Count(x, ".")-strings.Count(y, "."), len(x)-len(y))
	})
	for _, name := range names {
		n := b.net.Netnames[name]
		if n.HideName != 0 || ofChecker(name) || b.h.ofBound(b.h.owner(name)) || len(n.Bits) == 0 {
			continue
		}
		w := design.Word{Name: b.h.full(name), High: -1, Low: -1}
		constant := true
		for _, i := range n.Bits {
			l := b.c.lit(i)
			if l == aig.Undef {
				w.Bits = nil
				break
			}
			w.Bits = append(w.Bits, l)
			constant = constant && l.Node() == 0
		}
		if w.Bits == nil || constant {
			continue
		}
		key := fmt.Sprint(w.Bits)
		if i, known := at[key]; known {
			if registers[w.Name] {
				b.d.Words[i].Register = w.Name
			}
			continue
		}
		if n.Upto != 0 || !plainName.MatchString(name) || !b.reachable(name) {
			continue
		}
		if len(w.Bits) > 1 {
			w.Low, w.High = n.Offset, n.Offset+len(w.Bits)-1
		}
		if p := b.net.Ports[name]; p != nil {
			w.Input = p.Direction == "input"
		}
		if registers[w.Name] {
			w.Register = w.Name
		}
		at[key] = len(b.d.Words)
		b.d.Words = append(b.d.Words, w)
	}
}

// reachable reports whether a name of the top module reaches a signal: by names of
// instances, none of them in a generate block.
func (b *builder) reachable(name string) bool {
	owner := b.h.owner(name)
	if owner == "" {
		return true
	}
	if strings.Contains(name, "[") {
		return false
	}
	for at, c := range owner {
		if c == '.' && b.h.modules[owner[:at]] == "" {
			return false
		}
	}
	return true
}
