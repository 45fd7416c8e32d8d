package load

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"netcov/coverage/kripke/formula"
	"netcov/netlist"
)

// comparison is an atom such as `count = 5` or `count != 5`.
var comparison = regexp.MustCompile(`^(.+) (=|!=) ([0-9][0-9a-zA-Z_]*)$`)

// bitName is a bit of a word.
var bitName = regexp.MustCompile(`^(.+)\[([0-9]+)\]$`)

// resolveWords rewrites comparisons of words with numbers by formulas over the
// words' bits, which are signals named name[i].
func resolveWords(n *netlist.Netlist, f formula.Formula) (formula.Formula, error) {
	known := map[string]bool{}
	words := map[string]map[int]bool{}
	add := func(name string) {
		known[name] = true
		if m := bitName.FindStringSubmatch(name); m != nil {
			if bit, err := strconv.Atoi(m[2]); err == nil && bit < 1<<16 {
				if words[m[1]] == nil {
					words[m[1]] = map[int]bool{}
				}
				words[m[1]][bit] = true
			}
		}
	}
	for _, i := range n.Inputs {
		add(i.Name)
	}
	for _, l := range n.Latches {
		add(l.Name)
	}
	for _, o := range n.Outputs {
		add(o.Name)
	}
	with := map[formula.Formula]formula.Formula{}
	for _, a := range formula.Atoms(f) {
		m := comparison.FindStringSubmatch(a)
		if known[a] || m == nil {
			continue
		}
		value, ok := new(big.Int).SetString(strings.ReplaceAll(m[3], "_", ""), 0)
		if !ok {
			return f, fmt.Errorf("the specification compares %s with %s, which is no number", m[1], m[3])
		}
		bits := words[m[1]]
		if bits == nil {
			if known[m[1]] && value.BitLen() <= 1 {
				bits = map[int]bool{-1: true}
			} else {
				return f, fmt.Errorf("the specification names %q, which is no signal and no word with the bits %s[0], %s[1], …", m[1], m[1], m[1])
			}
		}
		low, high := lowest(bits)
		if value.BitLen() > high-low+1 {
			return f, fmt.Errorf("the specification compares %s, which has %d bits, with %s", m[1], high-low+1, m[3])
		}
		var literals []formula.Formula
		for b := low; b <= high; b++ {
			name := m[1]
			if b >= 0 {
				name = fmt.Sprintf("%s[%d]", m[1], b)
			}
			if !bits[b] {
				return f, fmt.Errorf("the specification compares %s, whose bit %d is no signal", m[1], b)
			}
			l := formula.Atom(name)
			if value.Bit(b-low) == 0 {
				l = formula.Not(l)
			}
			literals = append(literals, l)
		}
		g := formula.And(literals...)
		if m[2] == "!=" {
			g = formula.Not(g)
		}
		with[formula.Atom(a)] = g
	}
	return formula.Replace(f, with), nil
}

func lowest(bits map[int]bool) (low, high int) {
	first := true
	for b := range bits {
		if first || b < low {
			low = b
		}
		if first || b > high {
			high = b
		}
		first = false
	}
	return low, high
}
