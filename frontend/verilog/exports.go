// export "DPI-C" lets a program in another language call a function of the design. A
// netlist has no such program, so these declarations are blanked.

package verilog

import (
	"fmt"
	"slices"
	"strings"

	"netcov/frontend/verilog/preprocess"
)

// withoutExports blanks export "DPI-C" [name =] function f; and the like for tasks. It
// returns the tokens that stay, and a note of what was left out.
func withoutExports(t *preprocess.Text, tokens []token) (kept []token, note []string) {
	var names []string
	var first token
	for i := 0; i < len(tokens); i++ {
		n, to := export(tokens, i)
		if to == 0 {
			kept = append(kept, tokens[i])
			continue
		}
		if len(names) == 0 {
			first = tokens[i]
			t.Text = slices.Clone(t.Text)
		}
		names = append(names, n)
		blankBytes(t.Text[tokens[i].start:tokens[to].end])
		i = to
	}
	if len(names) == 0 {
		return tokens, nil
	}
	return kept, []string{fmt.Sprintf(`export "DPI-C" of %s left out: a netlist has no program that could call it (%s:%d)`,
		strings.Join(shortList(names), ", "), first.at.File, first.at.Line)}
}

// export returns the name that the export at token i declares, and the semicolon behind
// it; 0 where none stands.
func export(tokens []token, i int) (name string, to int) {
	if tokens[i].text != "export" || textAt(tokens, i-1) == "." || !strings.HasPrefix(textAt(tokens, i+1), `"DPI`) {
		return "", 0
	}
	at := i + 2
	if isName(textAt(tokens, at)) && textAt(tokens, at+1) == "=" {
		at += 2
	}
	if w := textAt(tokens, at); w != "function" && w != "task" || !isName(textAt(tokens, at+1)) || textAt(tokens, at+2) != ";" {
		return "", 0
	}
	return textAt(tokens, at+1), at + 2
}

// blankBytes makes blanks of all but line ends.
func blankBytes(text []byte) {
	for i, c := range text {
		if c != '\n' {
			text[i] = ' '
		}
	}
}
