// Delays of assignments, which slang refuses and yosys' parser passes over. A netlist
// has no time below a step, so they are blanked in the text for slang.

package verilog

import (
	"slices"

	"netcov/frontend/verilog/preprocess"
)

// blankDelays blanks the delays after = and <=, and after assign. Columns stay.
func blankDelays(text []byte, tokens []token) []byte {
	var out []byte
	for i, t := range tokens {
		before := textAt(tokens, i-1)
		if t.text != "#" || before != "assign" && before != "=" || before == "=" && textAt(tokens, i-2) == "#" {
			continue // not a #=# of properties
		}
		to := behindDelay(tokens, i+1)
		if to < 0 {
			continue
		}
		if out == nil {
			out = slices.Clone(text)
		}
		blankBytes(out[t.start:tokens[to-1].end])
	}
	if out == nil {
		return text
	}
	return out
}

// withoutDeferral blanks the #0 of deferred assertions (IEEE 1800-2017, 16.4), and returns
// the tokens that stay. A step has one value of each net.
func withoutDeferral(t *preprocess.Text, tokens []token) (kept []token) {
	own := false // the text is a copy
	for i := 0; i < len(tokens); i++ {
		kept = append(kept, tokens[i])
		switch tokens[i].text {
		case "assert", "assume", "cover":
		default:
			continue
		}
		if textAt(tokens, i+1) == "#" && textAt(tokens, i+2) == "0" && textAt(tokens, i+3) == "(" {
			if !own {
				t.Text, own = slices.Clone(t.Text), true
			}
			blankBytes(t.Text[tokens[i+1].start:tokens[i+2].end])
			i += 2
		}
	}
	return kept
}

// behindDelay returns the index behind the value of a delay that begins at i, -1 where
// none does: a number, a name, or an expression in brackets.
func behindDelay(tokens []token, i int) int {
	first := textAt(tokens, i)
	switch {
	case first == "(":
		return behindBrackets(tokens, i)
	case first == "" || !isIdentifier(first[0]) && first[0] != '\\':
		return -1
	case first[0] >= '0' && first[0] <= '9':
		if textAt(tokens, i+1) == "." && tokens[i].end == tokens[i+1].start {
			return min(i+3, len(tokens)) // 1.5ns
		}
		return i + 1
	case textAt(tokens, i+1) == ":" && textAt(tokens, i+2) == ":":
		return min(i+4, len(tokens)) // of a package
	}
	return i + 1
}
