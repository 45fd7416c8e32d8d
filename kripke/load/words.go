package load

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"netcov/kripke/formula"
	"netcov/netlist"
)

// comparison is an atom such as `count = 5`, `count != 5` or `count in {5, 6}`.
var comparison = regexp.MustCompile(`^(.+) (?:(=|!=) ([0-9][0-9a-zA-Z_]*)|in \{([0-9][0-9a-zA-Z_, ]*)\})$`)

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
		var any []formula.Formula
		for _, number := range strings.Split(m[3]+m[4], ", ") {
			g, err := wordIs(m[1], number, words[m[1]], known[m[1]])
			if err != nil {
				return f, err
			}
			any = append(any, g)
		}
		g := formula.Or(any...)
		if m[2] == "!=" {
			g = formula.Not(g)
		}
		with[formula.Atom(a)] = g
	}
	return formula.Replace(f, with), nil
}

// wordIs says that a word with the given bits has a value; bit is whether the
// name is that of a single signal.
func wordIs(word, number string, bits map[int]bool, bit bool) (formula.Formula, error) {
	digits := strings.ReplaceAll(number, "_", "")
	base := 0 // as a prefix such as 0x says; leading zeros are no octal numbers
	if strings.Trim(digits, "0123456789") == "" {
		base = 10
	}
	value, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return formula.Formula{}, fmt.Errorf("the specification compares %s with %s, which is no number", word, number)
	}
	if bits == nil {
		if !bit || value.BitLen() > 1 {
			return formula.Formula{}, fmt.Errorf("the specification names %q, which is no signal and no word with the bits %s[0], %s[1], …", word, word, word)
		}
		bits = map[int]bool{-1: true}
	}
	low, high := lowest(bits)
	if value.BitLen() > high-low+1 {
		return formula.Formula{}, fmt.Errorf("the specification compares %s, which has %d bits, with %s", word, high-low+1, number)
	}
	var literals []formula.Formula
	for b := low; b <= high; b++ {
		name := word
		if b >= 0 {
			name = fmt.Sprintf("%s[%d]", word, b)
		}
		if !bits[b] {
			return formula.Formula{}, fmt.Errorf("the specification compares %s, whose bit %d is no signal", word, b)
		}
		l := formula.Atom(name)
		if value.Bit(b-low) == 0 {
			l = formula.Not(l)
		}
		literals = append(literals, l)
	}
	return formula.And(literals...), nil
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
